/**
 * A thread that makes the sound of a film, and ends with it: levelling a long narration takes seconds, in which the renderer has to
 * hear when it is cancelled.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import type { Music } from '../../../lib/render/music/bed.ts'
import { mixWithDucking } from '../../../lib/render/music/ducking.ts'
import { normaliseLoudness } from '../../../lib/render/sound/loudness.ts'
import { encodeWav, type PcmSound, parseWav } from '../../../lib/render/sound/wav.ts'

export interface SoundInput {
  /** Paths of WAV files: the one that is read, and the one that is written. */
  narration: string
  output: string
  music: Music | undefined
  /** How long the film is. */
  seconds: number
}

const { narration, output, music, seconds }: SoundInput = workerData
const voice = await readVoice()
await writeFile(output, encodeWav(music ? mixWithDucking(voice, music) : voice))

/** A narration longer than the film is cut, a shorter one is followed by silence. */
async function readVoice(): Promise<PcmSound> {
  const { sampleRate, samples } = parseWav(await readFile(narration))
  const film = new Int16Array(Math.round(seconds * sampleRate))
  film.set(normaliseLoudness(samples, sampleRate).subarray(0, film.length))
  return { sampleRate, samples: film }
}
