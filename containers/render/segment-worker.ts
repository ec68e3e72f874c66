/** A thread that renders one segment after the other: draws frames and feeds them to an encoder of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { type Captions, encodeSegment } from '../../lib/render/arguments.ts'
import type { Size } from '../../lib/render/motion.ts'
import type { RenderPlan } from '../../lib/render/plan.ts'
import { asRenderFailure, type RenderFailureCode } from './failure.ts'
import { drawFrames, type SegmentJob } from './frames.ts'
import { createMotionKernel } from './motion-kernel.ts'

/** What all segments of a film have in common. */
export interface SegmentWorkerInput {
  film: Pick<RenderPlan, 'width' | 'height' | 'fps'>
  /** Size of the largest picture that will be drawn. */
  sourceMax: Size
  captions: Captions | undefined
  directory: string
  timeoutMs: number
}

export type SegmentWorkerRequest = { job: SegmentJob } | 'cancel'
export type SegmentWorkerReply = { frames: number } | 'done' | { code: RenderFailureCode; message: string }

const { film, sourceMax, captions, directory, timeoutMs }: SegmentWorkerInput = workerData
const cancellation = new AbortController()
const place = { directory, timeoutMs, signal: cancellation.signal }
const kernel = createMotionKernel(film, sourceMax)

parentPort?.on('message', async (request: SegmentWorkerRequest) => {
  if (request === 'cancel') return cancellation.abort()
  reply(await render(request.job))
})

async function render(job: SegmentJob): Promise<SegmentWorkerReply> {
  try {
    await runFfmpeg({
      ...place,
      arguments: encodeSegment(film, job.segment, captions, job.output),
      input: drawFrames(job, await kernel, film.fps, place),
      onProgress: ({ frame }) => reply({ frames: frame }),
    })
    return 'done'
  } catch (failure) {
    const { fromFrame, toFrame } = job.segment
    const { code, message } = asRenderFailure(failure, `Rendering the frames ${fromFrame} to ${toFrame}`)
    return { code, message }
  }
}

function reply(message: SegmentWorkerReply): void {
  parentPort?.postMessage(message)
}
