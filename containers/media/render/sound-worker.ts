/**
 * A thread that mixes the soundtrack and then exits: normalising a long narration takes seconds, during which the main
 * thread must be able to observe an abort.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import type { Music } from '../../../lib/render/music/bed.ts'
import { mixSoundtrack } from '../../../lib/render/sound/soundtrack.ts'
import { encodeWav } from '../../../lib/render/sound/wav.ts'

export interface SoundInput {
  /** Path of the WAV file to read. */
  narration: string
  /** Path of the WAV file to write. */
  output: string
  music: Music | undefined
  /** Duration of the video. */
  seconds: number
}

// Only loaded, for Node's compile cache (`main.ts`).
if (!workerData) process.exit()
const { narration, output, music, seconds }: SoundInput = workerData
await writeFile(output, encodeWav(mixSoundtrack(await readFile(narration), music, seconds)))
