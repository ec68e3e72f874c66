/** Schema of a connection in responses. */
import * as v from 'valibot'
import { timestamp } from '../schemas.ts'

export const connection = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.description('Send the user here to authorize access; the platform redirects back to this API.'),
  ),
  expiresAt: timestamp,
})
