/** Capability: transcribes the speech of a source file, with the time of each word. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { TranscriberId } from '../../domain/generation/source.ts'
import type { Demuxer } from '../../ffmpeg/limits.ts'
import type { FfmpegRun } from '../../ffmpeg/run.ts'

/** A file and its sound as 16-bit mono samples. */
export interface Recording {
  path: string
  demuxer: Demuxer
  hasSubtitles: boolean
  sampleRate: number
  samples: Int16Array
  /** Storage key of the same sound as a WAV. */
  soundKey: string
  /** Options of ffmpeg runs. */
  ffmpeg: Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>>
}

/** A span with audible sound. */
export interface Passage {
  startMs: number
  endMs: number
}

export interface Transcript {
  /** Empty where the words are unknown: never invented. */
  words: TimedWord[]
  passages: Passage[]
}

export interface Transcriber {
  /** Maker and version: part of the artefact key of a transcript. */
  readonly id: TranscriberId
  /** Throws `ProviderRejected` where this recording can never be transcribed. */
  transcribe(recording: Recording): Promise<Transcript>
}
