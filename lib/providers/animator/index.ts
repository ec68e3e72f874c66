/** Lets a still picture move: the clips of scenes. */
import type { Clip } from '../footage/index.ts'
import type { OrderContext } from '../vendor-orders.ts'

export interface AnimationInput {
  /** The picture as a file: PNG or JPEG. It fills the frame, so what stands over at the sides is cut off. */
  still: Uint8Array
  /** How it moves, in words: camera, things, light. */
  prompt: string
  durationMs: number
  /** Pixels of the film; both are even. */
  width: number
  height: number
  /** The same wish and seed give the same motion where the maker can do that. */
  seed: string
}

export interface Animator {
  /** Names the maker and its version: part of the hash under which a clip is kept. */
  id: string
  /** True where only a camera moves over the still: a film does that by itself, and sharper than a clip of it. */
  movesCameraOnly?: boolean
  /** The clip lasts as long as was wished, to the frame. Throws `ProviderRejected` where this still or prompt never moves. */
  animate(wish: AnimationInput, place: OrderContext): Promise<Clip>
}
