/** The floor of a render: x264 with the renderer's settings and frames, read from memory. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrames } from '../../containers/media/render/frames.ts'
import { materialsFor } from '../../containers/media/render/materials.ts'
import { planComposition } from '../../containers/media/render/render-composition.ts'
import { segmentFilesOf } from '../../containers/media/render/segment-files.ts'
import { spriteMaterialsFor } from '../../containers/media/render/sprites.ts'
import { toolchainFingerprint } from '../../containers/media/render/toolchain-fingerprint.ts'
import { findFfmpeg } from '../../lib/ffmpeg/binary.ts'
import { createMotionKernel } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { encodeSegmentArguments } from '../../lib/render/ffmpeg-arguments.ts'
import { layerSourceSize, type Size } from '../../lib/render/framing.ts'

/**
 * Writes the frames of a video, captions included, as raw files of about equal length, one per process. Returns the
 * shell command that encodes them in parallel, each with the threads of a segment.
 */
export async function floorCommand(
  composition: Composition,
  files: Record<string, string>,
  directory: string,
  processes: number,
): Promise<string[]> {
  const context = { directory, timeoutMs: 600_000, signal: new AbortController().signal }
  const plan = await planComposition(composition, context)
  const segmentFiles = await segmentFilesOf(plan, await toolchainFingerprint(context), context)
  const materialOf = materialsFor(plan, new Map(Object.entries(files)), context)
  const spriteOf = spriteMaterialsFor(new Map(Object.entries(files)), context)
  const sizes = plan.segments.map(({ layer }) => layerSourceSize(layer, plan))
  const kernel = await createMotionKernel(plan, largest(sizes), readKernel)
  const rawFiles = Array.from({ length: processes }, (_, index) => join(directory, `floor-${index}.yuv`))
  for (const raw of rawFiles) rmSync(raw, { force: true })
  for (const [index, { planned, segment }] of segmentFiles.entries()) {
    const material = await materialOf(planned.layer)
    const fadeMaterial = planned.fade && (await materialOf(planned.fade.from))
    const spriteMaterials = await Promise.all(planned.sprites.map(spriteOf))
    const job = { segment, material, fadeMaterial, spriteMaterials, output: '' }
    const raw = rawFiles[Math.floor((index * processes) / segmentFiles.length)]!
    for await (const frame of drawFrames(job, kernel, plan.fps, context)) appendFileSync(raw, frame)
  }
  const settings = encodeSegmentArguments(plan, '').slice(0, -2)
  const encodes = rawFiles.map((raw) => {
    const words = [findFfmpeg(), '-nostdin', ...settings.map((word) => (word === 'pipe:0' ? raw : word))]
    return `${words.join(' ')} -y ${raw}.mp4 &`
  })
  return ['bash', '-c', `${encodes.join('\n')}\nwait`]
}

const largest = (sizes: readonly Size[]): Size => ({
  width: Math.max(...sizes.map(({ width }) => width)),
  height: Math.max(...sizes.map(({ height }) => height)),
})
