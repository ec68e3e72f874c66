/** Speaks a script and says when each word is heard. */
import type { Voice, VoiceVendorName } from '../../domain/videos/voices.ts'

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

/**
 * Gives a part of a long text, which was perhaps bought before; `part` is all that it is spoken from. What `speak` gives has to be
 * stored before this answers.
 */
export type StoreChunk = (part: readonly string[], speak: () => Promise<Narration>) => Promise<Narration>

export interface Narrator {
  /** Maker and version: part of the name under which its narrations are kept. */
  readonly id: string
  /**
   * Throws `ProviderRejected` where the text holds nothing that can be spoken. A text that takes more than one order is spoken in
   * parts, each through `keepPart`.
   */
  narrate(text: string, voice: Voice, keepPart?: StoreChunk): Promise<Narration>
}

/** Who offers voices beside the built-in ones. */
export interface VoiceVendor {
  readonly name: VoiceVendorName
  /** All that this deployment may use, the preferred ones of a language first. */
  list(): Promise<Voice[]>
  /** The voice saying a sentence, as MP3: a clip to hear it. */
  speakSample(voice: Voice, sentence: string): Promise<Uint8Array>
}
