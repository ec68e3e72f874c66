/** Places the narrations of scenes on one track. */
import { encodeWav, parseWav } from './wav.ts'

interface TrackSound {
  wav: Uint8Array
  startMs: number
}

/** Sample rate of a track without sounds. */
const silentSampleRate = 16_000

/** A WAV of this length. Throws a RangeError when sample rates differ. The sounds must not overlap. */
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
