/** Raw frames as the container draws them between its decoders and its encoder. */
import type { FfmpegContext } from '../../containers/media/ffmpeg-context.ts'
import { drawFrames } from '../../containers/media/render/frames.ts'
import { type LocalFiles, materialsFor } from '../../containers/media/render/materials.ts'
import { planComposition } from '../../containers/media/render/render-composition.ts'
import { spriteMaterialsFor } from '../../containers/media/render/sprites.ts'
import { createMotionKernel } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { layerSourceSize } from '../../lib/render/framing.ts'
import { rebaseSegment } from '../../lib/render/segments/rebase-segment.ts'

/** The frames with these numbers, in their order. */
export async function rendererFrames(
  composition: Composition,
  numbers: readonly number[],
  files: LocalFiles,
  context: FfmpegContext,
): Promise<Uint8Array[]> {
  const plan = await planComposition(composition, context)
  const [materialOf, spriteOf] = [materialsFor(plan, files, context), spriteMaterialsFor(files, context)]
  const sizes = plan.segments.flatMap(({ layer, fade }) =>
    [layer, fade?.from ?? layer].map((l) => layerSourceSize(l, plan)),
  )
  const sourceMax = { width: Math.max(...sizes.map((s) => s.width)), height: Math.max(...sizes.map((s) => s.height)) }
  const kernel = await createMotionKernel(plan, sourceMax, readKernel)
  const frames = new Map<number, Uint8Array>()
  for (const planned of plan.segments) {
    if (!numbers.some((number) => number >= planned.fromFrame && number < planned.toFrame)) continue
    const { layer, fade, sprites } = planned
    const prepared = {
      segment: rebaseSegment(planned, plan.fps),
      material: await materialOf(layer),
      fadeMaterial: fade && (await materialOf(fade.from)),
      spriteMaterials: await Promise.all(sprites.map(spriteOf)),
      output: '',
    }
    let number = planned.fromFrame
    for await (const frame of drawFrames(prepared, kernel, plan.fps, context)) frames.set(number++, frame.slice())
  }
  return numbers.map((number) => frames.get(number)!)
}
