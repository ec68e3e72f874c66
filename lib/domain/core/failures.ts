import { Refusal, type RefusalCode, type Remedy } from './refusal.ts'
import { truncate } from './text.ts'

export const jobErrorCodes = [
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

export interface JobError {
  code: JobErrorCode | RefusalCode | PostRefusalCode
  message: string
  /** True for an expected limit, false for a real failure. */
  blocked: boolean
  action?: Remedy
}

/** Thrown by a step that knows why it cannot go on. The message is shown to the client. */
export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly code: JobErrorCode

  constructor(code: JobErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Thrown where a run is no longer the one the record names: it was superseded, ended or deleted. Never an error of the job. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/** Turns whatever ended a run into the error of its job document. `fallback` names the stage when nothing better is known. */
export function toJobError(reason: unknown, fallback: JobErrorCode): JobError {
  const told = reasonOf(reason, fallback)
  // It is part of a record, which has to be written whatever a vendor says.
  return { ...told, message: truncate(told.message) }
}

function reasonOf(reason: unknown, fallback: JobErrorCode): JobError {
  if (reason instanceof Refusal) {
    const { action } = reason.extras
    return { code: reason.code, message: reason.message, blocked: true, ...(action ? { action } : {}) }
  }
  if (reason instanceof JobFailure) return { code: reason.code, message: reason.message, blocked: false }
  if (reason instanceof Error && reason.name === 'ProviderRejected')
    return { code: fallback, message: reason.message, blocked: false }
  if (reason instanceof Error && reason.name === 'ProviderBusy')
    return {
      code: 'provider-unavailable',
      message: 'A provider did not answer in time. Try again later.',
      blocked: false,
    }
  if (reason instanceof Error && reason.name === 'AccountExpired')
    return { code: 'provider-unavailable', message: reason.message, blocked: false }
  return { code: fallback, message: faultMessages[fallback], blocked: false }
}

/** Fixed texts: what went wrong inside is in the log, never in the answer. */
const faultMessages: Record<JobErrorCode, string> = {
  'script-failed': 'The script could not be written.',
  'voice-failed': 'The narration could not be spoken.',
  'visuals-failed': 'The visuals could not be made.',
  'transcription-failed': 'The source could not be transcribed.',
  'provider-unavailable': 'A provider did not answer in time. Try again later.',
  'render-failed': 'The video could not be rendered.',
  timeout: 'The job did not finish before its deadline.',
  'publish-failed': 'The video could not be published.',
  'publish-outcome-unknown': 'It is not known whether the video was published.',
}

export const timeoutError: JobError = { code: 'timeout', message: faultMessages.timeout, blocked: false }

/** Reasons that are known before anything is sent. */
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
