/**
 * Narrator by Amazon Polly, neural (SynthesizeSpeech):
 * https://docs.aws.amazon.com/polly/latest/dg/API_SynthesizeSpeech.html (read November 2026). Sound and word times are
 * two paid requests for the same text. Limits: 3,000 characters
 * (https://docs.aws.amazon.com/polly/latest/dg/limits.html) and ten minutes of sound a request.
 */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { PollyClientConfig, SynthesizeSpeechCommandInput } from '@aws-sdk/client-polly'
import { PollyClient, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import * as v from 'valibot'
import { InputRejected, ProviderBusy } from '../../domain/core/failures.ts'
import { narratorIds } from '../../domain/generation/narration.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { awsFailure } from '../aws-failures.ts'
import { narrateInChunks, type SpokenChunk, type TextChunk } from './chunks.ts'
import type { Narrator } from './index.ts'
import { pcmSamples } from './pcm.ts'
import type { TokenSpan } from './word-timings.ts'

/** Set for a fake or another account; default: those of the deployment. */
export type PollyClientOptions = Pick<PollyClientConfig, 'endpoint' | 'region' | 'credentials'>

/** The maximum of Polly for PCM. */
const sampleRate = 16_000
/** 3,000 characters of Chinese would exceed ten minutes, after which Polly cuts the sound. */
const lengthMax = 2_000
const deadlineMs = 60_000

/** HTTP/1, which a fake without TLS needs. */
export const pollyClient = (options: PollyClientOptions = {}): PollyClient =>
  new PollyClient({
    ...options,
    // Every attempt is paid. The state machine retries, and stored chunks are not spoken again.
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 2_000,
      requestTimeout: deadlineMs,
      throwOnRequestTimeout: true,
    }),
  })

export function pollyNarrator(options?: PollyClientOptions): Narrator {
  const client = pollyClient(options)
  return {
    id: narratorIds.polly,
    narrate: (text, voice, storeChunk) =>
      narrateInChunks({
        ...{ text, language: voice.language, lengthMax, storeChunk },
        speak: (chunk) => speak(client, chunk, voice),
      }),
  }
}

async function speak(client: PollyClient, { text, ranges }: TextChunk, voice: Voice): Promise<SpokenChunk> {
  const [audio, marks] = await Promise.all([
    synthesizeSpeech(client, voice, { OutputFormat: 'pcm', SampleRate: `${sampleRate}`, Text: text }),
    synthesizeSpeech(client, voice, { OutputFormat: 'json', SpeechMarkTypes: ['word'], Text: text }),
  ])
  const words = parseMarks(marks.toString('utf8'))
  if (words.length === 0) throw new InputRejected(`The voice ${voice.id} cannot speak any of this text.`)
  const samples = pcmSamples(audio)
  return { samples, sampleRate, spans: spansOf(text, ranges, words, (samples.length * 1000) / sampleRate) }
}

type SpeechRequest = Pick<SynthesizeSpeechCommandInput, 'OutputFormat' | 'SampleRate' | 'SpeechMarkTypes' | 'Text'>

/** One paid request. `engineVoice` is Polly's voice id and a language, which bilingual voices need. */
export async function synthesizeSpeech(
  client: PollyClient,
  { id, engineVoice }: Voice,
  request: SpeechRequest,
): Promise<Buffer> {
  const [VoiceId, LanguageCode] = engineVoice.split('/') as [
    SynthesizeSpeechCommandInput['VoiceId'],
    SynthesizeSpeechCommandInput['LanguageCode'],
  ]
  const command = new SynthesizeSpeechCommand({ Engine: 'neural', VoiceId, LanguageCode, TextType: 'text', ...request })
  try {
    const { AudioStream } = await client.send(command)
    if (!(AudioStream instanceof Readable)) throw new Error('Polly returned no stream.')
    // The timeout of the client ends at the response headers.
    const deadline = AbortSignal.timeout(deadlineMs)
    deadline.addEventListener('abort', () => AudioStream.destroy(deadline.reason))
    return await buffer(AudioStream)
  } catch (error) {
    throw awsFailure('Polly', `the voice ${id}`, error)
  }
}

/**
 * https://docs.aws.amazon.com/polly/latest/dg/output.html: positions are in bytes, and the end of a word is not given.
 */
const mark = v.object({ time: v.number(), type: v.literal('word'), start: v.number(), end: v.number() })
type Mark = v.InferOutput<typeof mark>

function parseMarks(lines: string): Mark[] {
  const parsed = v.safeParse(
    v.array(v.pipe(v.string(), v.parseJson(), mark)),
    lines.split('\n').filter((line) => line.trim()),
  )
  if (!parsed.success) throw new ProviderBusy('Polly returned unexpected speech marks.')
  return parsed.output
}

/** A number has several marks: a token lasts from its first mark to the first mark of the next token. */
function spansOf(
  text: string,
  ranges: TextChunk['ranges'],
  marks: readonly Mark[],
  durationMs: number,
): (TokenSpan | null)[] {
  const byteAt = (length: number) => Buffer.byteLength(text.slice(0, length))
  const firsts = ranges.map((range) => {
    if (!range) return undefined
    const [from, to] = [byteAt(range[0]), byteAt(range[1])]
    return marks.find(({ start }) => start >= from && start < to)?.time
  })
  return firsts.map((startMs, index) => {
    if (startMs === undefined) return null
    const next = firsts.find((time, later) => later > index && time !== undefined)
    return { startMs, endMs: Math.max(startMs, Math.min(next ?? durationMs, durationMs)) }
  })
}
