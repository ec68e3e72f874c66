/** Makes the clips in which a portrait speaks the narration. */
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { Clip } from '../footage/index.ts'
import type { OrderContext } from '../vendor-orders.ts'

/** The file is no picture. Its message goes on from the name of the portrait. */
export class PortraitRefused extends ProviderRejected {}

export interface AvatarInput {
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
   * The clip lasts as long as was wished, to the frame. Throws `PortraitRefused` where the portrait is no picture, `ProviderRejected`
   * where this one never speaks.
   */
  speak(wish: AvatarInput, place: OrderContext): Promise<Clip>
}
