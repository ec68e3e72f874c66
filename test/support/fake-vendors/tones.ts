/** Speech of stand-ins: a tone for each word and a rest after each mark, so that when a word is heard is known to the sample. */

export interface SpokenTone {
  text: string
  /** Where the word stands in the text, in UTF-16 units. */
  start: number
  end: number
  startMs: number
  endMs: number
}

const leadMs = 40
const tailMs = 200
const gapMs = 15
const rests: [mark: RegExp, ms: number][] = [
  [/[.?!…。]/u, 350],
  [/[,;:、，–—]/u, 180],
]

/** Words as engines see them: an apostrophe, and a mark within a number, belong to them. */
const spokenWord = /[\p{L}\p{M}\p{N}$€£%]+(?:['’.,:](?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}%]+)*/gu

export function synthesizeTones(text: string, sampleRate: number): { samples: Int16Array; tones: SpokenTone[] } {
  const found = [...text.matchAll(spokenWord)]
  let clockMs = leadMs
  const tones = found.map((match, index): SpokenTone => {
    const [start, end] = [match.index, match.index + match[0].length]
    const startMs = clockMs
    const endMs = startMs + 90 + 30 * Math.min(match[0].length, 12)
    const between = text.slice(end, found[index + 1]?.index)
    clockMs = endMs + (rests.find(([mark]) => mark.test(between))?.[1] ?? gapMs)
    return { text: match[0], start, end, startMs, endMs }
  })
  const samples = new Int16Array(Math.round(((tones.at(-1)?.endMs ?? 0) + tailMs) * (sampleRate / 1000)))
  for (const { text: word, startMs, endMs } of tones) {
    const [from, to] = [startMs, endMs].map((ms) => Math.round((ms * sampleRate) / 1000)) as [number, number]
    const frequency = 180 + (word.codePointAt(0)! % 24) * 10
    for (let at = from; at < to; at++)
      samples[at] = Math.round(9_000 * Math.sin((2 * Math.PI * frequency * (at - from)) / sampleRate + 0.5))
  }
  return { samples, tones }
}

export const pcmBytes = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)

/** A second of silence as MP3: 38 frames of MPEG-1 layer III at 128 kbit/s and 44.1 kHz, with nothing in them. */
export const silentMp3 = (): Buffer =>
  Buffer.concat(Array.from({ length: 38 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc4])], 417)))
