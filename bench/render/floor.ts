/** The floor of a render: x264 with the renderer's settings, fed from memory with exactly the frames that the renderer feeds it. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { captionFonts } from '../../containers/render/captions.ts'
import { drawFrames } from '../../containers/render/frames.ts'
import { materialsFor } from '../../containers/render/materials.ts'
import { partsOf } from '../../containers/render/parts.ts'
import { findFfmpeg } from '../../lib/ffmpeg/binary.ts'
import { readFfmpeg } from '../../lib/ffmpeg/run.ts'
import { createMotionKernel } from '../../lib/motion/kernel.ts'
import { encodeSegment } from '../../lib/render/arguments.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { type Size, sourceSize } from '../../lib/render/motion.ts'
import { planRender } from '../../lib/render/plan.ts'

/**
 * Writes the frames of a film, captions included, as raw files: one for each process, about equally long. Answers the shell
 * command that encodes them all at once, one process with one thread each.
 */
export async function floorOf(
  composition: Composition,
  files: Record<string, string>,
  directory: string,
  processes: number,
): Promise<string[]> {
  const place = { directory, timeoutMs: 600_000, signal: new AbortController().signal }
  const plan = planRender(composition)
  const { parts } = await partsOf(plan, composition, place)
  const materialOf = materialsFor(plan, new Map(Object.entries(files)), place)
  const sizes = plan.segments.map(({ layer }) => sourceSize(layer.motion, plan))
  const kernel = await createMotionKernel(plan, largest(sizes))
  const raws = Array.from({ length: processes }, (_, index) => join(directory, `floor-${index}.yuv`))
  for (const raw of raws) rmSync(raw, { force: true })
  for (const [index, { planned, segment, script }] of parts.entries()) {
    const material = await materialOf(planned.layer)
    const fadeMaterial = planned.fade && (await materialOf(planned.fade.from))
    const job = { segment, material, fadeMaterial, spriteMaterials: [], output: '' }
    const encode = encodeSegment(plan, script === undefined ? undefined : { script, fonts: captionFonts }, '')
    const draw = [...encode.slice(0, encode.indexOf('-c:v')), '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1']
    const frames = readFfmpeg({ ...place, arguments: draw, input: drawFrames(job, kernel, plan.fps, place) })
    const raw = raws[Math.floor((index * processes) / parts.length)]!
    for await (const chunk of frames) appendFileSync(raw, chunk)
  }
  const settings = encodeSegment(plan, undefined, '').slice(0, -2)
  const encodes = raws.map((raw) => {
    const words = [findFfmpeg(), '-nostdin', ...settings.map((word) => (word === 'pipe:0' ? raw : word))]
    return `${words.join(' ')} -y ${raw}.mp4 &`
  })
  return ['bash', '-c', `${encodes.join('\n')}\nwait`]
}

const largest = (sizes: readonly Size[]): Size => ({
  width: Math.max(...sizes.map(({ width }) => width)),
  height: Math.max(...sizes.map(({ height }) => height)),
})
