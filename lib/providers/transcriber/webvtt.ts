/** Subtitles as words: a cue tells when a line is said, and its words share that time by their lengths. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'

export interface Cue {
  startMs: number
  endMs: number
  text: string
}

const cueTimes = /^\s*((?:\d+:)?\d\d:\d\d\.\d{3})\s+-->\s+((?:\d+:)?\d\d:\d\d\.\d{3})/

/** The cues of a WebVTT file in the order of time. What is markup or names a speaker's style is left out. */
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
    .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()

/** Every word in its share of its cue. Where cues overlap, the next begins when the one before has been said. */
export function wordsOfCues(cues: readonly Cue[]): TimedWord[] {
  const words: TimedWord[] = []
  for (const { startMs, endMs, text } of cues) {
    const from = Math.max(startMs, words.at(-1)?.endMs ?? 0)
    // A dash or a note sign is shown, but nobody says it.
    const said = text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
    const length = said.reduce((sum, word) => sum + word.length, 0)
    if (from >= endMs || length === 0) continue
    let before = 0
    for (const word of said) {
      const at = (characters: number) => Math.round(from + ((endMs - from) * characters) / length)
      words.push({ text: word, startMs: at(before), endMs: at(before + word.length) })
      before += word.length
    }
  }
  return words
}
