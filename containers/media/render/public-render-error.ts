/** Maps the failure of a render to the error that the client reads. */

import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { type PlanId, plans } from '../../../lib/domain/workspaces/plan.ts'
import { log } from '../../../lib/log.ts'
import { RenderFailure, type RenderFailureCode } from '../render-failure.ts'

/** Fixed texts, because the message of the failure names internal paths and programs. */
const publicMessages: Partial<Record<RenderFailureCode, string>> = {
  'bad-composition': 'The timelines of this video cannot be rendered.',
  'bad-media': 'A picture, a clip or the narration of this video cannot be used.',
}

/** A permanent failure becomes the error for the client. Any other is returned unchanged: a retry may succeed. */
export function publicRenderError(failure: unknown, planId: PlanId): unknown {
  if (!(failure instanceof RenderFailure)) return failure
  const message = publicMessages[failure.code]
  if (message) {
    // Of a client's own picture only the header is read when it arrives. Media that the service made or damaged show in the alarm
    // for failed jobs. A composition that cannot be rendered is a defect of the service.
    log[failure.code === 'bad-media' ? 'warn' : 'error']('render.failed', { error: failure })
    return new JobFailure('render-failed', message)
  }
  if (failure.code !== 'timeout') return failure
  const limit = plans[planId].renderSecondsMax
  if (limit === null) return new JobFailure('timeout', 'The render took too long.')
  return new Refusal('warning-plan-render-time', `The plan allows renders of ${limit} seconds.`, { action: 'upgrade' })
}
