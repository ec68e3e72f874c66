/** Chords as musicians write them, `vi7` or `bVIImaj9`, and where an instrument finds their tones. Pitches are MIDI's: 60 is the middle C. */

export interface Chord {
  /** Semitones from the keynote. */
  root: number
  /** Semitones from the root. */
  tones: readonly number[]
}

const degrees = ['I', '', 'II', '', 'III', 'IV', '', 'V', '', 'VI', '', 'VII']
/** For a numeral in capitals, and for one in small letters. */
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

/** Reads chords with spaces between them: a `b` lowers the root, small letters are minor. */
export const parseChords = (names: string): Chord[] =>
  names.split(' ').map((name) => {
    const [, flat = '', numeral = '', kind = ''] = /^(b?)([IV]+|[iv]+)(.*)$/.exec(name) ?? []
    const root = degrees.indexOf(numeral.toUpperCase()) - flat.length
    const tones = kinds[kind]?.[numeral === numeral.toUpperCase() ? 0 : 1]
    if (numeral === '' || !tones) throw new RangeError(`${name} is no chord`)
    return { root, tones }
  })

/** The octave of a tone that is nearest to a pitch. */
const nearest = (tone: number, near: number) => tone + 12 * Math.round((near - tone) / 12)

/** The tones from the root up. */
export function rootPosition(key: number, { root, tones }: Chord, near: number): number[] {
  const lowest = nearest(key + root, near)
  return tones.map((tone) => lowest + tone)
}

/** Each tone where it is nearest to a pitch, so that from chord to chord no voice goes far; from the lowest up. */
export const closeVoicing = (key: number, { root, tones }: Chord, near: number): number[] =>
  tones.map((tone) => nearest(key + root + tone, near)).toSorted((a, b) => a - b)

/** Places in the octave that sound well over a chord: its tones, and of a scale those that rub against none of them. */
export function consonantTones(key: number, { root, tones }: Chord, scale: readonly number[]): number[] {
  const chord = tones.map((tone) => (key + root + tone) % 12)
  const rubs = (tone: number) => chord.some((other) => [1, 11].includes((tone - other + 12) % 12))
  return [...chord, ...scale.map((tone) => (key + tone) % 12).filter((tone) => !rubs(tone))]
}
