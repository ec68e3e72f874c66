/** The status and body of every refusal; a fault exposes nothing internal. */
import { describe, expect, it } from 'vitest'
import { httpStatusOf, toErrorResponse } from '../../lib/contract/errors.ts'
import { notFound, Refusal, refusalCodes } from '../../lib/domain/core/refusal.ts'

describe('errors', () => {
  const decided: Record<number, string[]> = {
    400: ['invalid-request', 'warning-invalid-events'],
    401: ['unauthorized'],
    402: [
      'no-credits',
      'plan-generations',
      'plan-storage',
      'plan-duration',
      'plan-render-time',
      'plan-publish',
      'plan-automations',
    ].map((name) => `warning-${name}`),
    403: ['missing-scope'],
    404: ['not-found'],
    405: ['method-not-allowed'],
    409: [
      'limit-reached',
      'warning-source-not-ready',
      'wrong-video-type',
      'warning-invalid-input',
      'warning-publish-not-configured',
      'warning-publish-no-accounts',
      'warning-publish-auth',
      'warning-publish-duplicate',
      'job-in-progress',
      'idempotency-in-progress',
      'conflict',
      'quote-expired',
    ],
    412: ['precondition-failed'],
    413: ['payload-too-large'],
    422: ['already-converted'],
    429: ['rate-limited'],
    503: ['unavailable'],
  }

  it.each(Object.entries(decided).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)))(
    '%s has status %i',
    (code, status) => {
      expect(Object.entries(httpStatusOf)).toContainEqual([code, status])
    },
  )

  it('have a status for every code, and for no other', () => {
    expect(Object.values(decided).flat().toSorted()).toEqual([...refusalCodes].toSorted())
    expect(Object.keys(httpStatusOf).toSorted()).toEqual([...refusalCodes].toSorted())
  })

  it('contain the reason of a refusal and its remedy', () => {
    const refusal = new Refusal('warning-no-credits', 'None left.', { action: 'credits', headers: { 'X-Test': '1' } })
    expect(toErrorResponse(refusal, 'req_1')).toEqual({
      status: 402,
      headers: { 'X-Test': '1' },
      body: {
        error: {
          status: 402,
          code: 'warning-no-credits',
          message: 'None left.',
          requestId: 'req_1',
          action: 'credits',
          blocked: true,
        },
      },
    })
    expect(toErrorResponse(notFound('video'), 'req_1').body).toEqual({
      error: { status: 404, code: 'not-found', message: 'No such video.', requestId: 'req_1' },
    })
  })

  it.each([
    [
      'an error',
      Object.assign(new Error('secret of table reelsmith'), {
        code: 'ENOENT',
        details: ['secret'],
        $metadata: { secret: 1 },
      }),
    ],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['an error that looks like a refusal', { name: 'Refusal', code: 'not-found', message: 'secret', extras: {} }],
  ])('expose nothing of an unexpected error: %s', (_name, fault) => {
    const answer = toErrorResponse(fault, 'req_1')
    expect(answer).toMatchObject({
      status: 500,
      headers: {},
      body: { error: { status: 500, code: 'internal-error', requestId: 'req_1' } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it.each([
    [{ name: 'TimeoutError' }],
    [{ $fault: 'server' }],
    [{ name: 'ThrottlingException' }],
    [{ name: 'TransactionConflictException' }],
    [{ code: 'ECONNRESET' }],
  ])('respond 503 with Retry-After when a service is unavailable: %j', (trouble) => {
    const answer = toErrorResponse(Object.assign(new Error('secret'), trouble), 'req_1')
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: { error: { code: 'unavailable' } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})
