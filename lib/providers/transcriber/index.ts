/** What is said in a source file, and when. */

import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { TranscriberId } from '../../domain/generation/source.ts'
import type { Demuxer } from '../../ffmpeg/limits.ts'
import type { FfmpegRun } from '../../ffmpeg/run.ts'

/** A file to be transcribed, and its sound as 16-bit mono samples. */
export interface Recording {
  path: string
  demuxer: Demuxer
  hasSubtitles: boolean
  sampleRate: number
  samples: Int16Array
  /** Where the same sound lies in storage, as a WAV. */
  soundKey: string
  /** Where ffmpeg may work on it. */
  place: Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>>
}

/** A time in which something is heard. */
export interface Passage {
  startMs: number
  endMs: number
}

export interface Transcript {
  /** Empty where the words are not known: none is ever made up. */
  words: TimedWord[]
  passages: Passage[]
}

export interface Transcriber {
  /** Part of the name under which is kept what it told. */
  readonly id: TranscriberId
  transcribe(recording: Recording): Promise<Transcript>
}
