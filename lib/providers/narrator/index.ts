/** Capability: speaks a script, with the time of each word. */
import type { Voice, VoiceVendorName } from '../../domain/videos/voices.ts'

export interface SpokenWord {
  /** The word as written in the script, punctuation included. */
  text: string
  startMs: number
  endMs: number
}

export interface Narration {
  /** 16-bit mono PCM WAV. */
  wav: Uint8Array
  durationMs: number
  /** Every whitespace-separated token of the script, in order; never overlapping. */
  words: SpokenWord[]
}

/**
 * Returns the narration of a chunk: a stored one, otherwise that of `speak`, which has to be stored before this
 * resolves. `chunk` holds all texts that the narration depends on.
 */
export type StoreChunk = (chunk: readonly string[], speak: () => Promise<Narration>) => Promise<Narration>

export interface Narrator {
  /** Maker and version: part of the artefact key of a narration. */
  readonly id: string
  /**
   * Throws `ProviderRejected` where the text contains nothing to speak. A text above the vendor's limit is spoken in
   * chunks, each one through `storeChunk`.
   */
  narrate(text: string, voice: Voice, storeChunk?: StoreChunk): Promise<Narration>
}

/** A vendor with voices beside the built-in ones. */
export interface VoiceVendor {
  readonly name: VoiceVendorName
  /** All voices that this deployment may use, the preferred ones of a language first. */
  list(): Promise<Voice[]>
  /** A preview of the voice, as MP3. */
  speakSample(voice: Voice, sentence: string): Promise<Uint8Array>
}
