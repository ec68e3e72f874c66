/**
 * A stand-in for the servers that speak OpenAI's HTTP API: one server for all operations, each in a file of its own.
 * Each kind rejects and ignores what the real server does.
 */
import {
  type FakeVendor,
  type RecordedRequest,
  startFakeVendor,
  VendorRefusal,
  type VendorResponse,
} from '../fake-vendors/fake-vendor.ts'

export type OpenAiServerKind = 'openai' | 'openrouter' | 'ollama' | 'lm-studio' | 'llama-server' | 'vllm' | 'other'

/** Answers a request to a path after `/v1`, for example `/chat/completions`. */
export interface OpenAiOperation {
  /** Default: POST. */
  method?: 'GET'
  path: string
  answer: (call: RecordedRequest) => VendorResponse | Promise<VendorResponse>
}

export interface OpenAiStandIn extends FakeVendor {
  kind: OpenAiServerKind
  /** With the version. */
  baseUrl: string
  /** The calls without the probes for the list of models. */
  posts: () => { path: string; headers: RecordedRequest['headers']; body: Record<string, unknown> }[]
}

export const openAiKey = 'sk-stand-in'
export const openAiModel = 'stand-in-model'

/** Who owns a model, by the list of models of each server. */
const owners: Record<OpenAiServerKind, string | undefined> = {
  openai: 'system',
  openrouter: undefined,
  ollama: 'library',
  'lm-studio': 'organization_owner',
  'llama-server': 'llamacpp',
  vllm: 'vllm',
  other: 'somebody',
}
/** The others run on the operator's machine and need no key. */
const needsKey = (kind: OpenAiServerKind) => kind === 'openai' || kind === 'openrouter'

export async function openAiStandIn({
  kind,
  operations,
  models = [openAiModel],
}: {
  kind: OpenAiServerKind
  operations: readonly OpenAiOperation[]
  models?: readonly string[]
}): Promise<OpenAiStandIn> {
  const vendor = await startFakeVendor((call) => {
    if (needsKey(kind) && call.headers.authorization !== `Bearer ${openAiKey}`)
      throw openAiError(kind, 401, 'Incorrect API key provided.', 'invalid_api_key')
    const path = /^\/v1(\/.*)/.exec(call.path)?.[1]
    const operation = operations.find((one) => call.method === (one.method ?? 'POST') && one.path === path)
    if (!operation && call.method === 'GET' && path === '/models') return { body: modelList(kind, models) }
    if (!operation) throw new VendorRefusal(404, '404 page not found')
    return operation.answer(call)
  })
  const posts = () =>
    vendor.calls
      .filter(({ method }) => method === 'POST')
      .map(({ path, headers, body }) => ({ path, headers, body: bodyOf(headers, body) }))
  return Object.assign(vendor, { kind, baseUrl: `${vendor.url}/v1`, posts })
}

const bodyOf = (headers: RecordedRequest['headers'], body: Buffer): Record<string, unknown> =>
  headers['content-type'] === 'application/json' ? JSON.parse(body.toString('utf8')) : {}

const modelList = (kind: OpenAiServerKind, models: readonly string[]) => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: owners[kind] })),
})

/** An error as the server of this kind writes it. */
export function openAiError(kind: OpenAiServerKind, status: number, message: string, code?: string): VendorRefusal {
  switch (kind) {
    case 'openrouter':
      return new VendorRefusal(status, { error: { message, code: status }, user_id: 'user_stand_in' })
    case 'lm-studio':
      return new VendorRefusal(status, { error: message })
    case 'llama-server':
      return new VendorRefusal(status, { error: { code: status, message, type: 'invalid_request_error' } })
    case 'vllm':
      return new VendorRefusal(status, { error: { message, type: 'BadRequestError', param: null, code: status } })
    default:
      return new VendorRefusal(status, {
        error: { message, type: 'invalid_request_error', param: null, code: code ?? null },
      })
  }
}
