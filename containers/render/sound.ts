/** The narration as it goes into the film: level, exactly as long as the pictures, AAC. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limitedInput } from '../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { encodeSound } from '../../lib/render/arguments.ts'
import { levelSpeech } from '../../lib/render/loudness.ts'
import type { RenderPlan } from '../../lib/render/plan.ts'
import { encodeWav, parseWav } from '../../lib/render/wav.ts'
import { asRenderFailure } from './failure.ts'
import { findFile } from './materials.ts'
import type { RenderRequest } from './render.ts'
import type { Workplace } from './workplace.ts'

/** Puts the sound of a film into the scratch file `file`, which is also its name in the store: what is there is not encoded again. */
export async function prepareSound(
  file: string,
  plan: RenderPlan,
  place: Workplace,
  { composition, files, fetchFiles, store }: Pick<RenderRequest, 'composition' | 'files' | 'fetchFiles' | 'store'>,
): Promise<void> {
  const key = composition.narrationKey
  const path = join(place.directory, file)
  if (await store?.fetch(file, path)) return
  await fetchFiles?.([key])
  try {
    await encode((await findFile(key, files)).path, plan, file, place)
  } catch (failure) {
    throw asRenderFailure(failure, `The narration ${key} cannot be used`, 'bad-media')
  }
  await store?.keep(file, path)
}

/** A narration longer than the film is cut, a shorter one is followed by silence. */
async function encode(path: string, { frames, fps }: RenderPlan, output: string, place: Workplace): Promise<void> {
  const wav = 'narration.wav'
  const { sampleRate, samples } = parseWav(await readFile(path))
  const film = new Int16Array(Math.round((frames / fps) * sampleRate))
  film.set(levelSpeech(samples, sampleRate).subarray(0, film.length))
  await writeFile(join(place.directory, wav), encodeWav({ sampleRate, samples: film }))
  await runFfmpeg({ ...place, arguments: encodeSound(limitedInput(wav, 'wav'), output) })
}
