/** Queries of the routes under /profiles. */
import * as v from 'valibot'
import { pageQuery } from '../schemas.ts'

export const listProfilesQuery = v.object(pageQuery)

export const getProfileQuery = v.object({
  refresh: v.optional(v.picklist(['true', '1'])),
})
