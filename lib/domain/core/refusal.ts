/** The expected "no": a rule of the product refuses a request or ends a job. Anything else that is thrown is a fault. */

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
  'payload-too-large',
  'already-converted',
  'rate-limited',
  'unavailable',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** What the client can do about it. */
export type Remedy = 'upgrade' | 'credits' | 'connect'

/** One thing that is wrong with a request: `path` such as `body.presenter.occurrences`. */
export interface RefusalDetail {
  path: string
  message: string
  allowed?: (string | number)[]
}

export interface RefusalExtras {
  action?: Remedy
  details?: RefusalDetail[]
  /** What has to be set up first. */
  blockers?: { id: string; label: string }[]
  /** Every event that can be subscribed to. */
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
