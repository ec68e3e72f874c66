/** Composes a piece of music in a mood: a loop of sixteen bars in four phrases. */
import type { MusicMood } from '../../domain/records/theme.ts'
import { pickRandom, type Random, seededRandom } from '../seeded-random.ts'
import { type Chord, closeVoicing, consonantTones, parseChords, rootPosition } from './harmony.ts'
import { type Drum, type PitchedInstrument, type Style, styles } from './moods.ts'

interface Note {
  instrument: PitchedInstrument | Drum
  atSeconds: number
  heldSeconds: number
  /** MIDI: 69 is 440 Hz, each step a semitone. */
  pitch: number
  /** 0 to 1. */
  level: number
}

interface Score {
  /** Duration of the loop. */
  seconds: number
  notes: Note[]
  /** Reverb level of everything but the drums, 0 to 1. */
  reverb: number
}

/** A style with the random choices of a seed. */
interface Piece {
  style: Style
  /** MIDI note of the tonic, within the octave from C1. */
  key: number
  /** One per bar. */
  chords: Chord[]
  seed: string
}

const barsPerPhrase = 4
const sixteenths = 16
/** Random deviation of time and volume. */
const latenessSecondsMax = 0.008
const unevenness = 0.16
const strengths: Record<string, number> = { X: 1, x: 0.72, o: 0.45 }

/** The same mood and seed always give the same score. */
export function writeScore(mood: MusicMood, seed: string): Score {
  const random = seededRandom(`${mood} ${seed}`)
  const style = styles[mood]
  // Five keys, within which every instrument stays in its range.
  const key = 24 + Math.floor(random() * 5)
  const main = pickRandom(style.progressions.slice(0, -1), random)
  const other = style.progressions.at(-1)!
  const piece: Piece = { style, key, chords: [main, main, other, main].flatMap(parseChords), seed: `${mood} ${seed}` }
  const notes = [...chordNotes(piece), ...tuneNotes(piece), ...drumNotes(piece)]
  const bars = piece.chords.length
  return {
    seconds: (bars * 4 * 60) / style.beatsPerMinute,
    notes: notes.map((note) => humanise(note, random)),
    reverb: style.reverb,
  }
}

/** Adds small random delays and volume changes. Notes are never early, so that none precedes the start of the piece. */
function humanise({ atSeconds, level, ...note }: Note, random: Random): Note {
  return {
    ...note,
    atSeconds: atSeconds + random() * latenessSecondsMax,
    level: level * (1 - unevenness * random()),
  }
}

/** Time of a sixteenth of a bar, in seconds. */
function timeAt({ beatsPerMinute, swing }: Style, bar: number, sixteenth: number): number {
  const late = sixteenth % 4 === 2 ? 2 * swing : 0
  return ((bar * sixteenths + sixteenth + late) * 15) / beatsPerMinute
}

interface Strike {
  bar: number
  sixteenth: number
  sign: string
}

/** All strikes of a pattern in the phrases where it plays. */
function strikes(phrases: string, patternOf: (bar: number) => string): Strike[] {
  return [...phrases].flatMap((plays, phrase) =>
    plays === '.'
      ? []
      : Array.from({ length: barsPerPhrase }, (_, index) => phrase * barsPerPhrase + index).flatMap((bar) =>
          [...patternOf(bar)].flatMap((sign, sixteenth) => (sign === '.' ? [] : [{ bar, sixteenth, sign }])),
        ),
  )
}

function chordNotes({ style, key, chords }: Piece): Note[] {
  return style.chords.flatMap(({ instrument, pattern, phrases, held, near, level }) =>
    strikes(phrases, () => pattern).map(({ bar, sixteenth, sign }) => {
      const tones =
        instrument === 'bass' ? rootPosition(key, chords[bar]!, near) : closeVoicing(key, chords[bar]!, near)
      const step = Number(sign)
      return {
        instrument,
        atSeconds: timeAt(style, bar, sixteenth),
        heldSeconds: (held * 15) / style.beatsPerMinute,
        pitch: tones[step % tones.length]! + 12 * Math.floor(step / tones.length),
        level,
      }
    }),
  )
}

/** Range of a melody around its base pitch, in semitones. */
const tuneReach = 8

/** A melody: bars 1 and 3 of a phrase share a rhythm, and all phrases but the third start with the same tones. */
function tuneNotes({ style, key, chords, seed }: Piece): Note[] {
  const { tune } = style
  if (!tune) return []
  const random = seededRandom(`${seed} rhythm`)
  const [opening, answer, ending] = [
    pickRandom(tune.patterns, random),
    pickRandom(tune.patterns, random),
    pickRandom(tune.patterns, random),
  ]
  const patternOf = (bar: number) => [opening, answer, opening, ending][bar % barsPerPhrase]!
  let phrase = -1
  let tuneRandom: Random = random
  let pitch = tune.near
  return strikes(tune.phrases, patternOf).map(({ bar, sixteenth, sign }) => {
    if (Math.floor(bar / barsPerPhrase) !== phrase) {
      phrase = Math.floor(bar / barsPerPhrase)
      tuneRandom = seededRandom(`${seed} ${phrase === 2 ? 'other' : 'main'} tune`)
      pitch = tune.near
    }
    const octave = consonantTones(key, chords[bar]!, sign === 'X' ? [] : style.scale)
    pitch = nextTone(pitch, octave, tune.near, tuneRandom)
    return {
      instrument: tune.instrument,
      atSeconds: timeAt(style, bar, sixteenth),
      heldSeconds: (tune.held * 15) / style.beatsPerMinute,
      pitch,
      level: tune.level * (sign === 'X' ? 1 : 0.8),
    }
  })
}

/** Prefers steps to leaps, and a different tone to a repetition. */
function nextTone(from: number, octave: readonly number[], near: number, random: Random): number {
  const inReach = Array.from({ length: 2 * tuneReach + 1 }, (_, index) => near - tuneReach + index).filter((pitch) =>
    octave.includes(pitch % 12),
  )
  const wanted = from + Math.round((random() - 0.5) * 9)
  const cost = (pitch: number) => Math.abs(pitch - wanted) + (pitch === from ? 1.5 : 0)
  return inReach.toSorted((a, b) => cost(a) - cost(b))[0]!
}

function drumNotes({ style, key }: Piece): Note[] {
  return style.drums.flatMap(({ drum, pattern, phrases, level }) =>
    strikes(phrases, () => pattern).map(({ bar, sixteenth, sign }) => ({
      instrument: drum,
      atSeconds: timeAt(style, bar, sixteenth),
      heldSeconds: 0,
      // Timpani are tuned to the key; the others have no pitch.
      pitch: drum === 'timpani' ? key + 12 : 0,
      level: level * strengths[sign]!,
    })),
  )
}
