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
import type { Drawing } from '../sprite.ts'
import type { ThumbnailMoment } from '../thumbnail-moments.ts'
import type { FrameFormat, RenderPlan, Segment } from './render-plan.ts'

/** Increase whenever the output for the same segment or sound changes. */
export const rendererVersion = 10

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
