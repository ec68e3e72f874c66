/** The narration as it goes into the film: level, exactly as long as the pictures, with music under it where some is asked for, AAC. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { encodeSoundArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { identifyFile } from './materials.ts'
import { asRenderFailure, RenderFailure } from './render-failure.ts'
import type { RenderRequest } from './render-request.ts'
import type { SoundInput } from './sound-worker.ts'

/** Puts the sound of a film into the scratch file `file`, which is also its name in the store: what is there is not encoded again. */
export async function prepareSound(
  file: string,
  plan: RenderPlan,
  place: FfmpegContext,
  { composition, files, fetchFiles, store }: Pick<RenderRequest, 'composition' | 'files' | 'fetchFiles' | 'store'>,
): Promise<void> {
  const { narrationKey: key, music } = composition
  const path = join(place.directory, file)
  if (await store?.fetch(file, path, place.signal)) return
  await fetchFiles?.([key], place.signal)
  try {
    const { path: narration } = await identifyFile(key, files)
    const wav = 'narration.wav'
    await makeWav({ narration, music, seconds: plan.frames / plan.fps, output: join(place.directory, wav) }, place)
    await runFfmpeg({ ...place, arguments: encodeSoundArguments(restrictedInput(wav, 'wav'), file) })
  } catch (failure) {
    throw asRenderFailure(failure, `The narration ${key} cannot be used`, 'bad-media')
  }
  await store?.put(file, path, place.signal)
}

/** On a thread of its own, which ends at once where the render is cancelled. */
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
