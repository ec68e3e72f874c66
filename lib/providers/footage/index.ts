/** Finds or makes the moving pictures of b-roll segments. */
import type { PictureWish } from '../images/index.ts'

export interface FootageWish extends PictureWish {
  /** The clip lasts at least this long, or may be looped without a visible seam. */
  durationMs: number
  /** Of the keywords, as ISO 639-1: a collection of clips is searched in it. */
  language?: string
}

/** Who filmed a clip, where that is to be told. */
export interface Credit {
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
  credit?: Credit
}

export interface FootagePlace {
  /** For scratch files; exists and belongs to the call. */
  directory: string
  signal: AbortSignal
  /** Asked before a clip of a collection is used: false where the video shows it already. */
  take(id: string): boolean
  /** Gives back a clip that could not be had. */
  release?(id: string): void
}

/** Remembers for a day what a collection answered: accounts may search only so often. */
export interface Searches {
  find(search: string): Promise<string | undefined>
  keep(search: string, answer: string): Promise<void>
}

export interface Footage {
  /** Names the maker and its version: part of the hash under which a clip is kept. */
  id: string
  /** Throws `ProviderRejected` where nobody filmed anything of the kind. */
  find(wish: FootageWish, place: FootagePlace): Promise<Clip>
  /** Makes what this one is too busy to find. */
  spare?: Pick<Footage, 'find'>
}
