/**
 * Kokoro 82M in this process: text in, sound and word times out. The times are those of the model, which returns the
 * duration of every phoneme.
 */
import { readFileSync } from 'node:fs'
import { runEngine } from '../../lib/providers/narrator/engine-process.ts'
import { audibleRange } from '../../lib/providers/narrator/pcm.ts'
import { isSilentPhone, parseTrace } from '../../lib/providers/narrator/phones.ts'
import {
  groupSentences,
  narrationOf,
  type Sentence,
  type SpokenSentence,
} from '../../lib/providers/narrator/sentences.ts'
import { type Token, tokenise } from '../../lib/providers/narrator/tokenise.ts'
import type { TokenSpan } from '../../lib/providers/narrator/word-timings.ts'
import { InputRefused } from './child.ts'
import { type Pronunciations, phonemeIds, phonemesOf, unknownWords } from './kokoro-phonemes.ts'
import { loadPackage } from './load-package.ts'

export interface KokoroSettings {
  packages: string
  model: string
  /** Files of style vectors by the name of the voice. */
  voices: Record<string, string>
}

export interface SpeechInput {
  text: string
  voice: string
}

export interface SpeechOutput {
  wav: Uint8Array
  words: { text: string; startMs: number; endMs: number }[]
}

/** What is used of https://www.npmjs.com/package/onnxruntime-node. */
interface Tensor {
  data: Float32Array | BigInt64Array
}
interface Session {
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>
}
interface OnnxRuntime {
  InferenceSession: { create(path: string, options: object): Promise<Session> }
  Tensor: new (type: string, data: Float32Array | BigInt64Array, dimensions: number[]) => Tensor
}

const sampleRate = 24_000
/** A unit of a duration is 25 ms. */
const durationSamples = 600
const styleLength = 256
/** The context of the model is 512, with the padding at both ends. */
const phonemesMax = 510
/** Kept around the sound of a sentence. */
const marginSamples = 720

export async function loadKokoro({ packages, model, voices }: KokoroSettings) {
  const { InferenceSession, Tensor } = await loadPackage<OnnxRuntime>(packages, 'onnxruntime-node')
  const { dictionary } = await loadPackage<{ dictionary: Record<string, string> }>(
    packages,
    'cmu-pronouncing-dictionary',
  )
  // The renderer needs the other processors.
  const session = await InferenceSession.create(model, { intraOpNumThreads: 2, interOpNumThreads: 1 })
  const styles = new Map(Object.entries(voices).map(([name, file]) => [name, floatsOf(readFileSync(file))]))
  const heard = new Map<string, string[]>()
  const known: Pronunciations = (word) =>
    Object.hasOwn(dictionary, word) ? dictionary[word]!.split(' ') : heard.get(word)

  async function speakSentence(sentence: Sentence, style: Float32Array): Promise<SpokenSentence> {
    const { ids, ranges } = idsOf(sentence, known)
    if (ids.length === 0) return { samples: new Int16Array(), spans: sentence.tokens.map(() => null) }
    const row = Math.min(ids.length - 1, style.length / styleLength - 1) * styleLength
    const { waveform, durations } = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from([0, ...ids, 0], BigInt), [1, ids.length + 2]),
      style: new Tensor('float32', style.slice(row, row + styleLength), [1, styleLength]),
      speed: new Tensor('float32', Float32Array.of(1), [1]),
    })
    if (!waveform || !durations) throw new Error('The model returns no waveform or no durations.')
    return cut(pcmOf(waveform.data), Array.from(durations.data, Number), ranges)
  }

  return async ({ text, voice }: SpeechInput): Promise<SpeechOutput> => {
    const style = styles.get(voice)
    if (!style) throw new InputRefused(`There is no voice ${voice}. There is ${[...styles.keys()].join(', ')}.`)
    const tokens = tokenise(text, 'en')
    const unknown = new Set(tokens.flatMap(({ spoken }) => unknownWords(spoken, known)))
    for (const [word, phones] of await phonesOf([...unknown])) heard.set(word, phones)
    const sentences = groupSentences(tokens).flatMap((sentence) => shortEnough(sentence, known))
    if (sentences.length === 0) throw new InputRefused('The text contains nothing to speak.')
    const spoken: SpokenSentence[] = []
    for (const sentence of sentences) spoken.push(await speakSentence(sentence, style))
    const { wav, words } = narrationOf(tokens, sentences, spoken, sampleRate, (marginSamples * 1000) / sampleRate)
    return { wav, words }
  }
}

const floatsOf = ({ buffer, byteOffset, byteLength }: Buffer) =>
  new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))

function pcmOf(data: Float32Array | BigInt64Array): Int16Array {
  return Int16Array.from(data as Float32Array, (value) => Math.max(-1, Math.min(1, value)) * 32_767)
}

/** Phoneme ids of a sentence, and the range of each token in them. */
function idsOf({ tokens, restMs }: Sentence, known: Pronunciations) {
  const ids: number[] = []
  const ranges = tokens.map((token, index): [number, number] => {
    if (ids.length > 0) ids.push(...phonemeIds(' '))
    const from = ids.length
    ids.push(...phonemeIds(phonemesOf(token.spoken, tokens[index + 1]?.spoken ?? '', known)))
    const range: [number, number] = [from, ids.length]
    ids.push(...phonemeIds(markOf(token) || (index === tokens.length - 1 && restMs > 0 ? '.' : '')))
    return range
  })
  return { ids, ranges }
}

/** The vocabulary has the em dash only. */
const markOf = ({ pause, mark }: Token) => (mark === '–' ? '—' : mark || pause)

/** Halves a sentence that exceeds the context of the model. */
function shortEnough(sentence: Sentence, known: Pronunciations): Sentence[] {
  const { tokens, restMs } = sentence
  if (idsOf(sentence, known).ids.length <= phonemesMax) return [sentence]
  if (tokens.length === 1) throw new InputRefused('A word of the text is too long to speak.')
  const middle = tokens.length >> 1
  return [
    { tokens: tokens.slice(0, middle), restMs: 0 },
    { tokens: tokens.slice(middle), restMs },
  ].flatMap((half) => shortEnough(half, known))
}

/** Trims silence. `durations` has an entry for the padding at each end. */
function cut(samples: Int16Array, durations: readonly number[], ranges: readonly [number, number][]): SpokenSentence {
  const starts = [0]
  for (const duration of durations) starts.push(starts.at(-1)! + duration * durationSamples)
  const [first, last] = audibleRange(samples)
  const from = Math.max(0, first - marginSamples)
  const timeOf = (id: number) => (Math.max(0, (starts[id + 1] ?? 0) - from) * 1000) / sampleRate
  return {
    samples: samples.slice(from, last + marginSamples),
    spans: ranges.map(([start, end]): TokenSpan | null =>
      end > start ? { startMs: timeOf(start), endMs: timeOf(end) } : null,
    ),
  }
}

const flite = new URL('../../lib/providers/narrator/flite-process.ts', import.meta.url)

/** Words that no dictionary has, as flite pronounces them. */
async function phonesOf(words: readonly string[]): Promise<[string, string[]][]> {
  if (words.length === 0) return []
  const request = { sentences: ['a.\n\n'], words: `${words.join('\n\n')}\n\n`, voice: 'kal16', stretch: 1 }
  const { facts } = await runEngine<{ wordsTrace: string }>(flite, request)
  const utterances = parseTrace(facts.wordsTrace)
  if (utterances.length !== words.length) throw new Error(`flite returned ${utterances.length} words.`)
  return words.map((word, index) => [
    word,
    utterances[index]!.filter((phone) => !isSilentPhone(phone)).map(({ name }) => name),
  ])
}
