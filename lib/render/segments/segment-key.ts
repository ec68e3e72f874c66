/**
 * Cache keys of rendered segments: a hash of everything that the frames depend on, on a clock that starts with the
 * segment. Segments with equal keys are byte for byte equal, in any video and at any position. The property names of
 * the hashed objects are part of the keys.
 */
import { createHash } from 'node:crypto'
import type { Composition } from '../composition.ts'
import {
  decodeClipArguments,
  decodeFrameArguments,
  decodeImageArguments,
  decodeStillArguments,
  encodeJpegArguments,
  encodeSegmentArguments,
  encodeSoundArguments,
} from '../ffmpeg-arguments.ts'
import type { Size } from '../framing.ts'
import type { Track } from '../keyframes.ts'
import { shiftTrack, sliceTrack } from '../keyframes.ts'
import type { Drawing, PlannedSprite } from '../sprite.ts'
import type { ThumbnailMoment } from '../thumbnail-moments.ts'
import type { FrameFormat, Layer, RenderPlan, Segment } from './render-plan.ts'

/** Increase whenever the output for the same segment or sound changes. */
export const rendererVersion = 9

/**
 * The segment shifted to frame 0, with its sprites on the same clock. It is rendered from exactly this value, so
 * nothing outside the key can influence its frames.
 */
export function rebaseSegment(segment: Segment, fps: number): Segment {
  const { fromFrame, toFrame, fade } = segment
  const layerFrom = (layer: Layer): Layer => ({ ...layer, fromFrame: layer.fromFrame - fromFrame })
  return {
    ...segment,
    fromFrame: 0,
    toFrame: toFrame - fromFrame,
    layer: layerFrom(segment.layer),
    ...(fade && { fade: { ...fade, from: layerFrom(fade.from) } }),
    sprites: segment.sprites.map((sprite) => rebaseSprite(segment, sprite, fps)),
  }
}

/**
 * Cuts a sprite to the segment: frames of it before or after, such as a logo that is shown throughout, must not change
 * the key.
 */
function rebaseSprite({ fromFrame, toFrame }: Segment, sprite: PlannedSprite, fps: number): PlannedSprite {
  const [first, end] = [Math.max(sprite.fromFrame, fromFrame), Math.min(sprite.toFrame, toFrame)]
  const msOf = (frame: number) => (frame * 1000) / fps
  const rebase = (track: Track): Track =>
    shiftTrack(sliceTrack(track, msOf(first), msOf(end - 1)), msOf(fromFrame)).map(([ms, value]) => [
      roundToMicroseconds(ms),
      value,
    ])
  return {
    ...sprite,
    fromFrame: first - fromFrame,
    toFrame: end - fromFrame,
    x: rebase(sprite.x),
    y: rebase(sprite.y),
    scale: rebase(sprite.scale),
    opacity: rebase(sprite.opacity),
    ...(sprite.reveal && { reveal: { from: rebase(sprite.reveal.from), to: rebase(sprite.reveal.to) } }),
  }
}

/** Removes rounding errors: equal durations become equal numbers at any position. */
const roundToMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000

const anySize = { width: 1, height: 1 }
const anyRange = { fps: 1, from: 1, to: 2, colours: 'bt709' } as const
/** How stills and clips are decoded, apart from what the segment determines. */
const decoding = [
  decodeStillArguments([], anySize, ''),
  decodeImageArguments([], anySize),
  decodeClipArguments([], anySize, { ...anyRange, hasConstantFrameRate: true }),
  decodeClipArguments([], anySize, { ...anyRange, hasConstantFrameRate: false }),
  decodeClipArguments([], anySize, { ...anyRange, hasConstantFrameRate: false, isWhole: true }),
]

/** `segment` is the result of `rebaseSegment`; `tools` is the fingerprint of the toolchain. */
export function segmentKey(format: FrameFormat, segment: Segment, tools: string): string {
  const settings = { encoding: encodeSegmentArguments(format, ''), decoding }
  return hashOf({ rendererVersion, tools, film: format, settings, shown: segment })
}

/** The key of a soundtrack. */
export function soundKey(
  { narrationKey, music }: Pick<Composition, 'narrationKey' | 'music'>,
  { frames, fps }: Pick<RenderPlan, 'frames' | 'fps'>,
  tools: string,
): string {
  return hashOf({ rendererVersion, tools, settings: encodeSoundArguments([], ''), narrationKey, music, frames, fps })
}

/** The key of a thumbnail; `shown` determines its pixels. */
export const thumbnailKey = (
  shown: { moments: ThumbnailMoment[]; size: Size; title: Drawing },
  tools: string,
): string =>
  hashOf({
    rendererVersion,
    tools,
    settings: [decodeFrameArguments([], shown.size, 1), encodeJpegArguments(shown.size)],
    shown,
  })

/** The hash of a manifest: equal manifests give equal renders. */
export const inputsHash = (composition: Composition): string => hashOf(composition)

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
