/** Connections as clients see them. */
import * as v from 'valibot'
import { timestamp } from './shapes.ts'

export const connection = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.description('Where to send the user, who consents there and comes back to this API.'),
  ),
  expiresAt: timestamp,
})
