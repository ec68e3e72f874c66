/**
 * Produces the soundtrack of a render as AAC: the narration at normalised loudness, exactly as long as the video, with
 * optional music.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { encodeSoundArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asRenderFailure, RenderFailure } from '../render-failure.ts'
import { identifyFile } from './materials.ts'
import type { RenderRequest } from './render-request.ts'
import type { SoundInput } from './sound-worker.ts'

/**
 * Writes the soundtrack to the scratch file `file`, which is also its name in the segment store. A stored soundtrack is
 * reused.
 */
export async function prepareSound(
  file: string,
  plan: RenderPlan,
  context: FfmpegContext,
  { composition, files, fetchFiles, store }: Pick<RenderRequest, 'composition' | 'files' | 'fetchFiles' | 'store'>,
): Promise<void> {
  const { narrationKey: key, music } = composition
  const path = join(context.directory, file)
  if (await store?.fetch(file, path, context.signal)) return
  await fetchFiles?.([key], context.signal)
  try {
    const { path: narration } = await identifyFile(key, files)
    const wav = 'narration.wav'
    await makeWav({ narration, music, seconds: plan.frames / plan.fps, output: join(context.directory, wav) }, context)
    await runFfmpeg({ ...context, arguments: encodeSoundArguments(restrictedInput(wav, 'wav'), file) })
  } catch (failure) {
    throw asRenderFailure(failure, `The narration ${key} cannot be used`, 'bad-media')
  }
  await store?.put(file, path, context.signal)
}

/** Runs on a separate thread, which is terminated when the render is cancelled. */
async function makeWav(input: SoundInput, { signal }: FfmpegContext): Promise<void> {
  const worker = new Worker(new URL('sound-worker.ts', import.meta.url), { workerData: input })
  const stop = () => worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) await stop()
    // An error of the thread rejects here.
    else await once(worker, 'exit')
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (signal.aborted) throw new RenderFailure('cancelled', 'The render was cancelled')
}
