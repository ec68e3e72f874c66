/** A `Refusal`: a business rule refuses a request or ends a job. Expected, unlike the failures in `failures.ts`. */

export const refusalCodes = [
  'invalid-request',
  'warning-invalid-events',
  'unauthorized',
  'warning-no-credits',
  'warning-plan-generations',
  'warning-plan-storage',
  'warning-plan-duration',
  'warning-plan-render-time',
  'warning-plan-publish',
  'warning-plan-automations',
  'missing-scope',
  'not-found',
  'method-not-allowed',
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
  'precondition-failed',
  'payload-too-large',
  'already-converted',
  'rate-limited',
  'unavailable',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** How the client can resolve it. */
export type Remedy = 'upgrade' | 'credits' | 'connect'

/** One invalid field of a request, with a `path` such as `body.presenter.occurrences`. */
export interface RefusalDetail {
  path: string
  message: string
  allowed?: (string | number)[]
}

export interface RefusalExtras {
  action?: Remedy
  details?: RefusalDetail[]
  /** What has to be configured first. */
  blockers?: { id: string; label: string }[]
  /** All event types that a webhook can subscribe to. */
  validEvents?: string[]
  /** Response headers, for example `Allow`. */
  headers?: Record<string, string>
}

export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly extras: RefusalExtras

  constructor(code: RefusalCode, message: string, extras: RefusalExtras = {}) {
    super(message)
    this.code = code
    this.extras = extras
  }
}

export const notFound = (what: string) => new Refusal('not-found', `No such ${what}.`)
