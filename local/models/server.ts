/**
 * A server on this machine that speaks OpenAI's HTTP API and answers with the downloaded models, so that the service
 * uses them like any other server. Each model runs in a process of its own, which all functions share.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import * as v from 'valibot'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { listen } from '../listen.ts'
import { withLoopbackGuard } from '../loopback-guard.ts'
import type { ChatInput, ChatOutput } from './chat.ts'
import { InputRefused } from './child.ts'
import type { SpeechInput, SpeechOutput } from './kokoro.ts'
import type { ModelProcess } from './model-process.ts'
import type { HearingInput, HearingOutput } from './parakeet.ts'

export interface LocalModels {
  text?: { model: string; process: ModelProcess<ChatInput, ChatOutput> }
  speech?: { model: string; voices: readonly string[]; process: ModelProcess<SpeechInput, SpeechOutput> }
  transcription?: { model: string; process: ModelProcess<HearingInput, HearingOutput> }
}

export interface ModelServer {
  /** With the version. */
  baseUrl: string
  stop(): Promise<void>
}

/** Above the deadlines of the adapters: an abandoned request ends when its connection closes. */
const timeoutMs = 300_000
/** Five minutes of 16 kHz are 9.6 MB. */
const bodyBytesMax = 64 * 1024 * 1024

const chatRequest = v.object({
  messages: v.pipe(
    v.array(v.object({ role: v.picklist(['system', 'user', 'assistant']), content: v.string() })),
    v.minLength(1),
  ),
  max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1_024),
  temperature: v.optional(v.number(), 0.7),
  response_format: v.optional(v.object({ json_schema: v.object({ schema: v.looseObject({}) }) })),
})
const speechRequest = v.object({
  input: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_000)),
  voice: v.string(),
  response_format: v.optional(v.picklist(['wav', 'pcm', 'mp3']), 'wav'),
})
const transcriptionRequest = v.object({ file: v.instance(Blob) })

interface Answer {
  type: string
  body: string | Uint8Array
}
type Handler = (body: Buffer, request: IncomingMessage, signal: AbortSignal) => Promise<Answer>

const json = (value: object): Answer => ({ type: 'application/json', body: JSON.stringify(value) })

function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const { output, success, issues } = v.safeParse(schema, value)
  if (success) return output
  throw new InputRefused(`${v.getDotPath(issues[0]) ?? 'body'}: ${issues[0].message}`)
}

function readJson<Schema extends v.GenericSchema>(schema: Schema, body: Buffer): v.InferOutput<Schema> {
  return read(v.pipe(v.string(), v.parseJson(), schema), body.toString())
}

export async function startModelServer({ text, speech, transcription }: LocalModels, port = 0): Promise<ModelServer> {
  const model = (id: string, owner: string) => ({ id, object: 'model', owned_by: owner })
  const handlers: Record<string, Handler> = {
    'GET /v1/models': async () =>
      json({
        object: 'list',
        data: [
          // As llama-server names itself: it accepts the same parameters.
          ...(text ? [model(text.model, 'llamacpp')] : []),
          ...(speech ? [model(speech.model, 'kokoro')] : []),
          ...(transcription ? [model(transcription.model, 'parakeet')] : []),
        ],
      }),
  }
  if (text)
    handlers['POST /v1/chat/completions'] = async (body, _request, signal) => {
      const { messages, max_tokens, temperature, response_format } = readJson(chatRequest, body)
      const input = {
        ...{ messages, temperature, tokensMax: max_tokens },
        ...(response_format && { schema: response_format.json_schema.schema }),
      }
      const { text: content, isCutOff } = await text.process.request(input, { timeoutMs, signal })
      const finish_reason = isCutOff ? 'length' : 'stop'
      return json({ choices: [{ index: 0, finish_reason, message: { role: 'assistant', content } }] })
    }
  if (speech) {
    const speak = (input: SpeechInput, signal: AbortSignal) => speech.process.request(input, { timeoutMs, signal })
    handlers['GET /v1/audio/voices'] = async () => json({ voices: speech.voices })
    handlers['POST /v1/audio/speech'] = async (body, _request, signal) => {
      const { input, voice, response_format } = readJson(speechRequest, body)
      const { wav } = await speak({ text: input, voice }, signal)
      if (response_format === 'mp3') return { type: 'audio/mpeg', body: await mp3Of(wav, signal) }
      return response_format === 'pcm'
        ? { type: 'audio/pcm;rate=24000;channels=1', body: wav.subarray(44) }
        : { type: 'audio/wav', body: wav }
    }
    // Of Kokoro-FastAPI: speech with word times.
    handlers['POST /dev/captioned_speech'] = async (body, _request, signal) => {
      const { input, voice } = readJson(speechRequest, body)
      const { wav, words } = await speak({ text: input, voice }, signal)
      return json({
        audio: Buffer.from(wav).toString('base64'),
        audio_format: 'audio/wav',
        timestamps: words.map(({ text: word, startMs, endMs }) => ({
          word,
          start_time: startMs / 1000,
          end_time: endMs / 1000,
        })),
      })
    }
  }
  if (transcription)
    handlers['POST /v1/audio/transcriptions'] = async (body, request, signal) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined)
      const { file } = read(transcriptionRequest, { file: form?.get('file') })
      const wav = new Uint8Array(await file.arrayBuffer())
      const { text: written, words } = await transcription.process.request({ wav }, { timeoutMs, signal })
      const timed = words.map(({ text: word, startMs, endMs }) => ({ word, start: startMs / 1000, end: endMs / 1000 }))
      return json({ text: written, words: timed })
    }
  const server = createServer(withLoopbackGuard((request, response) => void answer(handlers, request, response)))
  // A model needs longer than Node waits for a request by default.
  server.requestTimeout = 0
  const { url, stop } = await listen(server, port)
  return {
    baseUrl: `${url}/v1`,
    stop: async () => {
      for (const used of [text, speech, transcription]) used?.process.stop()
      await stop()
    },
  }
}

async function answer(handlers: Record<string, Handler>, request: IncomingMessage, response: ServerResponse) {
  const abandoned = new AbortController()
  response.once('close', () => abandoned.abort())
  const respond = (status: number, { type, body }: Answer) => {
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  }
  const refuse = (status: number, message: string) => respond(status, json({ error: { message } }))
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const handler = handlers[`${request.method} ${pathname}`]
    if (!handler) return refuse(404, `There is no ${request.method} ${pathname} here.`)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of request) {
      length += chunk.length
      if (length > bodyBytesMax) return refuse(413, 'The body is too large.')
      chunks.push(chunk)
    }
    respond(200, await handler(Buffer.concat(chunks), request, abandoned.signal))
  } catch (error) {
    if (response.destroyed) return
    refuse(error instanceof InputRefused ? 400 : 503, error instanceof Error ? error.message : String(error))
  }
}

async function mp3Of(wav: Uint8Array, signal: AbortSignal): Promise<Buffer> {
  const arguments_ = ['-v', 'error', '-f', 'wav', '-i', 'pipe:0', '-b:a', '64k', '-f', 'mp3', 'pipe:1']
  const { output } = await runFfmpeg({
    ...{ arguments: arguments_, input: [wav], directory: tmpdir(), timeoutMs: 60_000, signal },
  })
  return output
}
