/** Puts a segment on a clock that starts with it, which is how it is hashed and rendered. */
import { shiftTrack, sliceTrack, type Track } from '../keyframes.ts'
import type { PlannedSprite } from '../sprite.ts'
import type { Layer, Segment } from './render-plan.ts'

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

/** Removes rounding errors: equal durations become equal numbers at any position. */
const roundToMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000

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
