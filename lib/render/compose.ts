/** Puts a video's timelines together into the composition that a renderer shows. */
import { createHash } from 'node:crypto'
import { Refusal } from '../domain/core/refusal.ts'
import type { StoredBRoll } from '../domain/generation/b-rolls.ts'
import type { CaptionPage, CaptionWord } from '../domain/generation/captions/captions.ts'
import { wordsBetween } from '../domain/generation/captions/captions.ts'
import { emojiCharacter } from '../domain/generation/captions/emoji.ts'
import { resolveMusicMood } from '../domain/generation/music.ts'
import {
  closeFrame,
  fullFrame,
  leftFrame,
  motionFromPrompt,
  rightFrame,
  staticCamera,
} from '../domain/generation/scenes/camera.ts'
import type { PresentationScene } from '../domain/generation/scenes/presentation-scenes.ts'
import { frameSizes } from '../domain/records/brief.ts'
import { editorDefaults } from '../domain/records/theme.ts'
import type { Video } from '../domain/records/video.ts'
import { ugcSubType } from '../domain/videos/kind.ts'
import type { Composition, CompositionPage, Framing, Shot } from './composition.ts'
import type { Size } from './framing.ts'
import { backgroundShots, overlayShots } from './slides/background-shots.ts'
import {
  brandOf,
  type ClientPictures,
  pagesOutsideSlides,
  presentationDefaults,
  slidesOf,
} from './slides/slides-from-scenes.ts'

const fps = 30

export interface ComposeInput {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
  bRolls: StoredBRoll[]
  /** Of a presentation, whose slides lie over everything else. */
  presentation?: Presentation
}

export interface Presentation {
  scenes: PresentationScene[]
  pictures: ClientPictures
}

/** Throws a RangeError where there is no sound or no length, and refuses where no picture is there. `size` is that of the aspect ratio, or in its shape. */
export function compose(
  video: Video,
  { presentation, ...timeline }: ComposeInput,
  size: Size = frameSizes[video.brief.aspectRatio],
): Composition {
  const film = composeWithoutSlides(video, timeline, size)
  const composition = presentation ? withSlides(film, video, timeline, presentation) : film
  if (composition.shots.length === 0) {
    throw new Refusal('warning-source-not-ready', 'There is nothing to show: no segment and no scene has a picture.')
  }
  return composition
}

/** The film as it is without slides. */
function composeWithoutSlides(
  video: Video,
  { captions, captionsPages, bRolls }: ComposeInput,
  size: Size,
): Composition {
  const { id, title, durationSeconds, media, brief, config } = video
  if (!durationSeconds || !media.audioKey) throw new RangeError('There is no narration to render.')
  const durationMs = Math.round(durationSeconds * 1000)
  const mood = resolveMusicMood(config.musicMood, video.mood)
  return {
    ...size,
    fps,
    durationMs,
    shots: media.sourceKey ? shotsOverSource(media.sourceKey, bRolls, durationMs) : shotsOf(bRolls, durationMs),
    narrationKey: media.audioKey,
    ...(mood && { music: { mood, seed: id } }),
    pages: brief.showSubtitles ? pagesOf(captions, captionsPages, durationMs) : [],
    theme: { ...editorDefaults, ...config },
    title,
    ...(video.subType === ugcSubType && { isPresented: true }),
  }
}

function withSlides(
  film: Composition,
  { config }: Video,
  { captions, bRolls }: ComposeInput,
  { scenes, pictures }: Presentation,
): Composition {
  const { durationMs, pages, shots } = film
  const theme = { ...editorDefaults, ...presentationDefaults, ...config }
  const shown = { captions, bRolls, pictures, durationMs, captioned: pages.length > 0, hasOther: shots.length > 0 }
  const slides = slidesOf(scenes, shown)
  if (slides.length === 0) return film
  const brand = brandOf(theme, pictures)
  return {
    ...film,
    shots: overlayShots(shots, backgroundShots(slides, film, theme)),
    pages: pagesOutsideSlides(pages, slides),
    ...{ slides, brand, theme },
  }
}

interface ShownSegment extends Omit<StoredBRoll, 'hidden' | 'media'> {
  media: NonNullable<StoredBRoll['media']>
}

/** The segments that show something, in order; without media or hidden ones are passed over. */
const shownOf = (bRolls: StoredBRoll[], durationMs: number): ShownSegment[] =>
  bRolls
    .flatMap(({ media, hidden, ...segment }) =>
      media && !hidden && segment.startMs < durationMs ? [{ ...segment, media }] : [],
    )
    .toSorted((a, b) => a.startMs - b.startMs)

const shownAs = (
  { id, media, animation, transition, scale }: ShownSegment,
  index: number,
): Pick<Shot, 'media' | 'motion' | 'enter'> => ({
  media,
  // A clip moves by itself.
  motion: media.kind === 'clip' ? staticFraming(scale) : (motionFromPrompt(animation) ?? panOrZoomOf(id, index)),
  ...(transition === 'cut' && { enter: 'cut' }),
})

/** Nearer where a segment says so: towards the face, which is above the middle. */
function staticFraming(scale = 1): Shot['motion'] {
  const framing = { scale: Math.max(1, scale), x: 0.5, y: 0.35 }
  return scale > 1 ? { from: framing, to: framing } : staticCamera
}

/** Each segment until the next one begins, so that no gap is left. */
function shotsOf(bRolls: StoredBRoll[], durationMs: number): Shot[] {
  const shown = shownOf(bRolls, durationMs)
  return shown.map((segment, index) => ({
    startMs: index === 0 ? 0 : segment.startMs,
    endMs: shown[index + 1]?.startMs ?? durationMs,
    ...shownAs(segment, index),
  }))
}

/** The source goes on underneath: each segment covers its own time, and where none does the source is seen as it then is. */
function shotsOverSource(sourceKey: string, bRolls: StoredBRoll[], durationMs: number): Shot[] {
  const source = (startMs: number, endMs: number): Shot[] =>
    endMs > startMs
      ? [{ startMs, endMs, media: { kind: 'clip', key: sourceKey }, offsetMs: startMs, motion: staticCamera }]
      : []
  const shots: Shot[] = []
  const shown = shownOf(bRolls, durationMs)
  let covered = 0
  shown.forEach((segment, index) => {
    const { startMs } = segment
    const endMs = Math.min(segment.endMs, shown[index + 1]?.startMs ?? durationMs)
    if (endMs <= startMs) return
    shots.push(...source(covered, startMs), { startMs, endMs, ...shownAs(segment, index) })
    covered = endMs
  })
  return [...shots, ...source(covered, durationMs)]
}

const emojiOf = (decoration: CaptionPage['emoji']): Pick<CompositionPage, 'emoji'> => {
  const emoji = emojiCharacter(decoration)
  return emoji === undefined ? {} : { emoji }
}

function pagesOf(words: CaptionWord[], pages: CaptionPage[], durationMs: number): CompositionPage[] {
  return pages
    .filter(({ hidden, startMs }) => !hidden && startMs < durationMs)
    .map(({ startMs, endMs, emoji }) => ({
      startMs,
      endMs: Math.min(endMs, durationMs),
      ...emojiOf(emoji),
      words: wordsBetween(words, startMs, endMs).map(({ startMs, endMs, punctuated_word }) => ({
        startMs,
        endMs,
        punctuated_word,
      })),
    }))
    .filter((page) => page.words.length > 0)
}

/** Slow and never twice the same: in and out take turns, towards a point that the segment's id picks. */
function panOrZoomOf(id: string, index: number): Shot['motion'] {
  const digest = createHash('sha256').update(id).digest()
  const point: Framing = { ...closeFrame, x: 0.3 + (0.4 * digest[0]!) / 255, y: 0.3 + (0.4 * digest[1]!) / 255 }
  const pan = digest[2]! % 3 === 0
  if (pan) return index % 2 === 0 ? { from: leftFrame, to: rightFrame } : { from: rightFrame, to: leftFrame }
  return index % 2 === 0 ? { from: fullFrame, to: point } : { from: point, to: fullFrame }
}
