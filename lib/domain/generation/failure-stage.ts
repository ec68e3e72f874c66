/** The stage in which a generation failed, and so its error code, when no step reported one (a timeout or a crash). */

import type { JobErrorCode } from '../core/failures.ts'
import { type ProcessJob, type ProcessKind, stageProgress } from '../records/jobs.ts'

/** Work with a single stage; a full generation has several. */
const failureOfWork: Record<Exclude<ProcessKind, 'generate'>, JobErrorCode> = {
  script: 'script-failed',
  clip: 'visuals-failed',
  ingest: 'transcription-failed',
  convert: 'visuals-failed',
}

/** The error code according to the job document. */
export function failureCodeOf({ work, progress }: Pick<ProcessJob, 'work' | 'progress'>): JobErrorCode {
  if (work !== 'generate') return failureOfWork[work]
  if (progress >= stageProgress.visuals) return 'visuals-failed'
  return progress >= stageProgress.voice ? 'voice-failed' : 'script-failed'
}

/** Outputs of the steps in the state machine of a run. Member names are those of its states' results. */
interface StageOutputs {
  begun?: { work: ProcessKind; type: string } | undefined
  script?: unknown
  /** Of an ai video, whose scenes are narrated and planned in one step. */
  scenes?: unknown
  narration?: unknown
  visuals?: unknown
}

/** The error code according to a state machine: the failed step is the first one without output. */
export function failureCodeAfter({ begun, script, scenes, narration, visuals }: StageOutputs): JobErrorCode {
  if (begun && begun.work !== 'generate') return failureOfWork[begun.work]
  const hasVoice = begun?.type === 'ai' ? visuals : narration
  const hasScript = begun?.type === 'ai' ? scenes : script
  if (hasVoice) return 'visuals-failed'
  return hasScript ? 'voice-failed' : 'script-failed'
}
