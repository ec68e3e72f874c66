/** Builds the composition of a render from the timelines of a video. */
import { Refusal } from '../domain/core/refusal.ts'
import { sha256 } from '../domain/core/sha256.ts'
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
import { frameSizes, speaksOwnText } from '../domain/records/brief.ts'
import { editorDefaults } from '../domain/records/theme.ts'
import type { MediaKeys, Video } from '../domain/records/video.ts'
import { ugcSubType } from '../domain/videos/kind.ts'
import type { Composition, CompositionPage, Framing, Shot } from './composition.ts'
import type { Size } from './framing.ts'
import { hookMs } from './hook-title.ts'
import { punchInTimes } from './punch-ins.ts'
import { backgroundShots, overlayShots } from './slides/background-shots.ts'
import {
  brandOf,
  type ClientPictures,
  pagesOutsideSlides,
  presentationDefaults,
  slidesOf,
} from './slides/slides-from-scenes.ts'

const fps = 30

/** What a composition shows of a video record. */
export type ComposedVideo = Pick<
  Video,
  'id' | 'title' | 'subType' | 'mood' | 'durationSeconds' | 'brief' | 'config'
> & { media: Pick<MediaKeys, 'audioKey' | 'sourceKey'> }

export interface ComposeInput {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
  bRolls: StoredBRoll[]
  /** Set for a presentation, whose slides cover everything else. */
  presentation?: Presentation
}

interface Presentation {
  scenes: PresentationScene[]
  pictures: ClientPictures
}

/**
 * Throws a RangeError without a narration or a duration, and a Refusal without any media. `size` must have the brief's
 * aspect ratio.
 */
export function compose(
  video: ComposedVideo,
  { presentation, ...timeline }: ComposeInput,
  size: Size = frameSizes[video.brief.aspectRatio],
): Composition {
  const plain = composeWithoutSlides(video, timeline, size)
  const composition = presentation ? withSlides(plain, video, timeline, presentation) : plain
  if (composition.shots.length === 0) {
    throw new Refusal('warning-source-not-ready', 'There is nothing to show: no segment and no scene has a picture.')
  }
  return composition
}

function composeWithoutSlides(
  video: ComposedVideo,
  { captions, captionsPages, bRolls }: ComposeInput,
  size: Size,
): Composition {
  const { id, title, durationSeconds, media, brief, config } = video
  if (!durationSeconds || !media.audioKey) throw new RangeError('There is no narration to render.')
  const durationMs = Math.round(durationSeconds * 1000)
  const isPresented = video.subType === ugcSubType
  const hook = hookOf(video)
  const mood = resolveMusicMood(config.musicMood, video.mood)
  return {
    ...size,
    fps,
    durationMs,
    shots: media.sourceKey
      ? shotsOverSource(media.sourceKey, bRolls, durationMs)
      : withPunchIns(shotsOf(bRolls, durationMs), { captions, isPresented, fromMs: hook ? hookMs : 0 }),
    narrationKey: media.audioKey,
    ...(mood && { music: { mood, seed: id } }),
    pages: brief.showSubtitles ? pagesOf(captions, captionsPages, durationMs) : [],
    theme: { ...editorDefaults, ...config },
    title,
    ...(hook && { hook }),
    ...(isPresented && { isPresented: true }),
  }
}

function withSlides(
  composition: Composition,
  { config }: ComposedVideo,
  { captions, bRolls }: ComposeInput,
  { scenes, pictures }: Presentation,
): Composition {
  const { durationMs, pages, shots } = composition
  const theme = { ...editorDefaults, ...presentationDefaults, ...config }
  const shown = { captions, bRolls, pictures, durationMs, captioned: pages.length > 0, hasOther: shots.length > 0 }
  const slides = slidesOf(scenes, shown)
  if (slides.length === 0) return composition
  const brand = brandOf(theme, pictures)
  // The first slide shows a title.
  const { hook: _, ...rest } = composition
  return {
    ...rest,
    shots: overlayShots(shots, backgroundShots(slides, composition, theme)),
    pages: pagesOutsideSlides(pages, slides),
    ...{ slides, brand, theme },
  }
}

/** The title of a video from an idea, unless the client wants no words on the video or the title was cut. */
function hookOf({ title, brief, media }: ComposedVideo): string | undefined {
  if (media.sourceKey || !brief.showSubtitles || speaksOwnText(brief)) return undefined
  return /\p{L}/u.test(title) && !title.endsWith('…') ? title : undefined
}

/** What is left of the pan or zoom of a shot with punch-ins: together they show no less of the picture than it would. */
const calmShare = 0.4

/**
 * Pictures and presenters get punch-ins; footage moves by itself, and a camera that was asked to rest does. The end of a
 * hook is a change too: there is none before `fromMs`.
 */
function withPunchIns(
  shots: Shot[],
  { captions, isPresented, fromMs }: { captions: readonly CaptionWord[]; isPresented: boolean; fromMs: number },
): Shot[] {
  const isMoved = ({ media, motion }: Shot) =>
    isPresented ? media.kind === 'clip' : media.kind === 'still' && motion !== staticCamera
  const calm = (framing: Framing) => ({ ...framing, scale: 1 + calmShare * (framing.scale - 1) })
  return shots.map((shot) => {
    const times = isMoved(shot) ? punchInTimes(captions, Math.max(fromMs, shot.startMs), shot.endMs) : []
    if (times.length === 0) return shot
    const motion = isPresented ? shot.motion : { from: calm(shot.motion.from), to: calm(shot.motion.to) }
    return { ...shot, motion, punchInsMs: times }
  })
}

interface VisibleSegment extends Omit<StoredBRoll, 'hidden' | 'media'> {
  media: NonNullable<StoredBRoll['media']>
}

/** The segments that show something, in order; hidden segments and those without media are skipped. */
const visibleSegments = (bRolls: StoredBRoll[], durationMs: number): VisibleSegment[] =>
  bRolls
    .flatMap(({ media, hidden, ...segment }) =>
      media && !hidden && segment.startMs < durationMs ? [{ ...segment, media }] : [],
    )
    .toSorted((a, b) => a.startMs - b.startMs)

const appearanceOf = (
  { id, media, animation, transition, scale }: VisibleSegment,
  index: number,
): Pick<Shot, 'media' | 'motion' | 'enter'> => ({
  media,
  // Clips need no camera motion.
  motion: media.kind === 'clip' ? staticFraming(scale) : (motionFromPrompt(animation) ?? panOrZoomOf(id, index)),
  ...(transition === 'cut' && { enter: 'cut' }),
})

/** A fixed framing. A zoom is centred above the middle, where faces are. */
function staticFraming(scale = 1): Shot['motion'] {
  const framing = { scale: Math.max(1, scale), x: 0.5, y: 0.35 }
  return scale > 1 ? { from: framing, to: framing } : staticCamera
}

/** Each segment lasts until the next one starts, so that there are no gaps. */
function shotsOf(bRolls: StoredBRoll[], durationMs: number): Shot[] {
  const shown = visibleSegments(bRolls, durationMs)
  return shown.map((segment, index) => ({
    startMs: index === 0 ? 0 : segment.startMs,
    endMs: shown[index + 1]?.startMs ?? durationMs,
    ...appearanceOf(segment, index),
  }))
}

/** Segments cover the source for their own time; between them the source continues in sync. */
function shotsOverSource(sourceKey: string, bRolls: StoredBRoll[], durationMs: number): Shot[] {
  const source = (startMs: number, endMs: number): Shot[] =>
    endMs > startMs
      ? [
          {
            startMs,
            endMs,
            media: { kind: 'clip', key: sourceKey },
            offsetMs: startMs,
            fit: 'whole',
            motion: staticCamera,
          },
        ]
      : []
  const shots: Shot[] = []
  const shown = visibleSegments(bRolls, durationMs)
  let covered = 0
  shown.forEach((segment, index) => {
    const { startMs } = segment
    const endMs = Math.min(segment.endMs, shown[index + 1]?.startMs ?? durationMs)
    if (endMs <= startMs) return
    shots.push(...source(covered, startMs), { startMs, endMs, ...appearanceOf(segment, index) })
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

/** A slow pan or zoom, in and out by turns, to a point that is derived from the segment's id. */
function panOrZoomOf(id: string, index: number): Shot['motion'] {
  const digest = sha256(id)
  const point: Framing = { ...closeFrame, x: 0.3 + (0.4 * digest[0]!) / 255, y: 0.3 + (0.4 * digest[1]!) / 255 }
  const pan = digest[2]! % 3 === 0
  if (pan) return index % 2 === 0 ? { from: leftFrame, to: rightFrame } : { from: rightFrame, to: leftFrame }
  return index % 2 === 0 ? { from: fullFrame, to: point } : { from: point, to: fullFrame }
}
