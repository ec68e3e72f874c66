/** Capability: finds or generates the footage of b-roll segments. */
import type { Attribution } from '../../domain/records/attribution.ts'
import type { PictureInput } from '../images/index.ts'

export interface FootageInput extends PictureInput {
  /** The clip lasts at least this long, or may be looped without a visible seam. */
  durationMs: number
  /** Language of the keywords (ISO 639-1): stock libraries are searched in it. */
  language?: string
}

export interface Clip {
  /** H.264 mp4, yuv420p, 30 frames a second, no sound. */
  bytes: Uint8Array
  durationMs: number
  width: number
  height: number
  attribution?: Attribution
}

export interface FootageContext {
  /** For scratch files; exists and belongs to the call. */
  directory: string
  signal: AbortSignal
  /** Called before a stock clip is used; false where the video already shows it. */
  reserve(id: string): boolean
  /** Undoes `reserve` for a clip that could not be downloaded. */
  release?(id: string): void
}

export interface Footage {
  /** Maker and version: part of the artefact key of a clip. */
  id: string
  /** Throws `ProviderRejected` where there is no matching footage. */
  find(input: FootageInput, context: FootageContext): Promise<Clip>
  /** Used instead of this one while it is busy. */
  fallback?: Pick<Footage, 'find'>
}
