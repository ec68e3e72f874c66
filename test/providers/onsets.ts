/**
 * Where sound really begins in a narration: measured from the energy of the samples, independently of the word times.
 */
import type { Narration } from '../../lib/providers/narrator/index.ts'

const audible = 200

/** For each word after a pause of 60 ms and more: how much later than its word time it is heard, in ms. */
export function onsetErrors({ wav, words }: Narration): number[] {
  const bytes = Buffer.from(wav)
  const rate = bytes.readUInt32LE(24)
  const size = Math.floor(rate / 200)
  const windowMs = (size * 1000) / rate
  const loud: boolean[] = []
  for (let from = 44; from + size * 2 <= bytes.length; from += size * 2) {
    let sum = 0
    for (let at = 0; at < size; at++) sum += bytes.readInt16LE(from + at * 2) ** 2
    loud.push(Math.sqrt(sum / size) > audible)
  }
  return words.flatMap((word, index) => {
    const restFrom = words[index - 1]?.endMs ?? 0
    if (word.startMs - restFrom < 60 || word.endMs === word.startMs) return []
    const heard = loud.indexOf(true, Math.floor((restFrom + word.startMs) / 2 / windowMs))
    return [heard * windowMs - word.startMs]
  })
}
