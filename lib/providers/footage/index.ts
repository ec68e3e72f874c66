/** Finds or makes the moving pictures of b-roll segments. */
import type { PictureWish } from '../images/index.ts'

export interface FootageWish extends PictureWish {
  /** The clip lasts at least this long, or may be looped without a visible seam. */
  durationMs: number
}

export interface Clip {
  /** H.264 mp4, yuv420p, without sound, 30 frames a second. */
  bytes: Uint8Array
  durationMs: number
  width: number
  height: number
}

export interface Footage {
  /** Names the maker and its version: part of the hash under which a clip is kept. */
  id: string
  /** Scratch files go to `directory`, which exists and belongs to the call. */
  find(wish: FootageWish, directory: string): Promise<Clip>
}
