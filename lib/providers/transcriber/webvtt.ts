/** Parses WebVTT and derives word times: the words of a cue share its time by their lengths. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'

interface Cue {
  startMs: number
  endMs: number
  text: string
}

const cueTimes = /^\s*((?:\d+:)?\d\d:\d\d\.\d{3})\s+-->\s+((?:\d+:)?\d\d:\d\d\.\d{3})/

/** The cues of a WebVTT file, sorted by time, without markup and styles. */
export function parseWebVtt(webVtt: string): Cue[] {
  return webVtt
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap((block): Cue[] => {
      const lines = block.split('\n')
      const at = lines.findIndex((line) => cueTimes.test(line))
      const [, start, end] = (at >= 0 && cueTimes.exec(lines[at]!)) || []
      if (!start || !end) return []
      const text = plain(lines.slice(at + 1).join(' '))
      return text ? [{ startMs: milliseconds(start), endMs: milliseconds(end), text }] : []
    })
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((a, b) => a.startMs - b.startMs)
}

/** `01:02:03.456` or `02:03.456`. */
const milliseconds = (time: string) =>
  Math.round(time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const plain = (text: string) =>
  text
    .replace(/<[^<>]*>|\{\\[^{}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()

/** Every word with its share of the cue. Where cues overlap, the later one begins at the end of the earlier one. */
export function wordsOfCues(cues: readonly Cue[]): TimedWord[] {
  const words: TimedWord[] = []
  for (const { startMs, endMs, text } of cues) {
    const from = Math.max(startMs, words.at(-1)?.endMs ?? 0)
    // Dashes and note signs are not spoken.
    const spoken = text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
    const length = spoken.reduce((sum, word) => sum + word.length, 0)
    if (from >= endMs || length === 0) continue
    let before = 0
    for (const word of spoken) {
      const at = (characters: number) => Math.round(from + ((endMs - from) * characters) / length)
      words.push({ text: word, startMs: at(before), endMs: at(before + word.length) })
      before += word.length
    }
  }
  return words
}
