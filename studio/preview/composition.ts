/** Composes a video as the API returns it. URLs take the place of storage keys. */

import type { BRoll, StoredBRoll } from '../../lib/domain/generation/b-rolls.ts'
import type { CaptionPage, CaptionWord } from '../../lib/domain/generation/captions/captions.ts'
import type { PresentationScene } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { Scene } from '../../lib/domain/generation/scenes/scenes.ts'
import type { Brief } from '../../lib/domain/records/brief.ts'
import { frameSizes } from '../../lib/domain/records/brief.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { isPresentation } from '../../lib/domain/videos/kind.ts'
import { compose } from '../../lib/render/compose.ts'
import type { Composition } from '../../lib/render/composition.ts'
import type { Size } from '../../lib/render/framing.ts'
import type { ClientPictures } from '../../lib/render/slides/slides-from-scenes.ts'
import { toCompositionBRolls } from './scenes.ts'

/** A video resource with its timelines. */
export interface PreviewVideo {
  id: string
  title: string
  subType: string | null
  mood: string | null
  durationSeconds: number | null
  brief: Brief
  config: ThemeConfig
  media: { audioUrl: string | null; sourceUrl: string | null }
  captions?: CaptionWord[]
  captionsPages?: CaptionPage[]
  bRolls?: BRoll[]
  presentationScenes?: PresentationScene[]
  scenes?: Scene[]
}

/** The size of a preview: as many pixels across its shorter side, even in both directions as frames must be. */
export function previewSize({ brief }: Pick<PreviewVideo, 'brief'>, shortSide: number): Size {
  const { width, height } = frameSizes[brief.aspectRatio]
  const even = (length: number) => 2 * Math.round((length * shortSide) / Math.min(width, height) / 2)
  return { width: even(width), height: even(height) }
}

/**
 * `pictures`: the client's images by URL, with their sizes. Throws a RangeError without a narration, and a Refusal where
 * there is nothing to show.
 */
export function composePreview(video: PreviewVideo, pictures: ClientPictures, size: Size): Composition {
  const { captions = [], captionsPages = [], bRolls = [], presentationScenes = [], scenes = [] } = video
  const stored = {
    ...video,
    media: { audioKey: video.media.audioUrl, sourceKey: video.media.sourceUrl },
  }
  const shown = scenes.length > 0 ? toCompositionBRolls(video, scenes, captions) : bRolls.map(storedBRoll)
  const timeline = { captions, captionsPages, bRolls: shown }
  return compose(
    stored,
    isPresentation(video) ? { ...timeline, presentation: { scenes: presentationScenes, pictures } } : timeline,
    size,
  )
}

const storedBRoll = ({ url, type, ...segment }: BRoll): StoredBRoll => ({
  ...segment,
  media: url === null ? null : { kind: type === 'video' ? 'clip' : 'still', key: url },
})
