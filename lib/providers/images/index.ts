/** Capability: makes the still pictures of b-rolls and scenes. */
export interface PictureInput {
  prompt: string
  keywords: string[]
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
