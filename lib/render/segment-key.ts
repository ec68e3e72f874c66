/**
 * Names a segment by everything that its frames depend on, seen from its own beginning: segments with equal keys are equal byte
 * for byte, in whatever film and at whatever place of it. What is kept under a key never has to be rendered again.
 */
import { createHash } from 'node:crypto'
import { captionsClockMs, encodeSegment, encodeSound } from './arguments.ts'
import type { Composition } from './composition.ts'
import type { Track } from './keyframes.ts'
import { startingAt } from './keyframes.ts'
import type { Layer, RenderPlan, Segment } from './plan.ts'
import type { Sprite } from './sprite.ts'

/** Counts up whenever the same segment or the same sound comes out otherwise than before. */
export const rendererVersion = 2

/** What the captions of a segment are drawn from: the script, and the hashes of the font files that it names. */
export interface CaptionInputs {
  script: string
  fonts: readonly string[]
}

/**
 * The segment moved to the beginning of a film: frames count from its first one, sprites keep that time, and captions have their
 * own clock (see `captionsClockMs`). It is rendered from exactly this, so that nothing but what the key hashes can show.
 */
export function atItsStart(segment: Segment, fps: number): Segment {
  const { fromFrame, toFrame, fade } = segment
  const beganMs = (fromFrame * 1000) / fps
  const layerFrom = (layer: Layer): Layer => ({ ...layer, fromFrame: layer.fromFrame - fromFrame })
  return {
    ...segment,
    fromFrame: 0,
    toFrame: toFrame - fromFrame,
    layer: layerFrom(segment.layer),
    ...(fade && { fade: { ...fade, from: layerFrom(fade.from) } }),
    sprites: segment.sprites.map((sprite) => spriteFrom(sprite, beganMs)),
    pages: segment.pages.map((page) => ({
      ...spanFrom(page, beganMs - captionsClockMs),
      words: page.words.map((word) => ({ ...word, ...spanFrom(word, beganMs - captionsClockMs) })),
    })),
  }
}

function spriteFrom(sprite: Sprite, ms: number): Sprite {
  const moved = (track: Track): Track => startingAt(track, ms).map(([time, value]) => [exactly(time), value])
  return {
    ...sprite,
    fromMs: exactly(sprite.fromMs - ms),
    toMs: exactly(sprite.toMs - ms),
    x: moved(sprite.x),
    y: moved(sprite.y),
    scale: moved(sprite.scale),
    opacity: moved(sprite.opacity),
  }
}

const spanFrom = <Span extends { startMs: number; endMs: number }>(span: Span, ms: number): Span => ({
  ...span,
  startMs: exactly(span.startMs - ms),
  endMs: exactly(span.endMs - ms),
})

/** Whole microseconds: the same distance is the same number wherever it is measured. */
const exactly = (ms: number) => Math.round(ms * 1000) / 1000

type Film = Pick<RenderPlan, 'width' | 'height' | 'fps'>

/** `segment` as `atItsStart` gives it; `encoder` names the build of ffmpeg, of which each writes other bytes. */
export function segmentKey(film: Film, segment: Segment, captions: CaptionInputs | undefined, encoder: string): string {
  const { pages: _drawnByTheScript, ...shown } = segment
  const drawing = captions && { script: '', fonts: '' }
  return hashOf({ rendererVersion, encoder, film, settings: encodeSegment(film, drawing, ''), shown, captions })
}

/** The key of a film's sound. */
export function soundKey(
  { narrationKey }: Pick<Composition, 'narrationKey'>,
  { frames, fps }: Pick<RenderPlan, 'frames' | 'fps'>,
  encoder: string,
): string {
  return hashOf({ rendererVersion, encoder, settings: encodeSound([], ''), narrationKey, frames, fps })
}

/** The hash of a manifest: equal manifests are equal films. */
export const inputsHash = (composition: Composition): string => hashOf(composition)

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
