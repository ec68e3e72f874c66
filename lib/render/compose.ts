/** Puts a video's timelines together into the composition that a renderer shows. */
import { createHash } from 'node:crypto'
import { frameSizes } from '../domain/brief.ts'
import { editorDefaults } from '../domain/theme.ts'
import type { StoredBRoll } from '../domain/timelines/brolls.ts'
import type { CaptionPage, CaptionWord } from '../domain/timelines/captions.ts'
import { wordsBetween } from '../domain/timelines/captions.ts'
import type { Video } from '../domain/video.ts'
import type { Composition, CompositionPage, Framing, Shot } from './composition.ts'

const fps = 30

export interface Timeline {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
  bRolls: StoredBRoll[]
}

/** Throws a RangeError where there is no sound, no length or no picture to show. */
export function compose(video: Video, { captions, captionsPages, bRolls }: Timeline): Composition {
  const { durationSeconds, media, brief, config } = video
  if (!durationSeconds || !media.audioKey) throw new RangeError('There is no narration to render.')
  const durationMs = Math.round(durationSeconds * 1000)
  return {
    ...frameSizes[brief.aspectRatio],
    fps,
    durationMs,
    shots: shotsOf(bRolls, durationMs),
    narrationKey: media.audioKey,
    pages: brief.showSubtitles ? pagesOf(captions, captionsPages, durationMs) : [],
    theme: { ...editorDefaults, ...config },
  }
}

/** Segments in order, each until the next one begins, so that no gap is left; without media or hidden ones are passed over. */
function shotsOf(bRolls: StoredBRoll[], durationMs: number): Shot[] {
  const shown = bRolls
    .flatMap(({ media, hidden, ...segment }) =>
      media && !hidden && segment.startMs < durationMs ? [{ ...segment, media }] : [],
    )
    .toSorted((a, b) => a.startMs - b.startMs)
  if (shown.length === 0) throw new RangeError('There is nothing to show: no b-roll segment has media.')
  return shown.map(({ id, media, startMs }, index) => ({
    startMs: index === 0 ? 0 : startMs,
    endMs: shown[index + 1]?.startMs ?? durationMs,
    media,
    motion: media.kind === 'clip' ? still : motionOf(id, index),
  }))
}

function pagesOf(words: CaptionWord[], pages: CaptionPage[], durationMs: number): CompositionPage[] {
  return pages
    .filter(({ hidden, startMs }) => !hidden && startMs < durationMs)
    .map(({ startMs, endMs }) => ({
      startMs,
      endMs: Math.min(endMs, durationMs),
      words: wordsBetween(words, startMs, endMs).map(({ startMs, endMs, punctuated_word }) => ({
        startMs,
        endMs,
        punctuated_word,
      })),
    }))
    .filter((page) => page.words.length > 0)
}

const whole: Framing = { scale: 1, x: 0.5, y: 0.5 }
/** A clip moves by itself. */
const still = { from: whole, to: whole }

/** Slow and never twice the same: in and out take turns, towards a point that the segment's id picks. */
function motionOf(id: string, index: number): Shot['motion'] {
  const digest = createHash('sha256').update(id).digest()
  const near: Framing = { scale: 1.14, x: 0.3 + (0.4 * digest[0]!) / 255, y: 0.3 + (0.4 * digest[1]!) / 255 }
  const pan = digest[2]! % 3 === 0
  if (pan) {
    const [left, right] = [
      { scale: 1.12, x: 0, y: 0.5 },
      { scale: 1.12, x: 1, y: 0.5 },
    ]
    return index % 2 === 0 ? { from: left, to: right } : { from: right, to: left }
  }
  return index % 2 === 0 ? { from: whole, to: near } : { from: near, to: whole }
}
