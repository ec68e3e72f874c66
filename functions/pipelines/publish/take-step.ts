/** Takes one step of a posting and returns when the next one is due. */
import * as v from 'valibot'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { advancePosting } from '../../../lib/use-cases/publishing/advance-posting.ts'

const input = v.object({ ...runInput.entries, accountId: v.string() })

export const handler = step(input, 'publish-failed', (postingKey) => advancePosting(postingKey))
