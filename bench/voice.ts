/**
 * Measures the sound of a built-in voice: variation of pitch, rests at each mark, energy of the high frequencies.
 * Usage: `node bench/voice.ts [voiceId]`.
 */
import { builtInVoices, findVoice } from '../lib/domain/videos/voices.ts'
import { builtInNarrator } from '../lib/providers/narrator/built-in.ts'
import { type PcmSound, parseWav } from '../lib/render/sound/wav.ts'

const sentences = [
  'Most people think success comes from one big breakthrough. It is built out of small habits.',
  'Why is the sea salty? Rivers carry salt from the rocks, and the sun takes only the water.',
  'Three things help: sleep, sunlight – and a walk after lunch.',
  'Stop! Read this twice. The first coffee of the day can wait; your body wakes up without it.',
  'The tower is 330 meters tall.\n\nIn summer it grows, because iron expands in the heat…',
]

/** Frames of 40 ms every 10 ms; pitches of speech lie between 60 and 350 Hz. */
const [frameMs, hopMs, pitchMin, pitchMax] = [40, 10, 60, 350]
/** A frame is voiced from this normalised autocorrelation on. */
const voicedMin = 0.6
/** A shorter gap between two words is a stop consonant. */
const restMsMin = 90

/** The fundamental frequency of each voiced frame, in Hz, without jumps of an octave. */
function pitches({ samples, sampleRate }: PcmSound): number[] {
  const size = Math.round((frameMs * sampleRate) / 1000)
  const [lagMin, lagMax] = [Math.floor(sampleRate / pitchMax), Math.ceil(sampleRate / pitchMin)]
  const found: number[] = []
  for (let from = 0; from + size + lagMax < samples.length; from += Math.round((hopMs * sampleRate) / 1000)) {
    const product = (lag: number, at = from) => {
      let sum = 0
      for (let i = 0; i < size; i++) sum += samples[at + i]! * samples[from + lag + i]!
      return sum
    }
    const energy = product(0)
    if (energy / size < 300 ** 2) continue
    const correlations = Array.from({ length: lagMax - lagMin + 1 }, (_, index) => {
      const lag = lagMin + index
      return product(lag) / Math.sqrt(energy * product(lag, from + lag))
    })
    const best = Math.max(...correlations)
    if (best < voicedMin) continue
    // The first peak near the best one: later peaks are multiples of the period.
    const first = correlations.findIndex(
      (value, index) => value > 0.92 * best && value >= (correlations[index + 1] ?? 0),
    )
    found.push(sampleRate / (lagMin + first))
  }
  const median = found.toSorted((one, other) => one - other)[found.length >> 1] ?? 0
  return found.filter((pitch) => pitch > median / 1.7 && pitch < median * 1.7)
}

/** Standard deviation of pitches in semitones. */
function deviation(hertz: readonly number[]): number {
  const semitones = hertz.map((pitch) => 12 * Math.log2(pitch))
  const mean = semitones.reduce((sum, value) => sum + value, 0) / semitones.length
  return Math.sqrt(semitones.reduce((sum, value) => sum + (value - mean) ** 2, 0) / semitones.length)
}

/** The energy above a frequency in dB, relative to all energy: discrete Fourier sums of Hann windows. */
function energyAbove({ samples, sampleRate }: PcmSound, hertz: number): number {
  const size = Math.round(sampleRate / 25)
  const cosines = Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sines = Array.from({ length: size }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  let [high, all] = [0, 0]
  for (let from = 0; from + size <= samples.length; from += size) {
    const frame = cosines.map((cosine, i) => samples[from + i]! * (0.5 - 0.5 * cosine))
    for (let bin = 1; bin < size / 2; bin++) {
      let [re, im] = [0, 0]
      for (let i = 0; i < size; i++) {
        re += frame[i]! * cosines[(bin * i) % size]!
        im += frame[i]! * sines[(bin * i) % size]!
      }
      const energy = re * re + im * im
      all += energy
      if ((bin * sampleRate) / size >= hertz) high += energy
    }
  }
  return 10 * Math.log10(high / all)
}

const voice = findVoice(builtInVoices, process.argv[2] ?? 'en-clara')
if (!voice) throw new RangeError(`No built-in voice is named ${process.argv[2]}.`)
for (const text of sentences) {
  const { wav, durationMs, words } = await builtInNarrator.narrate(text, voice)
  const sound = parseWav(wav)
  const hertz = pitches(sound)
  const rests = words.flatMap((word, index) => {
    const isSpoken = ({ text }: { text: string }) => /[\p{L}\p{N}]/u.test(text)
    const next = words.findIndex((other, at) => at > index && isSpoken(other))
    const ms = (words[next]?.startMs ?? 0) - word.endMs
    return isSpoken(word) && ms >= restMsMin ? [`${words[next - 1]?.text.at(-1)} ${ms}`] : []
  })
  const [above4, above8] = [4000, 8000].map((limit) => energyAbove(sound, limit).toFixed(1))
  console.log(
    `${(durationMs / 1000).toFixed(2)} s  pitch ${deviation(hertz).toFixed(2)} semitones  ` +
      `above 4 kHz ${above4} dB, above 8 kHz ${above8} dB  rests ${rests.join(' | ')}`,
  )
}
