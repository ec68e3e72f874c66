/** Lays music under a voice: quiet while somebody speaks, less so in pauses. */
import { measureLoudness, normaliseLoudness } from '../sound/loudness.ts'
import { resample } from '../sound/resample.ts'
import type { PcmSound } from '../sound/wav.ts'
import { type Music, playBed } from './bed.ts'

/** A bell or a shaker needs more treble than a voice at 16 kHz has. */
const sampleRateMin = 32_000
/** How far the music is under the voice, in LU. */
const duckedLu = 16
const pauseLu = 10
/** Loudness of the levelled voice, in LUFS. */
const voiceLufs = -14

/** How often it is looked whether somebody speaks. */
const hopSeconds = 0.02
/** Of the levelled voice: what is quieter is breath and room. */
const speechRmsMin = 10 ** (-40 / 20)
/** The music is down before a word begins, and stays down in the short pauses between words. */
const beforeSpeech = 0.3
const afterSpeech = 0.7
/** How long it takes to go from one to the other. */
const moveSeconds = 0.5

/** `voice` is level and as long as the film, and so is the result. */
export function mixWithDucking(voice: PcmSound, music: Music): PcmSound {
  const sampleRate = Math.max(voice.sampleRate, sampleRateMin)
  const mixed = resample(asFloats(voice.samples), voice.sampleRate, sampleRate)
  const bed = duckedBed(mixed, sampleRate, music)
  for (let i = 0; i < mixed.length; i++) mixed[i]! += bed[i]!
  return { sampleRate, samples: normaliseLoudness(asPcm(mixed), sampleRate) }
}

/** The music alone, as loud as it may be under this voice at each moment. */
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

/** Whether somebody speaks, hop by hop. */
function speechIn(samples: Float32Array, sampleRate: number): boolean[] {
  const hop = hopSeconds * sampleRate
  return Array.from({ length: Math.ceil(samples.length / hop) }, (_, index) => {
    const [from, to] = [Math.round(index * hop), Math.min(samples.length, Math.round((index + 1) * hop))]
    let sum = 0
    for (let i = from; i < to; i++) sum += samples[i]! ** 2
    return Math.sqrt(sum / (to - from)) > speechRmsMin
  })
}

/** Factors for the bed, hop by hop; `gainDb` would make it as loud as the voice. */
function bedGains(speaks: readonly boolean[], gainDb: number): number[] {
  const hops = (seconds: number) => Math.round(seconds / hopSeconds)
  const isDown = new Uint8Array(speaks.length)
  speaks.forEach((isSpoken, at) => {
    if (isSpoken) isDown.fill(1, Math.max(0, at - hops(beforeSpeech)), at + hops(afterSpeech) + 1)
  })
  // A mean over the time of a move turns each step into a slope, which is over when somebody speaks.
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

/** A voice that is level leaves room for the music: what lies above full scale, its loudest peaks only, is cut. */
function asPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++)
    pcm[i] = Math.max(-32_767, Math.min(32_767, Math.round(samples[i]! * 32_767)))
  return pcm
}
