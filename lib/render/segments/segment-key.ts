/**
 * Names a segment by everything that its frames depend on, seen from its own beginning: segments with equal keys are equal byte
 * for byte, in whatever film and at whatever place of it. What is kept under a key never has to be rendered again.
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
import type { ThumbnailMoment } from '../thumbnail-frame.ts'
import type { Layer, RenderPlan, Segment } from './render-plan.ts'

/** Counts up whenever the same segment or the same sound comes out otherwise than before. */
export const rendererVersion = 7

/**
 * The segment moved to the beginning of a film: frames count from its first one, and sprites keep that time. It is rendered from
 * exactly this, so that nothing but what the key hashes can show.
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

/** What is seen of a sprite: that it was there before or goes on after, as a logo does all through a film, is nothing to the segment. */
function rebaseSprite({ fromFrame, toFrame }: Segment, sprite: PlannedSprite, fps: number): PlannedSprite {
  const [first, end] = [Math.max(sprite.fromFrame, fromFrame), Math.min(sprite.toFrame, toFrame)]
  const msOf = (frame: number) => (frame * 1000) / fps
  const moved = (track: Track): Track =>
    shiftTrack(sliceTrack(track, msOf(first), msOf(end - 1)), msOf(fromFrame)).map(([ms, value]) => [
      roundToMicroseconds(ms),
      value,
    ])
  return {
    ...sprite,
    fromFrame: first - fromFrame,
    toFrame: end - fromFrame,
    x: moved(sprite.x),
    y: moved(sprite.y),
    scale: moved(sprite.scale),
    opacity: moved(sprite.opacity),
    ...(sprite.reveal && { reveal: { from: moved(sprite.reveal.from), to: moved(sprite.reveal.to) } }),
  }
}

/** Whole microseconds: the same distance is the same number wherever it is measured. */
const roundToMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000

type Film = Pick<RenderPlan, 'width' | 'height' | 'fps'>

const anySize = { width: 1, height: 1 }
const anyPart = { fps: 1, from: 1, to: 2, colours: 'bt709' } as const
/** How pictures and clips are decoded: all of it that is not the segment's to say. */
const decoding = [
  decodeStillArguments([], anySize, ''),
  decodeImageArguments([], anySize),
  decodeClipArguments([], anySize, { ...anyPart, hasConstantFrameRate: true }),
  decodeClipArguments([], anySize, { ...anyPart, hasConstantFrameRate: false }),
]

/** `segment` as `atItsStart` gives it; `tools` names the programs that draw and encode, of which each build makes other bytes. */
export function segmentKey(film: Film, segment: Segment, tools: string): string {
  const settings = { encoding: encodeSegmentArguments(film, ''), decoding }
  return hashOf({ rendererVersion, tools, film, settings, shown: segment })
}

/** The key of a film's sound. */
export function soundKey(
  { narrationKey, music }: Pick<Composition, 'narrationKey' | 'music'>,
  { frames, fps }: Pick<RenderPlan, 'frames' | 'fps'>,
  tools: string,
): string {
  return hashOf({ rendererVersion, tools, settings: encodeSoundArguments([], ''), narrationKey, music, frames, fps })
}

/** The key of a film's thumbnail, which shows nothing but this. */
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

/** The hash of a manifest: equal manifests are equal films. */
export const inputsHash = (composition: Composition): string => hashOf(composition)

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
