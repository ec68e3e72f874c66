/** Capability: animates a still into the clip of a scene. */
import type { Clip } from '../footage/index.ts'
import type { OrderContext } from '../vendor-orders.ts'

export interface AnimationInput {
  /** PNG or JPEG file. It covers the frame; overhang is cropped. */
  still: Uint8Array
  /** The motion in words: camera, subjects, light. */
  prompt: string
  durationMs: number
  /** Pixels of the video; both are even. */
  width: number
  height: number
  /** The same input and seed give the same motion, where the maker supports it. */
  seed: string
}

export interface Animator {
  /** Maker and version: part of the artefact key of a clip. */
  id: string
  /** True where only the camera moves: the renderer does that itself, and sharper than a clip of it. */
  movesCameraOnly?: boolean
  /**
   * The clip has the exact duration, to the frame. Throws `ProviderRejected` where the still or the prompt can never be
   * animated.
   */
  animate(input: AnimationInput, context: OrderContext): Promise<Clip>
}
