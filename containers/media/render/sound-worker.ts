/**
 * A thread that mixes the soundtrack and then exits: normalising a long narration takes seconds, during which the main
 * thread must be able to observe an abort.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import type { Music } from '../../../lib/render/music/bed.ts'
import { mixWithDucking } from '../../../lib/render/music/ducking.ts'
import { normaliseLoudness } from '../../../lib/render/sound/loudness.ts'
import { encodeWav, type PcmSound, parseWav } from '../../../lib/render/sound/wav.ts'

export interface SoundInput {
  /** Path of the WAV file to read. */
  narration: string
  /** Path of the WAV file to write. */
  output: string
  music: Music | undefined
  /** Duration of the video. */
  seconds: number
}

const { narration, output, music, seconds }: SoundInput = workerData
const voice = await readVoice()
await writeFile(output, encodeWav(music ? mixWithDucking(voice, music) : voice))

/** A narration longer than the video is cut, a shorter one is followed by silence. */
async function readVoice(): Promise<PcmSound> {
  const { sampleRate, samples } = parseWav(await readFile(narration))
  const padded = new Int16Array(Math.round(seconds * sampleRate))
  padded.set(normaliseLoudness(samples, sampleRate).subarray(0, padded.length))
  return { sampleRate, samples: padded }
}
