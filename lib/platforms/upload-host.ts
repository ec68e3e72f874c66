/** Hosts that platforms lend for uploads, which speak S3: they know the upload, not the account. */

import type { StepOutcome } from '../domain/publishing/posting.ts'
import type { PlatformResponse } from './publisher.ts'
import { failureOutcome } from './responses.ts'

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const tooLarge = '<Code>EntityTooLarge</Code>'

/** A permission that has ended is asked for anew by the step that uses it: it says nothing of the account. */
export function uploadHostFailure(answer: PlatformResponse, now: string): StepOutcome<never> {
  if (Buffer.from(answer.body).includes(tooLarge)) {
    return { kind: 'refused', code: 'film-too-large', message: 'The film is larger than the platform takes.' }
  }
  if (![400, 401, 403, 404, 410].includes(answer.status)) return failureOutcome(answer, now, {})
  return { kind: 'retry', waitSeconds: 15, message: `The upload host answers ${answer.status}.` }
}
