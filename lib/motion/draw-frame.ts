/**
 * Draws single frames of a segment: the picture of its layer, the fade into it and the sprites. Where the pictures come
 * from (files, decoders) is up to the caller.
 */
import { layerFraming } from '../render/framing.ts'
import type { Segment } from '../render/segments/render-plan.ts'
import { placementAt } from '../render/sprite.ts'
import type { LoadedSprite, MotionKernel, PictureBuffer } from './kernel.ts'

/** What the segment shows in the frame: the pictures of its layer and of the layer that fades out, and its sprites. */
export interface FramePictures {
  picture: PictureBuffer
  fading: PictureBuffer | undefined
  /** In the order of the segment's sprites. */
  sprites: readonly LoadedSprite[]
}

/** Whether the previous shot is still visible in a frame of the segment. */
export const isFading = ({ fromFrame, fade }: Segment, frame: number): boolean =>
  fade !== undefined && frame < fromFrame + fade.frames

/** The result is in `kernel.frame`. */
export function drawFrame(
  kernel: MotionKernel,
  segment: Segment,
  frame: number,
  fps: number,
  { picture, fading, sprites }: FramePictures,
): void {
  const { fromFrame, layer, fade } = segment
  const now = { picture, framing: layerFraming(layer, frame) }
  if (fade && fading && isFading(segment, frame)) {
    const before = { picture: fading, framing: layerFraming(fade.from, frame) }
    // Both the first and the last frame of a fade show a mix of the two.
    kernel.drawCrossfade(before, now, (frame - fromFrame + 1) / (fade.frames + 1))
  } else {
    kernel.drawPicture(now.picture, now.framing)
  }
  for (const [index, sprite] of segment.sprites.entries()) {
    const isShown = sprite.fromFrame <= frame && frame < sprite.toFrame
    if (isShown) kernel.drawSprite(sprites[index]!, placementAt(sprite, (frame * 1000) / fps))
  }
}
