/** Narrates with Amazon Polly: the sound and the times of its words are two orders for the same text, both paid. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { PollyClientConfig, SynthesizeSpeechCommandInput } from '@aws-sdk/client-polly'
import { PollyClient, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import * as v from 'valibot'
import { ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { narratorIds } from '../../domain/generation/narration.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { awsFailure } from '../aws-failures.ts'
import { narrateInChunks, type SpokenChunk, type TextChunk } from './chunks.ts'
import type { Narrator } from './index.ts'
import { pcmSamples } from './pcm.ts'
import type { TokenSpan } from './word-timings.ts'

/** Where an account or a stand-in for Polly is; the deployment's own without it. */
export type PollyClientOptions = Pick<PollyClientConfig, 'endpoint' | 'region' | 'credentials'>

/** The most that Polly gives as PCM. */
const sampleRate = 16_000
/**
 * An order may have 3,000 characters (https://docs.aws.amazon.com/polly/latest/dg/limits.html), but sound is cut after ten minutes,
 * and so many characters of Chinese take longer than that.
 */
const lengthMax = 2_000
const deadlineMs = 60_000

/** Speaks HTTP/1, which a stand-in without TLS needs. */
export const pollyClient = (place: PollyClientOptions = {}): PollyClient =>
  new PollyClient({
    ...place,
    // Every attempt is paid. The state machine tries again, and what was spoken before is kept.
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 2_000,
      requestTimeout: deadlineMs,
      throwOnRequestTimeout: true,
    }),
  })

export function pollyNarrator(place?: PollyClientOptions): Narrator {
  const client = pollyClient(place)
  return {
    id: narratorIds.polly,
    narrate: (text, voice, keepPart) =>
      narrateInChunks({
        ...{ text, language: voice.language, lengthMax, keepPart },
        speak: (part) => speak(client, part, voice),
      }),
  }
}

async function speak(client: PollyClient, { text, places }: TextChunk, voice: Voice): Promise<SpokenChunk> {
  const [audio, told] = await Promise.all([
    synthesizeSpeech(client, voice, { OutputFormat: 'pcm', SampleRate: `${sampleRate}`, Text: text }),
    synthesizeSpeech(client, voice, { OutputFormat: 'json', SpeechMarkTypes: ['word'], Text: text }),
  ])
  const words = marksIn(told.toString('utf8'))
  if (words.length === 0) throw new ProviderRejected(`The voice ${voice.id} can speak nothing of this text.`)
  const samples = pcmSamples(audio)
  return { samples, sampleRate, spans: spansOf(text, places, words, (samples.length * 1000) / sampleRate) }
}

type Order = Pick<SynthesizeSpeechCommandInput, 'OutputFormat' | 'SampleRate' | 'SpeechMarkTypes' | 'Text'>

/** What Polly makes of a text. The voice's name in the engine is Polly's id and a language, for those who speak two. */
export async function synthesizeSpeech(client: PollyClient, { id, engineVoice }: Voice, order: Order): Promise<Buffer> {
  const [VoiceId, LanguageCode] = engineVoice.split('/') as [
    SynthesizeSpeechCommandInput['VoiceId'],
    SynthesizeSpeechCommandInput['LanguageCode'],
  ]
  const command = new SynthesizeSpeechCommand({ Engine: 'neural', VoiceId, LanguageCode, TextType: 'text', ...order })
  try {
    const { AudioStream } = await client.send(command)
    if (!(AudioStream instanceof Readable)) throw new Error('Polly answered without a stream.')
    // The client's deadline ends with the headers.
    const stopped = AbortSignal.timeout(deadlineMs)
    stopped.addEventListener('abort', () => AudioStream.destroy(stopped.reason))
    return await buffer(AudioStream)
  } catch (error) {
    throw awsFailure('Polly', `the voice ${id}`, error)
  }
}

/** https://docs.aws.amazon.com/polly/latest/dg/output.html: the place is counted in bytes, and when a word ends is not told. */
const mark = v.object({ time: v.number(), type: v.literal('word'), start: v.number(), end: v.number() })
type Mark = v.InferOutput<typeof mark>

function marksIn(lines: string): Mark[] {
  const given = v.safeParse(
    v.array(v.pipe(v.string(), v.parseJson(), mark)),
    lines.split('\n').filter((line) => line.trim()),
  )
  if (!given.success) throw new ProviderBusy('Polly tells the times of words otherwise than documented.')
  return given.output
}

/** A number gives several marks: the first of a token begins it, the first of the next one ends it. */
function spansOf(
  text: string,
  places: TextChunk['places'],
  marks: readonly Mark[],
  durationMs: number,
): (TokenSpan | null)[] {
  const byteAt = (length: number) => Buffer.byteLength(text.slice(0, length))
  const firsts = places.map((place) => {
    if (!place) return undefined
    const [from, to] = [byteAt(place[0]), byteAt(place[1])]
    return marks.find(({ start }) => start >= from && start < to)?.time
  })
  return firsts.map((startMs, index) => {
    if (startMs === undefined) return null
    const next = firsts.find((time, later) => later > index && time !== undefined)
    return { startMs, endMs: Math.max(startMs, Math.min(next ?? durationMs, durationMs)) }
  })
}
