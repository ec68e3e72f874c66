/** Splitting scripts into the parts that are sent to vendors. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../../lib/providers/narrator/chunks.ts'
import { tokenise } from '../../lib/providers/narrator/tokenise.ts'

const partsIn = (text: string, lengthMax: number) => chunksOf(tokenise(text, 'en'), lengthMax)
const textsIn = (text: string, lengthMax = 200) => partsIn(text, lengthMax).map((part) => part.text)

describe('the parts of a script', () => {
  it('contain every token once and in order, each at its position, and none is too long', () => {
    const word = fc.oneof(
      fc.string({ minLength: 1, maxLength: 14, unit: 'grapheme' }),
      fc.constantFrom('word', 'end.', '–', '😀', 'x'.repeat(150), '</b>', 'what?', '日本語です。', '\n'),
    )
    const script = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => `Begin ${words.join(' ')}`)
    fc.assert(
      fc.property(script, (text) => {
        const parts = partsIn(text, 200)
        expect(parts.flatMap(({ tokens }) => tokens.map((token) => token.text))).toEqual(text.trim().split(/\s+/))
        for (const { tokens, ranges, text: chunk } of parts) {
          expect(chunk.length).toBeLessThanOrEqual(200)
          expect(ranges.map((range) => range !== null)).toEqual(tokens.map(({ spoken }) => spoken !== ''))
          const spoken = ranges.flatMap((range) => (range ? [chunk.slice(...range)] : []))
          expect(spoken.join(' ')).toBe(chunk)
        }
      }),
      { numRuns: 200, seed: 5 },
    )
  })

  it('end with a sentence if possible, otherwise between two words', () => {
    const sentence = 'One two three four five six seven eight nine ten.'
    expect(textsIn(Array(6).fill(sentence).join(' '))).toEqual([
      Array(4).fill(sentence).join(' '),
      Array(2).fill(sentence).join(' '),
    ])
    const endless = Array(60).fill('word').join(' ')
    expect(textsIn(endless).join(' ')).toBe(endless)
  })

  it('keep words and their punctuation as written, and expand what voices would spell out', () => {
    expect(textsIn('Mr. Smith paid $5, "roughly" (10:30).')).toEqual(['Mr. Smith paid $5, "roughly" (10:30).'])
    expect(textsIn('**Bold** & <b>so</b> – see https://www.example.com/a?b=1 😀 now')).toEqual([
      'Bold and so, see example dot com now',
    ])
  })

  it('are complete for a script without spaces', () => {
    const paragraph = '今天我们讲三个习惯。第一，早上喝一杯水，然后写下三个目标。'.repeat(5)
    expect(textsIn(paragraph)).toEqual([paragraph])
  })

  it('end after a title without punctuation', () => {
    expect(textsIn('Three habits\nDrink water.')).toEqual(['Three habits. Drink water.'])
  })
})
