/** Synthesised instruments: each computes the samples of one note, -1 to 1. */

import { seededRandom } from '../seeded-random.ts'
import type { Drum, PitchedInstrument } from './moods.ts'

interface NoteInput {
  hertz: number
  heldSeconds: number
  sampleRate: number
}

type Instrument = (note: NoteInput) => Float32Array

const tau = 2 * Math.PI

/** The samples of a note; `pitch` is a MIDI number. */
export function synthesiseNote(
  instrument: PitchedInstrument | Drum,
  { pitch, heldSeconds, sampleRate }: { pitch: number; heldSeconds: number; sampleRate: number },
): Float32Array {
  return instruments[instrument]({ hertz: 440 * 2 ** ((pitch - 69) / 12), heldSeconds, sampleRate })
}

/** Samples a function of time. */
function sample(seconds: number, sampleRate: number, at: (time: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  for (let i = 0; i < samples.length; i++) samples[i] = at(i / sampleRate)
  return samples
}

/** Attack, sustain and release with smooth ramps, which avoid clicks. */
function envelope({ heldSeconds }: NoteInput, attack: number, release: number): (time: number) => number {
  return (time) => {
    const rise = time < attack ? Math.sin(((time / attack) * Math.PI) / 2) ** 2 : 1
    const left = heldSeconds + release - time
    const fall = left < release ? Math.sin((Math.max(0, left / release) * Math.PI) / 2) ** 2 : 1
    return rise * fall
  }
}

/** Higher partials would sound harsh; also below half of every sample rate in use. */
const partialHertzMax = 7_000
const tableSize = 2_048

/** One period of a wave whose partials decrease with their number to the power of `slope`. */
function wavetable(hertz: number, partialsMax: number, slope: number): Float32Array {
  const partials = Math.max(1, Math.min(partialsMax, Math.floor(partialHertzMax / hertz)))
  const wave = new Float32Array(tableSize + 1)
  for (let k = 1; k <= partials; k++) {
    for (let i = 0; i <= tableSize; i++) wave[i]! += Math.sin((tau * k * i) / tableSize) / k ** slope
  }
  return wave
}

/** Several slightly detuned voices of one note, for a wide sound. */
function ensemble(
  note: NoteInput,
  wave: Float32Array,
  cents: readonly number[],
  shape: (time: number) => number,
  tail: number,
) {
  const samples = new Float32Array(Math.round((note.heldSeconds + tail) * note.sampleRate))
  cents.forEach((cent, player) => {
    const step = (note.hertz * 2 ** (cent / 1200) * tableSize) / note.sampleRate
    let phase = ((player * 0.37) % 1) * tableSize
    for (let i = 0; i < samples.length; i++) {
      const whole = phase | 0
      samples[i]! += wave[whole]! + (wave[whole + 1]! - wave[whole]!) * (phase - whole)
      phase += step
      if (phase >= tableSize) phase -= tableSize
    }
  })
  for (let i = 0; i < samples.length; i++) samples[i]! *= shape(i / note.sampleRate) / (1.6 * cents.length)
  return samples
}

const pad: Instrument = (note) =>
  ensemble(note, wavetable(note.hertz, 8, 1.9), [-6, 0, 5], envelope(note, 0.55, 1.1), 1.1)

const strings: Instrument = (note) =>
  ensemble(note, wavetable(note.hertz, 14, 1.25), [-8, -3, 4, 9], envelope(note, 0.28, 0.6), 0.6)

/** Frequency modulation (Chowning 1973), as for electric pianos: bright at the attack, mellow afterwards. */
const keys: Instrument = (note) => {
  const shape = envelope(note, 0.004, 0.25)
  const { hertz } = note
  return sample(note.heldSeconds + 0.25, note.sampleRate, (time) => {
    const body = Math.sin(tau * hertz * time + 1.1 * Math.exp(-3.5 * time) * Math.sin(tau * hertz * time))
    const tine = hertz * 7 < partialHertzMax ? 0.1 * Math.exp(-16 * time) * Math.sin(tau * 7 * hertz * time) : 0
    return 0.8 * shape(time) * Math.exp(-1.5 * time) * (body + tine)
  })
}

/** Karplus-Strong string synthesis: noise in a delay line of one period, low-pass filtered on each pass. */
const pluck: Instrument = (note) => {
  const { hertz, heldSeconds, sampleRate } = note
  const seconds = Math.min(2.2, heldSeconds + 0.35)
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  const period = sampleRate / hertz - 0.5
  const length = Math.floor(period)
  // An all-pass filter adds the fractional part of the delay, which tunes the string.
  const fraction = (1 - (period - length)) / (1 + (period - length))
  const string = new Float32Array(length)
  const random = seededRandom('pluck')
  let before = 0
  for (let i = 0; i < length; i++) {
    before = 0.65 * before + 0.35 * (2 * random() - 1)
    string[i] = before
  }
  const loss = 0.5 ** (1 / (0.28 * hertz))
  const shape = envelope({ ...note, heldSeconds: seconds - 0.3 }, 0.002, 0.3)
  let [last, passed, passedBefore] = [0, 0, 0]
  for (let i = 0, at = 0; i < samples.length; i++, at = at + 1 === length ? 0 : at + 1) {
    const now = string[at]!
    const smooth = loss * 0.5 * (now + last)
    last = now
    passed = fraction * (smooth - passed) + passedBefore
    passedBefore = smooth
    string[at] = passed
    samples[i] = 2.2 * now * shape(i / sampleRate)
  }
  return samples
}

type Partial = readonly [ratio: number, level: number, decay: number]

/** Bars and bells: a few partials with separate decays. */
const bars =
  (seconds: number, partials: readonly Partial[]): Instrument =>
  (note) => {
    const shape = envelope({ ...note, heldSeconds: seconds - 0.1 }, 0.002, 0.1)
    const heard = partials.filter(([ratio]) => ratio * note.hertz < partialHertzMax)
    return sample(seconds, note.sampleRate, (time) => {
      let sum = 0
      for (const [ratio, level, decay] of heard)
        sum += level * Math.exp(-decay * time) * Math.sin(tau * ratio * note.hertz * time)
      return shape(time) * sum
    })
  }

/** A marimba bar is tuned so that its second mode is two octaves above the first. */
const marimba = bars(0.9, [
  [1, 0.75, 6],
  [4, 0.2, 16],
  [9.2, 0.06, 40],
])

const bell = bars(2.6, [
  [1, 0.6, 1.7],
  [2, 0.2, 2.6],
  [3, 0.08, 4],
  [4.2, 0.07, 7],
])

const bass: Instrument = (note) => {
  const shape = envelope(note, 0.014, 0.12)
  return sample(note.heldSeconds + 0.12, note.sampleRate, (time) => {
    const angle = tau * note.hertz * time
    const tone = Math.sin(angle) + 0.34 * Math.sin(2 * angle) + 0.12 * Math.sin(3 * angle)
    return 0.7 * shape(time) * (0.55 + 0.45 * Math.exp(-3 * time)) * tone
  })
}

/** A drum head: its pitch falls from `fromHertz` to `toHertz`. */
function membrane(seconds: number, sampleRate: number, [fromHertz, toHertz]: readonly [number, number], decay: number) {
  let phase = 0
  return sample(seconds, sampleRate, (time) => {
    phase += (toHertz + (fromHertz - toHertz) * Math.exp(-34 * time)) / sampleRate
    return Math.sin(tau * phase) * Math.exp(-decay * time) * Math.min(1, (seconds - time) * 20)
  })
}

const kick: Instrument = ({ sampleRate }) => membrane(0.4, sampleRate, [130, 47], 9)

const timpani: Instrument = ({ hertz, sampleRate }) => {
  const roll = noise('timpani', 1.6, sampleRate, { lowest: 60, highest: 500 }, (time) => 0.5 * Math.exp(-24 * time))
  return membrane(1.6, sampleRate, [1.12 * hertz, hertz], 2.4).map((sample, i) => sample + roll[i]!)
}

/** Band-passed noise (one pole each) with an amplitude envelope. */
function noise(
  seed: string,
  seconds: number,
  sampleRate: number,
  { lowest, highest }: { lowest: number; highest: number },
  shape: (time: number) => number,
): Float32Array {
  const random = seededRandom(seed)
  const follow = (hertz: number) => 1 - Math.exp((-tau * hertz) / sampleRate)
  const [fast, slow] = [follow(highest), follow(lowest)]
  let [low, under] = [0, 0]
  return sample(seconds, sampleRate, (time) => {
    low += fast * (2 * random() - 1 - low)
    under += slow * (low - under)
    return (low - under) * shape(time) * Math.min(1, (seconds - time) * 100)
  })
}

/** Three short bursts, like several hands. */
const clap: Instrument = ({ sampleRate }) =>
  noise('clap', 0.3, sampleRate, { lowest: 700, highest: 3_500 }, (time) =>
    [0, 0.011, 0.024].reduce(
      (sum, from) => sum + (time >= from ? 2 * Math.exp(-(time - from) * (from ? 28 : 90)) : 0),
      0,
    ),
  )

const snap: Instrument = ({ sampleRate }) => {
  const hiss = noise('snap', 0.16, sampleRate, { lowest: 1_400, highest: 5_000 }, (time) => 3 * Math.exp(-42 * time))
  return hiss.map(
    (sample, i) => sample + 0.35 * Math.sin((tau * 1_750 * i) / sampleRate) * Math.exp((-70 * i) / sampleRate),
  )
}

const hat: Instrument = ({ sampleRate }) =>
  noise('hat', 0.14, sampleRate, { lowest: 6_000, highest: 14_000 }, (time) => 4.5 * Math.exp(-38 * time))

const shaker: Instrument = ({ sampleRate }) =>
  noise(
    'shaker',
    0.16,
    sampleRate,
    { lowest: 4_500, highest: 11_000 },
    (time) => 4.5 * (time < 0.025 ? time / 0.025 : Math.exp(-30 * (time - 0.025))),
  )

const instruments: Record<PitchedInstrument | Drum, Instrument> = {
  ...{ pad, strings, keys, pluck, marimba, bell, bass },
  ...{ kick, timpani, clap, snap, hat, shaker },
}
