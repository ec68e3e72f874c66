/** Schema of a connection in responses. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { longUrlLengthMax, timestamp } from '../schemas.ts'

export const connection = v.object({
  url: v.pipe(
    boundedText(longUrlLengthMax),
    v.url(),
    v.description('Send the user here to authorize access; the platform redirects back to this API.'),
  ),
  expiresAt: timestamp,
})
