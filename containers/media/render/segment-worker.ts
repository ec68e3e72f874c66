/** A thread of `segment-pool.ts` that renders segments one at a time: it draws the frames and pipes them to its encoder. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { createMotionKernel } from '../../../lib/motion/kernel.ts'
import { readKernel } from '../../../lib/motion/kernel-files.ts'
import { encodeSegmentArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { Size } from '../../../lib/render/framing.ts'
import type { FrameFormat } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asRenderFailure, type RenderFailureCode } from '../render-failure.ts'
import { drawFrames, type PreparedSegment } from './frames.ts'

/** What all segments of a render share. */
export interface SegmentWorkerInput {
  format: FrameFormat
  /** Size of the largest picture that is drawn. */
  sourceMax: Size
  context: Omit<FfmpegContext, 'signal'>
}

export type SegmentWorkerRequest = { prepared: PreparedSegment } | 'cancel'
export type SegmentWorkerReply = { frames: number } | 'done' | { code: RenderFailureCode; message: string }

// Only loaded, for Node's compile cache (`main.ts`).
if (!workerData) process.exit()
const { format, sourceMax, context: limits }: SegmentWorkerInput = workerData
const cancellation = new AbortController()
const context = { ...limits, signal: cancellation.signal }
const kernel = createMotionKernel(format, sourceMax, readKernel)

parentPort?.on('message', async (request: SegmentWorkerRequest) => {
  if (request === 'cancel') return cancellation.abort()
  reply(await render(request.prepared))
})

async function render(prepared: PreparedSegment): Promise<SegmentWorkerReply> {
  const unfinished = `unfinished-${prepared.output}`
  try {
    await runFfmpeg({
      ...context,
      arguments: encodeSegmentArguments(format, unfinished),
      input: drawFrames(prepared, await kernel, format.fps, context),
      onProgress: ({ frame }) => reply({ frames: frame }),
    })
    await rename(join(context.directory, unfinished), join(context.directory, prepared.output))
    return 'done'
  } catch (failure) {
    const { code, message } = asRenderFailure(failure, `Rendering ${prepared.output}`)
    return { code, message }
  }
}

function reply(message: SegmentWorkerReply): void {
  parentPort?.postMessage(message)
}
