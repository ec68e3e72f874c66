/**
 * Chooses the moments at which the camera jumps closer on a key word, and back, so that a long shot changes every two
 * to three seconds. Pure; the renderer scales the framing of the shot, so a punch-in costs no segment.
 */
import { extractKeywords } from '../domain/generation/keywords.ts'

/** A shot that changes less often than this looks still. */
const unchangedMsMax = 2_400
/** A change sooner after another one, or sooner before the next shot, looks like a fault. */
const betweenMsMin = 900

interface SpokenWord {
  text: string
  startMs: number
}

/**
 * The times of a shot, ascending, at which the framing changes: to the closer one at the first, back at the second, and
 * so on. Each is the start of a word, if possible of a key word.
 */
export function punchInTimes(words: readonly SpokenWord[], startMs: number, endMs: number): number[] {
  const heard = words.filter((word) => word.startMs >= startMs && word.startMs < endMs)
  const keywords = new Set(extractKeywords(heard.map(({ text }) => text).join(' '), 8))
  const times: number[] = []
  for (let last = startMs; endMs - last > unchangedMsMax; last = times.at(-1)!) {
    const latest = Math.min(last + 1.25 * unchangedMsMax, endMs - betweenMsMin)
    const candidates = heard.filter((word) => word.startMs >= last + betweenMsMin && word.startMs <= latest)
    // The middle of the time that is left: a change in it leaves no long rest on either side.
    const middle = Math.min(last + unchangedMsMax * 0.75, (last + endMs) / 2)
    const worth = (word: SpokenWord) =>
      (keywords.has(word.text.toLowerCase()) ? 700 : 0) - Math.abs(word.startMs - middle)
    const best = candidates.toSorted((a, b) => worth(b) - worth(a))[0]
    if (!best) return times
    times.push(best.startMs)
  }
  return times
}
