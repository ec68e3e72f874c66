/**
 * The style of each mood as data: tempo, chord progressions and the part of each instrument. A pattern is one bar of
 * sixteenths; a dot is a rest, and each kind of line defines its other characters.
 */
import type { MusicMood } from '../../domain/records/theme.ts'

export type PitchedInstrument = 'pad' | 'strings' | 'keys' | 'pluck' | 'marimba' | 'bell' | 'bass'
export type Drum = 'kick' | 'timpani' | 'clap' | 'snap' | 'hat' | 'shaker'

interface Line {
  /** Relative volume, 0 to 1. */
  level: number
  /** The phrases, out of four, in which it plays: `x` or a dot for each. */
  phrases: string
}

/**
 * Digits are chord tones: counted from the root for a bass, otherwise from the lowest; beyond the last tone they
 * continue an octave higher.
 */
interface ChordLine extends Line {
  instrument: PitchedInstrument
  pattern: string
  /** Duration of a tone, in sixteenths. */
  held: number
  /** The chord is voiced as close to this MIDI pitch as possible. */
  near: number
}

/** `X` is loud, `x` medium, `o` soft. */
interface DrumLine extends Line {
  drum: Drum
  pattern: string
}

/** A random melody. `X` is a chord tone, `x` a tone of the scale. */
interface TuneLine extends Line {
  instrument: PitchedInstrument
  patterns: readonly string[]
  held: number
  near: number
}

export interface Style {
  beatsPerMinute: number
  /** Delay of every second eighth, in eighths. */
  swing: number
  /**
   * Four chords each, one per bar. The last progression is for the third phrase, a random one of the others for the
   * rest.
   */
  progressions: readonly string[]
  /** Semitones that a melody may use besides chord tones. */
  scale: readonly number[]
  /** Reverb level of everything but the drums. */
  reverb: number
  chords: readonly ChordLine[]
  tune?: TuneLine
  drums: readonly DrumLine[]
}

const pentatonic = [0, 2, 4, 7, 9]
const minorPentatonic = [0, 3, 5, 7, 10]

export const styles: Record<MusicMood, Style> = {
  calm: {
    beatsPerMinute: 68,
    swing: 0,
    progressions: ['Imaj9 vi7 IVmaj9 Vsus4', 'IVmaj7 Imaj9 vi9 IVadd9', 'vi9 IVmaj7 Iadd9 Vsus4'],
    scale: pentatonic,
    reverb: 0.5,
    chords: [
      { instrument: 'pad', pattern: '0123............', held: 14, near: 60, level: 0.36, phrases: 'xxxx' },
      { instrument: 'bass', pattern: '0...............', held: 15, near: 38, level: 0.45, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '0...1...2...3.2.', held: 8, near: 62, level: 0.4, phrases: '.x.x' },
      { instrument: 'pluck', pattern: '0.....2...1.....', held: 8, near: 62, level: 0.4, phrases: 'x.x.' },
    ],
    tune: {
      instrument: 'bell',
      patterns: ['X.......x...X...', '....X.....x.....', 'X...........x...'],
      held: 12,
      near: 76,
      level: 0.22,
      phrases: '.xxx',
    },
    drums: [],
  },
  inspiring: {
    beatsPerMinute: 92,
    swing: 0,
    progressions: ['vi IVadd9 Iadd9 V', 'Iadd9 V vi7 IVadd9', 'IVadd9 I Vsus4 vi7'],
    scale: pentatonic,
    reverb: 0.4,
    chords: [
      { instrument: 'pad', pattern: '0123............', held: 13.5, near: 60, level: 0.3, phrases: 'xxxx' },
      { instrument: 'strings', pattern: '012.............', held: 16, near: 67, level: 0.16, phrases: '..xx' },
      { instrument: 'bass', pattern: '0.......0.....0.', held: 7, near: 36, level: 0.5, phrases: '.xxx' },
      { instrument: 'keys', pattern: '0.1.2.1.3.1.2.1.', held: 5, near: 60, level: 0.42, phrases: 'xxxx' },
    ],
    tune: {
      instrument: 'keys',
      patterns: ['X.....x.X.......', 'X...x...X...x...', 'x...X.......X...'],
      held: 9,
      near: 74,
      level: 0.34,
      phrases: '.x.x',
    },
    drums: [
      { drum: 'kick', pattern: 'X.......x.......', level: 0.5, phrases: '.xxx' },
      { drum: 'clap', pattern: '....o.......o...', level: 0.22, phrases: '..xx' },
      { drum: 'shaker', pattern: 'x.o.x.o.x.o.x.o.', level: 0.14, phrases: '.xxx' },
    ],
  },
  energetic: {
    beatsPerMinute: 116,
    swing: 0,
    progressions: ['vi IV I V', 'I V vi IV', 'vi7 iii IVmaj7 V'],
    scale: pentatonic,
    reverb: 0.22,
    chords: [
      { instrument: 'pad', pattern: '012.............', held: 16, near: 62, level: 0.26, phrases: 'xxxx' },
      { instrument: 'bass', pattern: '0.0.0.0.0.0.0.0.', held: 1.6, near: 36, level: 0.55, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '2..2..2...2..2..', held: 3, near: 66, level: 0.34, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '0..1..1...0..3..', held: 3, near: 66, level: 0.34, phrases: 'xxxx' },
      { instrument: 'keys', pattern: '0.1.2.3.2.1.2.1.', held: 2, near: 72, level: 0.2, phrases: '.x.x' },
    ],
    tune: {
      instrument: 'bell',
      patterns: ['X..x..X.....x...', 'X..X..x...X.....', '....X..x..X.....'],
      held: 4,
      near: 79,
      level: 0.16,
      phrases: '.xxx',
    },
    drums: [
      { drum: 'kick', pattern: 'X...X...X...X...', level: 0.6, phrases: 'xxxx' },
      { drum: 'clap', pattern: '....x.......x...', level: 0.34, phrases: '.xxx' },
      { drum: 'hat', pattern: '..x...x...x...x.', level: 0.2, phrases: 'xxxx' },
      { drum: 'shaker', pattern: 'o.oox.oxo.oox.ox', level: 0.1, phrases: '..xx' },
    ],
  },
  dramatic: {
    beatsPerMinute: 72,
    swing: 0,
    progressions: ['i bVI iv V', 'i bVI iv Vsus4', 'bVImaj7 bIII bVII V'],
    scale: minorPentatonic,
    reverb: 0.45,
    chords: [
      { instrument: 'strings', pattern: '012.............', held: 16.5, near: 57, level: 0.34, phrases: 'xxxx' },
      { instrument: 'bass', pattern: '0...............', held: 15, near: 33, level: 0.55, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '0.0.1.0.2.0.1.0.', held: 3, near: 50, level: 0.42, phrases: '.xxx' },
      { instrument: 'pad', pattern: '012.............', held: 16.5, near: 65, level: 0.2, phrases: '..xx' },
    ],
    tune: {
      instrument: 'strings',
      patterns: ['X.......x.......', 'X...............', 'x.......X...x...'],
      held: 9,
      near: 70,
      level: 0.16,
      phrases: '..xx',
    },
    drums: [
      { drum: 'timpani', pattern: 'X...............', level: 0.6, phrases: 'x.x.' },
      { drum: 'timpani', pattern: 'X.........o.x...', level: 0.6, phrases: '.x.x' },
      { drum: 'shaker', pattern: 'o...o...o...o.o.', level: 0.08, phrases: '...x' },
    ],
  },
  playful: {
    beatsPerMinute: 104,
    swing: 0.3,
    progressions: ['I vi ii7 V7', 'I IV I V7', 'IV iii ii7 V7'],
    scale: pentatonic,
    reverb: 0.2,
    chords: [
      { instrument: 'bass', pattern: '0.......2.......', held: 3, near: 41, level: 0.55, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '....1.......1...', held: 2, near: 62, level: 0.4, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '....2.......2.3.', held: 2, near: 62, level: 0.36, phrases: 'xxxx' },
      { instrument: 'pluck', pattern: '....0.......0...', held: 2, near: 62, level: 0.36, phrases: 'xxxx' },
      { instrument: 'pad', pattern: '012.............', held: 15, near: 60, level: 0.14, phrases: '..xx' },
    ],
    tune: {
      instrument: 'marimba',
      patterns: ['X.x.X...x.X.....', 'X...x.X.X.......', '..X.x.X...x.X...'],
      held: 3,
      near: 74,
      level: 0.5,
      phrases: 'xxxx',
    },
    drums: [
      { drum: 'snap', pattern: '....x.......x...', level: 0.26, phrases: '.xxx' },
      { drum: 'shaker', pattern: 'x.o.x.o.x.o.x.o.', level: 0.12, phrases: '.xxx' },
      { drum: 'kick', pattern: 'x.......x.....o.', level: 0.34, phrases: '..xx' },
    ],
  },
}
