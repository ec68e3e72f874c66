/**
 * Finds model servers that already run on this machine, so that `npm start` uses them without configuration. Only
 * loopback is probed, and only by `npm start`: tests and the demo are the same on every machine.
 */

import * as v from 'valibot'

/** The ports that the programs listen on by default. */
export const defaultServerPorts = { ollama: 11434, lmStudio: 1234, llamaServer: 8080, kokoro: 8880, speaches: 8000 }
export type ServerPorts = typeof defaultServerPorts

export interface FoundServer {
  /** As people know it. */
  name: string
  /** Host and port. */
  address: string
  baseUrl: string
  model: string
}

export interface FoundServers {
  text: FoundServer | undefined
  speech: FoundServer | undefined
  transcription: FoundServer | undefined
}

const deadlineMsDefault = 300
const bytesMax = 4 * 1024 * 1024

const ollamaTags = v.object({
  models: v.array(
    v.object({ name: v.string(), details: v.optional(v.looseObject({ family: v.optional(v.string()) })) }),
  ),
})
const modelList = v.object({
  data: v.array(v.object({ id: v.string(), task: v.nullish(v.string()), owned_by: v.nullish(v.string()) })),
})
type ListedModel = v.InferOutput<typeof modelList>['data'][number]

/** Probes all ports at once. What does not answer as such a server within the deadline is not there. */
export async function discoverServers(
  ports: ServerPorts = defaultServerPorts,
  deadlineMs = deadlineMsDefault,
): Promise<FoundServers> {
  const get = <Schema extends v.GenericSchema>(port: number, path: string, schema: Schema) =>
    readJson(`http://127.0.0.1:${port}${path}`, schema, deadlineMs)
  const [ollama, lmStudio, llamaServer, kokoro, speaches] = await Promise.all([
    get(ports.ollama, '/api/tags', ollamaTags),
    get(ports.lmStudio, '/v1/models', modelList),
    get(ports.llamaServer, '/v1/models', modelList),
    get(ports.kokoro, '/v1/models', modelList),
    get(ports.speaches, '/v1/models', modelList),
  ])
  const server = (name: string, port: number, model: string | undefined): FoundServer | undefined =>
    model === undefined
      ? undefined
      : { name, address: `127.0.0.1:${port}`, baseUrl: `http://127.0.0.1:${port}/v1`, model }
  const ofSpeaches = (task: string) => speaches?.data.find((model) => model.task === task)?.id
  return {
    text:
      server('Ollama', ports.ollama, chooseChatModel(ollama?.models.map(({ name }) => name) ?? [])) ??
      server('LM Studio', ports.lmStudio, chooseChatModel(idsOf(lmStudio?.data))) ??
      // Other programs listen on 8080 as well.
      server('llama-server', ports.llamaServer, chooseChatModel(idsOf(llamaServer?.data.filter(isOfLlamaServer)))),
    speech:
      server('Kokoro-FastAPI', ports.kokoro, idsOf(kokoro?.data).includes('kokoro') ? 'kokoro' : undefined) ??
      server('Speaches', ports.speaches, ofSpeaches('text-to-speech')),
    transcription: server('Speaches', ports.speaches, ofSpeaches('automatic-speech-recognition')),
  }
}

/** The servers of `first`, and those of `second` for the rest. */
export const preferred = (first: FoundServers, second: FoundServers): FoundServers => ({
  text: first.text ?? second.text,
  speech: first.speech ?? second.speech,
  transcription: first.transcription ?? second.transcription,
})

const idsOf = (models: readonly ListedModel[] | undefined) => models?.map(({ id }) => id) ?? []
const isOfLlamaServer = ({ owned_by }: ListedModel) => owned_by === 'llamacpp'

/** Models for other work than conversation. */
const otherModels = /embed|(?:^|[/:-])(?:bge|e5|gte|minilm)\b|rerank|whisper|kokoro|\btts\b|clip|ocr|moderation|guard/i
const isInstruct = /instruct|chat|[-_:]it\b|assistant/i
/** Base models continue a text instead of answering. */
const isBase = /[-_:]base\b|[-_:]text\b/i
/** They write programs. */
const isCoder = /code|coder|math/i

/** The first chat model in the order of the server, those for instructions before others. */
export function chooseChatModel(names: readonly string[]): string | undefined {
  const chat = names.filter((name) => !otherModels.test(name))
  const rank = (name: string) => (isBase.test(name) ? 3 : isCoder.test(name) ? 2 : isInstruct.test(name) ? 0 : 1)
  return chat.toSorted((a, b) => rank(a) - rank(b))[0]
}

/** Undefined for anything but the expected JSON in time. */
export async function readJson<Schema extends v.GenericSchema>(
  url: string,
  schema: Schema,
  deadlineMs: number,
  headers: Record<string, string> = {},
): Promise<v.InferOutput<Schema> | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(deadlineMs), redirect: 'error' })
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > bytesMax) return undefined
    const parsed = v.safeParse(schema, await response.json())
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
