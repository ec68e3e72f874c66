/** What a client is shown of a failure: the words of rules and providers, and nothing of a fault. */
import { describe, expect, it } from 'vitest'
import {
  AccountExpired,
  JobFailure,
  OutcomeUnknown,
  ProviderBusy,
  ProviderRejected,
  timeoutError,
  toJobError,
} from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'

describe('the error of a job', () => {
  const busy = 'A provider did not respond in time. Try again later.'

  it.each<[string, unknown, string, string]>([
    ['a known failure', new JobFailure('timeout', 'Late.'), 'timeout', 'Late.'],
    ['a rejected request', new ProviderRejected('Not allowed.'), 'voice-failed', 'Not allowed.'],
    ['a busy provider', new ProviderBusy('10.0.0.1 said 503'), 'provider-unavailable', busy],
    ['a lost answer', new OutcomeUnknown('10.0.0.1 hung up'), 'provider-unavailable', busy],
    ['an expired account', new AccountExpired('Connect it again.'), 'provider-unavailable', 'Connect it again.'],
    ['a fault', new Error('10.0.0.1'), 'voice-failed', 'The narration could not be spoken.'],
    ['nothing', undefined, 'voice-failed', 'The narration could not be spoken.'],
  ])('of %s is a real failure, with words for a client', (_name, reason, code, message) => {
    expect(toJobError(reason, 'voice-failed')).toEqual({ code, message, blocked: false })
  })

  it('of a refusal is an expected limit, with what to do about it', () => {
    const refusal = new Refusal('warning-no-credits', 'No credits.', { action: 'credits' })
    expect(toJobError(refusal, 'voice-failed')).toEqual({
      code: 'warning-no-credits',
      message: 'No credits.',
      blocked: true,
      action: 'credits',
    })
    expect(toJobError(new Refusal('conflict', 'No.'), 'voice-failed')).not.toHaveProperty('action')
  })

  it('of a deadline is a timeout', () => {
    expect(timeoutError).toEqual(toJobError(undefined, 'timeout'))
  })
})
