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
import { type Files, findFile } from './materials.ts'
import type { Workplace } from './workplace.ts'

/** Where `prepareSound` puts it. */
export const soundFile = 'narration.m4a'

/** A narration longer than the film is cut, a shorter one is followed by silence. */
export async function prepareSound(
  key: string,
  { frames, fps }: RenderPlan,
  files: Files,
  place: Workplace,
): Promise<void> {
  const wav = 'narration.wav'
  try {
    const { path } = await findFile(key, files)
    const { sampleRate, samples } = parseWav(await readFile(path))
    const film = new Int16Array(Math.round((frames / fps) * sampleRate))
    film.set(levelSpeech(samples, sampleRate).subarray(0, film.length))
    await writeFile(join(place.directory, wav), encodeWav({ sampleRate, samples: film }))
    await runFfmpeg({ ...place, arguments: encodeSound(limitedInput(wav, 'wav'), soundFile) })
  } catch (failure) {
    throw asRenderFailure(failure, `The narration ${key} cannot be used`, 'bad-media')
  }
}
