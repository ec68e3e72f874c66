/** Aligns the phones of a spoken sentence with its words, by comparison with the phones of each word spoken alone. */
import type { TokenSpan } from './word-timings.ts'

export interface Phone {
  name: string
  startMs: number
  endMs: number
}

/** flite calls silence `pau`. */
export const isSilentPhone = (phone: Phone) => phone.name === 'pau'

/** Reads flite's `-psdur` trace: one line per utterance, `name:endSeconds` per phone, silences included. */
export function parseTrace(trace: string): Phone[][] {
  return trace
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      let startMs = 0
      return line
        .trim()
        .split(/\s+/)
        .map((entry) => {
          const colon = entry.lastIndexOf(':')
          const phone = { name: entry.slice(0, colon), startMs, endMs: Number(entry.slice(colon + 1)) * 1000 }
          startMs = phone.endMs
          return phone
        })
    })
}

const gapCost = 2
const isVowel = (name: string) => /^[aeiou]/.test(name)
const swapCost = (one: string, other: string) => (one === other ? 0 : isVowel(one) === isVowel(other) ? 1 : 3)

/**
 * Needleman-Wunsch over phone names. `words[i]` holds the phones of word i spoken alone. Returns the span of its phones
 * in `heard`, or null without a match. Phones that match no word extend no span.
 */
export function alignWords(words: readonly (readonly Phone[])[], heard: readonly Phone[]): (TokenSpan | null)[] {
  const wanted = words.flatMap((phones, word) => phones.map(({ name }) => ({ name, word })))
  const width = heard.length + 1
  const cost = new Int32Array((wanted.length + 1) * width)
  for (let j = 0; j < width; j++) cost[j] = j * gapCost
  for (let i = 1; i <= wanted.length; i++) {
    cost[i * width] = i * gapCost
    for (let j = 1; j < width; j++) {
      const swap = cost[(i - 1) * width + j - 1]! + swapCost(wanted[i - 1]!.name, heard[j - 1]!.name)
      cost[i * width + j] = Math.min(swap, cost[(i - 1) * width + j]! + gapCost, cost[i * width + j - 1]! + gapCost)
    }
  }
  const spans: (TokenSpan | null)[] = words.map(() => null)
  let i = wanted.length
  let j = heard.length
  while (i > 0 && j > 0) {
    const here = cost[i * width + j]!
    const phone = heard[j - 1]!
    const { name, word } = wanted[i - 1]!
    if (here === cost[(i - 1) * width + j - 1]! + swapCost(name, phone.name)) {
      spans[word] = { startMs: phone.startMs, endMs: spans[word]?.endMs ?? phone.endMs }
      i--
      j--
    } else if (here === cost[(i - 1) * width + j]! + gapCost) i--
    else j--
  }
  return spans
}
