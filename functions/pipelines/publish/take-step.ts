/** Takes one step of a posting, and tells when the next one is due. */
import * as v from 'valibot'
import { takeStep } from '../../../lib/actions/post.ts'
import { runInput, step } from '../../../lib/actions/step.ts'

const input = v.object({ ...runInput.entries, accountId: v.string() })

export const handler = step(input, 'publish-failed', (place) => takeStep(place))
