/**
 * Transfers the word times of a transcript to the tokens of the text that was spoken. A recogniser writes other words
 * ("5" for "five") and joins or omits some, so both texts are compared by characters.
 */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { TokenSpan } from './word-timings.ts'

/** A transcript that shares less of the text is of other speech. */
const sharedMin = 0.6
/** Below it, the times of a token are those of its neighbours. */
const tokenSharedMin = 0.5

interface Character {
  character: string
  /** Index of its token, or of its word in the transcript. */
  of: number
  /** Place within the token or word, 0 to 1. */
  from: number
  to: number
}

/**
 * `ranges` are the tokens' places in `text`, null for silent ones. Returns the span of each token, null where the
 * transcript has none, or undefined where it does not fit the text.
 */
export function alignTranscript(
  text: string,
  ranges: readonly (readonly [start: number, end: number] | null)[],
  transcript: readonly TimedWord[],
): (TokenSpan | null)[] | undefined {
  const written = ranges.flatMap((range, of) => (range ? charactersOf(text.slice(...range), of) : []))
  const heard = transcript.flatMap(({ text }, of) => charactersOf(text, of))
  const pairs = commonSubsequence(written, heard)
  if (pairs.length < sharedMin * written.length) return undefined
  const lengths = ranges.map(() => 0)
  for (const { of } of written) lengths[of]! += 1
  const matches = ranges.map((): [written: Character, heard: Character][] => [])
  for (const [at, with_] of pairs) matches[written[at]!.of]!.push([written[at]!, heard[with_]!])
  return matches.map((found, token) => {
    const [first, last] = [found[0], found.at(-1)]
    if (!first || !last || found.length < tokenSharedMin * lengths[token]!) return null
    return { startMs: timeOf(transcript, first, 'from'), endMs: timeOf(transcript, last, 'to') }
  })
}

/** The edge of a token is that of the word where both begin or end there, else a point within the word. */
function timeOf(transcript: readonly TimedWord[], [, { of, from, to }]: [Character, Character], edge: 'from' | 'to') {
  const { startMs, endMs } = transcript[of]!
  return startMs + (endMs - startMs) * (edge === 'from' ? from : to)
}

/** Letters and figures only, without accents and case. */
function charactersOf(text: string, of: number): Character[] {
  const characters = [
    ...text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  ]
  return characters.map((character, index) => ({
    character,
    of,
    from: index / characters.length,
    to: (index + 1) / characters.length,
  }))
}

/** The longest common subsequence as pairs of indices, in order. Quadratic: the texts are of one chunk. */
function commonSubsequence(a: readonly Character[], b: readonly Character[]): [number, number][] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i]!.character === b[j]!.character
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const pairs: [number, number][] = []
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const length = lengths[i * width + j]!
    if (a[i]!.character === b[j]!.character && length === lengths[(i + 1) * width + j + 1]! + 1) pairs.push([i++, j++])
    else if (lengths[(i + 1) * width + j]! === length) i++
    else j++
  }
  return pairs
}
