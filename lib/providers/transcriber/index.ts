/** Capability: transcribes the speech of a source file, with the time of each word. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { Passage, TranscriberId } from '../../domain/generation/source.ts'
import type { OrderScope } from '../vendor-orders.ts'

export interface Recording {
  /** Storage key of the sound: 16-bit mono samples as a WAV. */
  soundKey: string
  /** In order; at least one. */
  passages: readonly Passage[]
}

export interface TranscriptionContext extends OrderScope {
  /** Stores a part of a transcript that is made in parts. A later attempt gets the stored one. */
  makeOnce(part: Passage, make: () => Promise<TimedWord[]>): Promise<TimedWord[]>
}

export interface Transcriber {
  /** Maker and version: part of the artefact key of a transcript. */
  readonly id: TranscriberId
  /**
   * The words, never invented. Throws `OrderPending` while the vendor is processing, `ProviderRejected` where this
   * recording can never be transcribed.
   */
  transcribe(recording: Recording, context: TranscriptionContext): Promise<TimedWord[]>
}
