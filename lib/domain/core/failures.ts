/**
 * The failures that cross layers: thrown by steps, providers and platforms, matched by class in rules, pipelines and the
 * API, and by `name` in state machines. A `Refusal` is an expected limit; everything else here is a fault.
 */
import { Refusal, type RefusalCode, type Remedy } from './refusal.ts'
import { truncate } from './text.ts'

const jobErrorCodes = [
  'script-failed',
  'voice-failed',
  'visuals-failed',
  'transcription-failed',
  'provider-unavailable',
  'render-failed',
  'timeout',
  'publish-failed',
  'publish-outcome-unknown',
] as const

export type JobErrorCode = (typeof jobErrorCodes)[number]

/** Why a post was refused before anything was sent to the platform. */
export const postRefusalCodes = [
  'caption-too-long',
  'caption-not-allowed',
  'title-too-long',
  'film-too-long',
  'film-too-short',
  'film-too-large',
  'film-wrong-format',
  'settings-missing',
] as const
export type PostRefusalCode = (typeof postRefusalCodes)[number]

/** The `error` of a job document: stored, and shown to clients. */
export interface JobError {
  code: JobErrorCode | RefusalCode | PostRefusalCode
  message: string
  /** True for an expected limit, false for a real failure. */
  blocked: boolean
  action?: Remedy
}

/** Ends a job with a known error code. The message is shown to the client. */
export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly code: JobErrorCode

  constructor(code: JobErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The run is no longer the one that the record names: it was superseded, ended or deleted. Never an error of the job. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/** Retryable failure of a provider or platform: busy, throttled, unreachable, 5xx. */
export class ProviderBusy extends Error {
  override name = 'ProviderBusy'
}

/**
 * Retryable, but the vendor may have accepted the request. A request that costs money must not be repeated unless the
 * vendor deduplicates it.
 */
export class OutcomeUnknown extends ProviderBusy {}

/** Permanent: invalid input, content policy, unsupported. The message may be shown to the client. */
export class ProviderRejected extends Error {
  override name = 'ProviderRejected'
}

/** What the client wrote or chose cannot be spoken, drawn or written about: no fault of the service or of a vendor. */
export class InputRejected extends ProviderRejected {}

/** An account has to be authorised, paid or connected again by its owner. A retry fails until then. */
export class AccountExpired extends Error {
  override name = 'AccountExpired'
}

/** The error of the job document for what ended a run. `fallback` is the code of the failed stage, if nothing more specific is known. */
export function toJobError(reason: unknown, fallback: JobErrorCode): JobError {
  const error = jobErrorOf(reason, fallback)
  // The record has a size limit; vendor messages have none.
  return { ...error, message: truncate(error.message) }
}

function jobErrorOf(reason: unknown, fallback: JobErrorCode): JobError {
  if (reason instanceof Refusal) {
    const { action } = reason.extras
    return { code: reason.code, message: reason.message, blocked: true, ...(action ? { action } : {}) }
  }
  if (reason instanceof JobFailure) return { code: reason.code, message: reason.message, blocked: false }
  if (reason instanceof ProviderRejected) return { code: fallback, message: reason.message, blocked: false }
  if (reason instanceof ProviderBusy) return fixedError('provider-unavailable')
  if (reason instanceof AccountExpired) return { code: 'provider-unavailable', message: reason.message, blocked: false }
  return fixedError(fallback)
}

/** Fixed texts: details of a fault are logged, never shown to clients. */
const fixedMessages: Record<JobErrorCode, string> = {
  'script-failed': 'The script could not be written.',
  'voice-failed': 'The narration could not be spoken.',
  'visuals-failed': 'The visuals could not be created.',
  'transcription-failed': 'The source could not be transcribed.',
  'provider-unavailable': 'A provider did not respond in time. Try again later.',
  'render-failed': 'The video could not be rendered.',
  timeout: 'The job did not finish before its deadline.',
  'publish-failed': 'The video could not be published.',
  'publish-outcome-unknown':
    'It is unknown whether the video was published. Check the platform before publishing again.',
}

const fixedError = (code: JobErrorCode): JobError => ({ code, message: fixedMessages[code], blocked: false })

export const timeoutError = fixedError('timeout')
