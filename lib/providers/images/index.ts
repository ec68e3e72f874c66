/** Capability: makes the still pictures of b-rolls and scenes. */
import type { PictureScene } from '../../domain/generation/picture-scene.ts'

export interface PictureInput {
  prompt: string
  keywords: string[]
  /** What to draw, where pictures are drawn; makers that understand prompts ignore it. */
  scene?: PictureScene
  mood: string | null
  width: number
  height: number
  /** The same input and seed give the same picture, where the maker supports it. */
  seed: string
  /** Another value gives another picture of the same style. */
  take?: string
}

export interface Picture {
  bytes: Uint8Array
  contentType: 'image/png' | 'image/jpeg'
}

export interface Images {
  /** Maker and version: part of the artefact key of a picture. */
  id: string
  /** Throws `ProviderRejected` where this input can never be drawn. */
  draw(input: PictureInput, signal?: AbortSignal): Promise<Picture>
}
