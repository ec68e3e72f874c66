/** Presigned upload hosts of platforms, which use S3's protocol and do not know the account's token. */

import type { StepOutcome } from '../domain/publishing/posting.ts'
import type { PlatformResponse } from './publisher.ts'
import { failureOutcome } from './responses.ts'

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const tooLarge = '<Code>EntityTooLarge</Code>'

/** An expired upload grant is requested again by the step that uses it; it says nothing about the account. */
export function uploadHostFailure(response: PlatformResponse, now: string): StepOutcome<never> {
  if (Buffer.from(response.body).includes(tooLarge)) {
    return { kind: 'refused', code: 'film-too-large', message: 'The video is larger than the platform allows.' }
  }
  if (![400, 401, 403, 404, 410].includes(response.status)) return failureOutcome(response, now, {})
  return { kind: 'retry', waitSeconds: 15, message: `The upload host returned status ${response.status}.` }
}
