/** Connections as clients see them. */
import * as v from 'valibot'
import { timestamp } from '../schemas.ts'

export const connection = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.description('Where to send the user, who consents there and comes back to this API.'),
  ),
  expiresAt: timestamp,
})
