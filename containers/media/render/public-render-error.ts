/** What a client is told of a failed render. */

import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { type PlanId, plans } from '../../../lib/domain/workspaces/plan.ts'
import { log } from '../../../lib/log.ts'
import { RenderFailure, type RenderFailureCode } from './render-failure.ts'

/** Fixed texts: the message of the failure names places and programs of ours. */
const publicMessages: Partial<Record<RenderFailureCode, string>> = {
  'bad-composition': 'The timelines of this video do not make a film.',
  'bad-media': 'A picture, a clip or the narration of this video cannot be used.',
}

/** What a client should read of a failed render; everything else may pass and is tried again. */
export function publicRenderError(failure: unknown, planId: PlanId): unknown {
  if (!(failure instanceof RenderFailure)) return failure
  const told = publicMessages[failure.code]
  if (told) {
    log.error('render.failed', { error: failure })
    return new JobFailure('render-failed', told)
  }
  if (failure.code !== 'timeout') return failure
  const limit = plans[planId].renderSecondsMax
  if (limit === null) return new JobFailure('timeout', 'The render took too long.')
  return new Refusal('warning-plan-render-time', `The plan allows renders of ${limit} seconds.`, { action: 'upgrade' })
}
