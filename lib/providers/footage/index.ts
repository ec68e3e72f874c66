/** Finds or makes the moving pictures of b-roll segments. */
import type { PictureInput } from '../images/index.ts'

export interface FootageInput extends PictureInput {
  /** The clip lasts at least this long, or may be looped without a visible seam. */
  durationMs: number
  /** Of the keywords, as ISO 639-1: a collection of clips is searched in it. */
  language?: string
}

/** Who filmed a clip, where that is to be told. */
export interface Attribution {
  /** Unique to the clip in its collection. */
  id: string
  author: string
  /** The page of the clip. */
  url: string
}

export interface Clip {
  /** H.264 mp4, yuv420p, without sound, 30 frames a second. */
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
  /** Asked before a clip of a collection is used: false where the video shows it already. */
  reserve(id: string): boolean
  /** Gives back a clip that could not be had. */
  release?(id: string): void
}

/** Remembers for a day what a collection answered: accounts may search only so often. */
export interface SearchCache {
  find(search: string): Promise<string | undefined>
  put(search: string, answer: string): Promise<void>
}

export interface Footage {
  /** Names the maker and its version: part of the hash under which a clip is kept. */
  id: string
  /** Throws `ProviderRejected` where nobody filmed anything of the kind. */
  find(wish: FootageInput, place: FootageContext): Promise<Clip>
  /** Makes what this one is too busy to find. */
  fallback?: Pick<Footage, 'find'>
}
