/** Mixes music under a voice with ducking: quieter during speech than in pauses. */
import { measureLoudness, normaliseLoudness } from '../sound/loudness.ts'
import { resample } from '../sound/resample.ts'
import type { PcmSound } from '../sound/wav.ts'
import { type Music, playBed } from './bed.ts'

/** Bells and shakers need more treble than a sample rate of 16 kHz allows. */
const sampleRateMin = 32_000
/** How far the music is below the voice, in LU. */
const duckedLu = 16
const pauseLu = 10
/** Loudness of the normalised voice, in LUFS. */
const voiceLufs = -14

/** Window of the speech detection. */
const hopSeconds = 0.02
/** Threshold for the normalised voice: anything quieter is breath or room noise. */
const speechRmsMin = 10 ** (-40 / 20)
/** Seconds: the music is ducked before a word starts, and stays ducked in short pauses between words. */
const beforeSpeech = 0.3
const afterSpeech = 0.7
/** Duration of the change between the two levels. */
const moveSeconds = 0.5

/** `voice` must be normalised and as long as the video; so is the result. */
export function mixWithDucking(voice: PcmSound, music: Music): PcmSound {
  const sampleRate = Math.max(voice.sampleRate, sampleRateMin)
  const mixed = resample(asFloats(voice.samples), voice.sampleRate, sampleRate)
  const bed = duckedBed(mixed, sampleRate, music)
  for (let i = 0; i < mixed.length; i++) mixed[i]! += bed[i]!
  return { sampleRate, samples: normaliseLoudness(asPcm(mixed), sampleRate) }
}

/** The ducked music alone. */
export function duckedBed(voice: Float32Array, sampleRate: number, music: Music): Float32Array {
  const bed = playBed(music, voice.length / sampleRate, sampleRate)
  const gainDb = voiceLufs - Math.max(measureLoudness(bed, sampleRate), -70)
  const gains = bedGains(speechIn(voice, sampleRate), gainDb)
  const hop = hopSeconds * sampleRate
  for (let i = 0; i < bed.length; i++) {
    const at = Math.min(i / hop, gains.length - 1)
    const before = Math.floor(at)
    const gain = gains[before]!
    bed[i]! *= gain + ((gains[before + 1] ?? gain) - gain) * (at - before)
  }
  return bed
}

/** Whether each hop contains speech. */
function speechIn(samples: Float32Array, sampleRate: number): boolean[] {
  const hop = hopSeconds * sampleRate
  return Array.from({ length: Math.ceil(samples.length / hop) }, (_, index) => {
    const [from, to] = [Math.round(index * hop), Math.min(samples.length, Math.round((index + 1) * hop))]
    let sum = 0
    for (let i = from; i < to; i++) sum += samples[i]! ** 2
    return Math.sqrt(sum / (to - from)) > speechRmsMin
  })
}

/** Gain factors per hop; `gainDb` would make the music as loud as the voice. */
function bedGains(speaks: readonly boolean[], gainDb: number): number[] {
  const hops = (seconds: number) => Math.round(seconds / hopSeconds)
  const isDown = new Uint8Array(speaks.length)
  speaks.forEach((isSpoken, at) => {
    if (isSpoken) isDown.fill(1, Math.max(0, at - hops(beforeSpeech)), at + hops(afterSpeech) + 1)
  })
  // A moving average turns each step into a ramp, which ends before speech starts.
  const half = hops(moveSeconds / 2)
  return Array.from(isDown, (_, at) => {
    const window = isDown.subarray(Math.max(0, at - half), at + half + 1)
    const down = window.reduce((sum, value) => sum + value, 0) / window.length
    return 10 ** ((gainDb - pauseLu - (duckedLu - pauseLu) * down) / 20)
  })
}

function asFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length)
  for (let i = 0; i < samples.length; i++) floats[i] = samples[i]! / 32_768
  return floats
}

/** Clips at full scale. The normalised voice leaves headroom for the music, so only the loudest peaks are cut. */
function asPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++)
    pcm[i] = Math.max(-32_767, Math.min(32_767, Math.round(samples[i]! * 32_767)))
  return pcm
}
