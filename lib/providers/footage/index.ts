/** Capability: finds or generates the footage of b-roll segments. */
import type { PictureInput } from '../images/index.ts'

export interface FootageInput extends PictureInput {
  /** The clip lasts at least this long, or may be looped without a visible seam. */
  durationMs: number
  /** Language of the keywords (ISO 639-1): stock libraries are searched in it. */
  language?: string
}

/** The author of a clip, where the licence requires it. Stored with the clip. */
export interface Attribution {
  /** Unique across stock libraries, for example `pexels-1`. */
  id: string
  author: string
  /** The page of the clip. */
  url: string
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

/** Caches search responses for a day: stock libraries limit the searches of an account. */
export interface SearchCache {
  find(search: string): Promise<string | undefined>
  put(search: string, response: string): Promise<void>
}

export interface Footage {
  /** Maker and version: part of the artefact key of a clip. */
  id: string
  /** Throws `ProviderRejected` where there is no matching footage. */
  find(input: FootageInput, context: FootageContext): Promise<Clip>
  /** Used instead of this one while it is busy. */
  fallback?: Pick<Footage, 'find'>
}
