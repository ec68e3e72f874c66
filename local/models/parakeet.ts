/** Parakeet in this process, by sherpa-onnx: a WAV in, words with times out. */
import { type PcmSound, parseWav, sliceSound } from '../../lib/render/sound/wav.ts'
import { InputRefused } from './child.ts'
import { loadPackage } from './load-package.ts'

export interface ParakeetSettings {
  packages: string
  encoder: string
  decoder: string
  joiner: string
  tokens: string
}

export interface HearingInput {
  /** 16-bit mono. */
  wav: Uint8Array
}

export interface HearingOutput {
  text: string
  words: TimedText[]
}

interface TimedText {
  text: string
  startMs: number
  endMs: number
}

/** What is used of https://www.npmjs.com/package/sherpa-onnx-node. */
interface Recognition {
  /** With a blank before those that begin a word. */
  tokens: string[]
  /** Seconds. */
  timestamps: number[]
  /** Of TDT models, in seconds. */
  durations?: number[]
}
interface Stream {
  acceptWaveform(sound: { sampleRate: number; samples: Float32Array }): void
}
interface Sherpa {
  OfflineRecognizer: new (
    config: object,
  ) => {
    createStream(): Stream
    decode(stream: Stream): void
    getResult(stream: Stream): Recognition
  }
}

/** The memory of attention grows with the square of the length. */
const pieceMs = 60_000
const searchMs = 15_000
const windowMs = 50
/** Without durations: a last token is not longer. */
const tokenMsMax = 240

export async function loadParakeet({ packages, tokens, ...transducer }: ParakeetSettings) {
  const { OfflineRecognizer } = await loadPackage<Sherpa>(packages, 'sherpa-onnx-node')
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { transducer, tokens, numThreads: 2, provider: 'cpu', modelType: 'nemo_transducer' },
  })
  return async ({ wav }: HearingInput): Promise<HearingOutput> => {
    const sound = readSound(wav)
    const words = piecesOf(sound).flatMap(({ fromMs, piece }) => {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ sampleRate: piece.sampleRate, samples: Float32Array.from(piece.samples, asFloat) })
      recognizer.decode(stream)
      return wordsOf(recognizer.getResult(stream)).map((word) => ({
        text: word.text,
        startMs: word.startMs + fromMs,
        endMs: word.endMs + fromMs,
      }))
    })
    return { text: words.map(({ text }) => text).join(' '), words }
  }
}

const asFloat = (sample: number) => sample / 32_768

function readSound(wav: Uint8Array): PcmSound {
  try {
    return parseWav(wav)
  } catch (error) {
    throw new InputRefused(`file: ${error instanceof Error ? error.message : error}`)
  }
}

/** Cut where it is quietest, in the last quarter of each piece. */
export function piecesOf(sound: PcmSound): { fromMs: number; piece: PcmSound }[] {
  const durationMs = (sound.samples.length * 1000) / sound.sampleRate
  const pieces: { fromMs: number; piece: PcmSound }[] = []
  for (let fromMs = 0; fromMs < durationMs; ) {
    const lastMs = fromMs + pieceMs
    const endMs = lastMs >= durationMs ? durationMs : quietestMs(sound, lastMs - searchMs, lastMs)
    pieces.push({ fromMs, piece: sliceSound(sound, fromMs, endMs) })
    fromMs = endMs
  }
  return pieces
}

function quietestMs(sound: PcmSound, fromMs: number, toMs: number): number {
  let [quietest, energyMin] = [toMs, Number.POSITIVE_INFINITY]
  for (let ms = fromMs; ms + windowMs <= toMs; ms += windowMs) {
    const energy = sliceSound(sound, ms, ms + windowMs).samples.reduce((sum, sample) => sum + sample * sample, 0)
    if (energy < energyMin) [quietest, energyMin] = [ms + windowMs / 2, energy]
  }
  return quietest
}

/** A word begins with a token that begins with a blank. */
export function wordsOf({ tokens, timestamps, durations }: Recognition): TimedText[] {
  const words: TimedText[] = []
  for (const [index, token] of tokens.entries()) {
    const startMs = Math.round((timestamps[index] ?? 0) * 1000)
    const nextMs = Math.round((timestamps[index + 1] ?? Number.POSITIVE_INFINITY) * 1000)
    const lastMs = startMs + (durations?.[index] === undefined ? tokenMsMax : Math.round(durations[index] * 1000))
    const endMs = Math.max(startMs, Math.min(nextMs, lastMs))
    const text = token.replace(/^[ ▁]+/u, '')
    const last = words.at(-1)
    if (last && text === token) {
      last.text += text
      last.endMs = endMs
    } else words.push({ text, startMs, endMs })
  }
  return words.filter(({ text }) => text)
}
