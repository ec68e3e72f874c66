/** Capability: animates a portrait that speaks the narration. */
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { Clip } from '../footage/index.ts'
import type { OrderContext } from '../vendor-orders.ts'

/** The file is not a valid image. The message continues a sentence that begins with the name of the portrait. */
export class PortraitRefused extends ProviderRejected {}

export interface AvatarInput {
  /** PNG, JPEG or WebP file. */
  portrait: Uint8Array
  /** The speech of the clip: 16-bit mono. */
  voice: { samples: Int16Array; sampleRate: number }
  durationMs: number
  /** Pixels of the video; both are even. */
  width: number
  height: number
}

export interface Avatars {
  /** Maker and version: part of the artefact key of a clip. */
  id: string
  /**
   * The clip has the exact duration, to the frame. Throws `PortraitRefused` where the portrait is not a valid image,
   * `ProviderRejected` where it can never be animated.
   */
  speak(input: AvatarInput, context: OrderContext): Promise<Clip>
}
