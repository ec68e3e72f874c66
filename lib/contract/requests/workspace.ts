/** The query of GET /voices. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'

const name = boundedText(64)

/** A value that no voice has selects nothing. */
export const listVoicesQuery = v.object({ provider: v.optional(name), language: v.optional(name) })
