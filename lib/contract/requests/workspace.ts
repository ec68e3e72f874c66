/** The query of GET /voices. */
import * as v from 'valibot'

/** A value that no voice has selects nothing. */
export const listVoicesQuery = v.object({ provider: v.optional(v.string()), language: v.optional(v.string()) })
