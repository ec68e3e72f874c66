/**
 * Which server answers at an OpenAI-compatible address. Servers reject or need parameters that others do not know, and
 * nothing in the address says which one it is.
 */
import * as v from 'valibot'
import { type OpenAiServer, openAiVendor } from '../openai/server.ts'
import { callVendor } from '../vendor.ts'

/** `other`: only parameters of OpenAI's documentation are sent. */
export type ServerKind = 'openai' | 'openrouter' | 'ollama' | 'lm-studio' | 'llama-server' | 'vllm' | 'other'

const kindOfHost: Record<string, ServerKind> = { 'api.openai.com': 'openai', 'openrouter.ai': 'openrouter' }
/** The default port of Ollama. The ports of the others are common ones. */
const ollamaPort = '11434'

/** `owned_by` in the list of models. Ollama names the namespace of the model, which is `library` for its own. */
const kindOfOwner: Record<string, ServerKind> = {
  library: 'ollama',
  organization_owner: 'lm-studio',
  llamacpp: 'llama-server',
  vllm: 'vllm',
}
const models = v.object({ data: v.array(v.object({ id: v.string(), owned_by: v.optional(v.string()) })) })
const probeMsMax = 3_000

const known = new Map<string, ServerKind>()

/** Asks the server once per process. A server that does not answer is `other` until it does. */
export async function serverKind(server: OpenAiServer, deadlineMs = probeMsMax): Promise<ServerKind> {
  const { hostname, port } = new URL(server.baseUrl)
  const kind = kindOfHost[hostname] ?? (port === ollamaPort ? 'ollama' : known.get(server.baseUrl))
  if (kind) return kind
  try {
    const request = { path: '/models', deadlineMs: Math.min(deadlineMs, probeMsMax) }
    const { data } = await callVendor(openAiVendor(server), request, models)
    const model = data.find(({ id }) => id === server.model) ?? data[0]
    const found = kindOfOwner[model?.owned_by ?? ''] ?? 'other'
    known.set(server.baseUrl, found)
    return found
  } catch {
    // The request that follows fails for the same reason, and reports it.
    return 'other'
  }
}
