/** Which stage a generation died in, where no step could tell: the code of the job's error follows from it. */

import type { JobErrorCode } from '../core/failures.ts'
import type { ProcessJob, ProcessKind } from '../records/jobs.ts'

/** Work of one stage. A generation has three of them. */
const failureOfWork: Record<Exclude<ProcessKind, 'generate'>, JobErrorCode> = {
  script: 'script-failed',
  clip: 'visuals-failed',
  ingest: 'transcription-failed',
  convert: 'visuals-failed',
}

/** The progress that the steps of a generation tell when they begin. */
export const stageProgress = { script: 5, scenes: 10, voice: 15, visuals: 40 } as const

/** As the job document tells it. */
export function failureCodeOf({ work, progress }: Pick<ProcessJob, 'work' | 'progress'>): JobErrorCode {
  if (work !== 'generate') return failureOfWork[work]
  if (progress >= stageProgress.visuals) return 'visuals-failed'
  return progress >= stageProgress.voice ? 'voice-failed' : 'script-failed'
}

/** What the steps of a run have left behind. */
interface StageOutputs {
  begun?: { work: ProcessKind; type: string } | undefined
  script?: unknown
  /** Of an ai video, whose scenes are spoken and planned in one step. */
  scenes?: unknown
  narration?: unknown
  visuals?: unknown
}

/** As a state machine knows it: a step that died without a word is known by what is missing. */
export function failureCodeAfter({ begun, script, scenes, narration, visuals }: StageOutputs): JobErrorCode {
  if (begun && begun.work !== 'generate') return failureOfWork[begun.work]
  const spoken = begun?.type === 'ai' ? visuals : narration
  const written = begun?.type === 'ai' ? scenes : script
  if (spoken) return 'visuals-failed'
  return written ? 'voice-failed' : 'script-failed'
}
