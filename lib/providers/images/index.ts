/** Makes the still pictures of b-roll segments. */
export interface PictureInput {
  prompt: string
  keywords: string[]
  mood: string | null
  width: number
  height: number
  /** The same wish and seed always give the same bytes. */
  seed: string
  /** Where the same wish is to give another picture of the same family. */
  take?: string
}

export interface Picture {
  bytes: Uint8Array
  contentType: 'image/png' | 'image/jpeg'
}

export interface Images {
  /** Names the maker and its version: part of the hash under which a picture is kept. */
  id: string
  draw(wish: PictureInput, signal?: AbortSignal): Promise<Picture>
}
