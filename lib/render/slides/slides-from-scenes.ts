/** Builds slides from presentation scenes: which are shown and when, and with which words, images and captions. */

import type { StoredBRoll } from '../../domain/generation/b-rolls.ts'
import { type CaptionWord, wordsBetween } from '../../domain/generation/captions/captions.ts'
import type { PresentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { presentationPosition } from '../captions/style.ts'
import type { CompositionPage } from '../composition.ts'
import type { Brand, BrandPicture, Slide } from './slide.ts'

/** A shorter gap between two slides is closed: a brief glimpse of other media would look like a fault. */
const gapMsMax = 2_000

/** Default caption style of presentations: smaller, lower and calmer than over pictures. */
export const presentationDefaults = {
  captionsFontSize: 38,
  captionsVerticalPosition: presentationPosition,
  captionsTextStroke: 6,
  captionsTextTransform: 'none',
  captionsWordEffects: '',
  captionsPrimaryColor: '#FFD166',
} as const satisfies ThemeConfig

/** The client's images by URL, as they were fetched. An image that could not be fetched is missing. */
export type ClientPictures = Readonly<Record<string, BrandPicture>>

export function brandOf({ presentationLogoUrl, presentationIconUrl }: ThemeConfig, pictures: ClientPictures): Brand {
  const [logo, icon] = [pictures[presentationLogoUrl ?? ''], pictures[presentationIconUrl ?? '']]
  return { ...(logo && { logo }), ...(icon && { icon }) }
}

interface SlideInput {
  captions: readonly CaptionWord[]
  bRolls: readonly StoredBRoll[]
  pictures: ClientPictures
  durationMs: number
  /** Whether the video shows captions. */
  captioned: boolean
  /** Whether there are shots outside slides; if not, each slide lasts until the next one. */
  hasOther: boolean
}

export function slidesOf(scenes: readonly PresentationScene[], input: SlideInput): Slide[] {
  const { durationMs, hasOther } = input
  const shown = scenes
    .filter(({ hidden, startMs, endMs }) => !hidden && startMs < Math.min(endMs, durationMs))
    .toSorted((a, b) => a.startMs - b.startMs)
  return shown.flatMap((scene, index): Slide[] => {
    const nextMs = shown[index + 1]?.startMs ?? durationMs
    const goesOn = !hasOther || nextMs - scene.endMs < gapMsMax
    const startMs = index === 0 && (!hasOther || scene.startMs < gapMsMax) ? 0 : scene.startMs
    const endMs = goesOn ? nextMs : Math.min(scene.endMs, nextMs)
    return endMs > startMs ? [slideOf(scene, { startMs, endMs }, input)] : []
  })
}

function slideOf(scene: PresentationScene, span: { startMs: number; endMs: number }, input: SlideInput): Slide {
  const { template, tone, text, emphasis, visual, params, direction } = scene
  const content = { ...scene.content, ...scene.composed }
  const picture = template === 'imageFull' ? pictureFor(content, span, input) : undefined
  return {
    ...{ ...span, template, tone, text, emphasis, content, params, direction },
    anchors: visual.anchors,
    captioned: input.captioned && scene.caption === 'show',
    words: wordsBetween([...input.captions], span.startMs, span.endMs).map(({ punctuated_word, startMs }) => ({
      text: punctuated_word,
      startMs,
    })),
    ...(picture && { picture }),
  }
}

/** The image URLs in scenes. */
export const pictureUrls = (scenes: readonly PresentationScene[]): string[] =>
  scenes.flatMap(({ template, hidden, content, composed }) => {
    const url = imageUrlIn({ ...content, ...composed })
    return template === 'imageFull' && !hidden && url ? [url] : []
  })

const imageUrlIn = ({ imageUrl }: Record<string, unknown>) => (typeof imageUrl === 'string' ? imageUrl : undefined)

/** The image that the content names, otherwise the media of the b-roll segment with the longest overlap. */
function pictureFor(
  content: Record<string, unknown>,
  { startMs, endMs }: { startMs: number; endMs: number },
  { pictures, bRolls }: SlideInput,
): Slide['picture'] {
  const url = imageUrlIn(content) ?? ''
  // The value is untrusted: a plain look-up would find `constructor`.
  const named = Object.hasOwn(pictures, url) ? pictures[url] : undefined
  if (named) return { kind: 'still', key: named.key }
  const overlap = (segment: StoredBRoll) => Math.min(endMs, segment.endMs) - Math.max(startMs, segment.startMs)
  const seen = bRolls.filter((segment) => segment.media && !segment.hidden && overlap(segment) > 0)
  return seen.toSorted((a, b) => overlap(b) - overlap(a))[0]?.media ?? undefined
}

/** The caption pages without those during slides that hide captions. */
export function pagesOutsideSlides(pages: readonly CompositionPage[], slides: readonly Slide[]): CompositionPage[] {
  const silent = slides.filter(({ captioned }) => !captioned)
  return pages.flatMap((page) => {
    if (silent.some(({ startMs, endMs }) => page.startMs >= startMs && page.startMs < endMs)) return []
    const endMs = Math.min(page.endMs, ...silent.map(({ startMs }) => startMs).filter((ms) => ms > page.startMs))
    return [{ ...page, endMs, words: page.words.filter((word) => word.startMs < endMs) }]
  })
}
