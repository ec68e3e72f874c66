/** Sets the narrations of scenes down on one track. */
import { encodeWav, parseWav } from './wav.ts'

export interface TrackSound {
  wav: Uint8Array
  startMs: number
}

/** Of a track on which nothing is spoken. */
const silentSampleRate = 16_000

/** One track of this length. Throws a RangeError where the sounds differ in their sample rate; no two may overlap. */
export function mixNarrationTrack(sounds: readonly TrackSound[], durationMs: number): Uint8Array {
  const parsed = sounds.map(({ wav, startMs }) => ({ ...parseWav(wav), startMs }))
  const sampleRate = parsed[0]?.sampleRate ?? silentSampleRate
  const track = new Int16Array(Math.round((durationMs * sampleRate) / 1000))
  for (const { samples, sampleRate: rate, startMs } of parsed) {
    if (rate !== sampleRate) throw new RangeError(`Sounds of ${sampleRate} and ${rate} Hz cannot share a track`)
    const at = Math.round((startMs * sampleRate) / 1000)
    track.set(samples.subarray(0, track.length - at), at)
  }
  return encodeWav({ sampleRate, samples: track })
}
