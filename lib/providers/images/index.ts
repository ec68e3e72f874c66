/** Capability: makes the still pictures of b-rolls and scenes. */
import type { PictureScene } from '../../domain/generation/picture-scene.ts'
import type { Attribution } from '../../domain/records/attribution.ts'

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
  /** Of a picture of a collection. */
  attribution?: Attribution
}

/** Keeps two shots of a video from showing the same picture of a collection. */
export interface Reservations {
  /** Called before a picture is used; false where the video already shows it. */
  reserve(id: string): boolean
  /** Undoes `reserve` for a picture that could not be downloaded. */
  release(id: string): void
}

export interface Images {
  /** Maker and version: part of the artefact key of a picture. */
  id: string
  /** Whether the pictures exist before they are requested: then they show no character, and no style applies. */
  isCollection?: true
  /** Throws `ProviderRejected` where this input can never be drawn. `reservations` concern collections only. */
  draw(input: PictureInput, signal?: AbortSignal, reservations?: Reservations): Promise<Picture>
  /** Used instead of this one while it is busy. */
  fallback?: Pick<Images, 'draw'>
}
