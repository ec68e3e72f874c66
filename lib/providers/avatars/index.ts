/** Makes the clips in which a portrait speaks the narration. */
import type { Clip } from '../footage/index.ts'

export interface AvatarWish {
  /** The portrait as a file: PNG, JPEG or WebP. */
  portrait: Uint8Array
  /** What is said while the clip runs: 16-bit mono. */
  voice: { samples: Int16Array; sampleRate: number }
  durationMs: number
  /** Pixels of the film; both are even. */
  width: number
  height: number
}

export interface Avatars {
  /** Names the maker and its version: part of the hash under which a clip is kept. */
  id: string
  /**
   * The clip lasts as long as was wished, to the frame. Scratch files go to `directory`, which exists and belongs to the call.
   * Throws `ProviderRejected` where the portrait is no picture.
   */
  speak(wish: AvatarWish, directory: string): Promise<Clip>
}
