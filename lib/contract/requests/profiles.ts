/** Queries and bodies of the routes under /profiles. */
import * as v from 'valibot'
import { platforms } from '../../domain/core/platform.ts'
import { pageQuery } from '../schemas.ts'

export const listProfilesQuery = v.object(pageQuery)

export const getProfileQuery = v.object({ refresh: v.optional(v.picklist(['true', '1'])) })

export const beginConnectionRequest = v.object({ platform: v.picklist(platforms.map(({ id }) => id)) })
