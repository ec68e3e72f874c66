/**
 * Parses chords in roman numerals, such as `vi7` or `bVIImaj9`, and voices them. Pitches are MIDI numbers: 60 is middle
 * C.
 */

export interface Chord {
  /** Semitones above the tonic. */
  root: number
  /** Semitones above the root. */
  tones: readonly number[]
}

const degrees = ['I', '', 'II', '', 'III', 'IV', '', 'V', '', 'VI', '', 'VII']
/** Tones for an upper-case and for a lower-case numeral. */
const kinds: Record<string, readonly [major: readonly number[], minor: readonly number[]]> = {
  '': [
    [0, 4, 7],
    [0, 3, 7],
  ],
  '7': [
    [0, 4, 7, 10],
    [0, 3, 7, 10],
  ],
  '9': [
    [0, 4, 7, 10, 14],
    [0, 3, 7, 10, 14],
  ],
  maj7: [
    [0, 4, 7, 11],
    [0, 3, 7, 11],
  ],
  maj9: [
    [0, 4, 7, 11, 14],
    [0, 3, 7, 11, 14],
  ],
  add9: [
    [0, 4, 7, 14],
    [0, 3, 7, 14],
  ],
  sus4: [
    [0, 5, 7],
    [0, 5, 7],
  ],
}

/** Parses chords separated by spaces: `b` lowers the root, lower case is minor. */
export const parseChords = (names: string): Chord[] =>
  names.split(' ').map((name) => {
    const [, flat = '', numeral = '', kind = ''] = /^(b?)([IV]+|[iv]+)(.*)$/.exec(name) ?? []
    const root = degrees.indexOf(numeral.toUpperCase()) - flat.length
    const tones = kinds[kind]?.[numeral === numeral.toUpperCase() ? 0 : 1]
    if (numeral === '' || !tones) throw new RangeError(`${name} is not a chord`)
    return { root, tones }
  })

/** The tone in the octave nearest to a pitch. */
const nearest = (tone: number, near: number) => tone + 12 * Math.round((near - tone) / 12)

/** The tones upwards from the root. */
export function rootPosition(key: number, { root, tones }: Chord, near: number): number[] {
  const lowest = nearest(key + root, near)
  return tones.map((tone) => lowest + tone)
}

/** Each tone in its octave nearest to a pitch, in rising order, so that voices move little between chords. */
export const closeVoicing = (key: number, { root, tones }: Chord, near: number): number[] =>
  tones.map((tone) => nearest(key + root + tone, near)).toSorted((a, b) => a - b)

/**
 * Pitch classes that are consonant with a chord: its tones, and those of the scale that are no semitone away from any
 * of them.
 */
export function consonantTones(key: number, { root, tones }: Chord, scale: readonly number[]): number[] {
  const chord = tones.map((tone) => (key + root + tone) % 12)
  const rubs = (tone: number) => chord.some((other) => [1, 11].includes((tone - other + 12) % 12))
  return [...chord, ...scale.map((tone) => (key + tone) % 12).filter((tone) => !rubs(tone))]
}
