/** Speaks a script and says when each word is heard. */
import type { Voice } from '../../domain/voice.ts'

export interface SpokenWord {
  /** The word as it stands in the script, punctuation included. */
  text: string
  startMs: number
  endMs: number
}

export interface Narration {
  /** 16-bit mono PCM WAV. */
  wav: Uint8Array
  durationMs: number
  /** Every whitespace-separated token of the script, in order, none lost; never overlapping. */
  words: SpokenWord[]
}

export interface Narrator {
  /** Throws `ProviderRejected` where the text holds nothing that can be spoken. */
  narrate(text: string, voice: Voice): Promise<Narration>
}
