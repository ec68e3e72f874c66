/**
 * A server that speaks the HTTP API of OpenAI: OpenAI, OpenRouter, Ollama, LM Studio, llama-server, vLLM, LocalAI,
 * Kokoro-FastAPI, Speaches. The address is the operator's; a client never names one.
 */
import * as v from 'valibot'
import type { Vendor } from '../vendor.ts'

export interface OpenAiServer {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Servers on one machine need none. */
  apiKey?: string
  model: string
  /** The operator allows plain http and an address of this machine or its network, for this origin only. */
  allowLocal: boolean
}

export function openAiVendor({ baseUrl, apiKey, allowLocal }: OpenAiServer): Vendor {
  const url = baseUrl.replace(/(?<!\/)\/+$/, '')
  const { origin, host, hostname } = new URL(url)
  return {
    name: names[hostname] ?? host,
    url,
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    policy: { allowHttp: false, allowLoopback: false, ...(allowLocal && { localOrigin: origin }) },
    reasonOf: (body) => errorOf(body).message,
    isAccountError: (status, body) => isAccountError(status, errorOf(body)),
  }
}

const names: Record<string, string> = { 'api.openai.com': 'OpenAI', 'openrouter.ai': 'OpenRouter' }

export const isOpenRouter = ({ baseUrl }: OpenAiServer): boolean => new URL(baseUrl).hostname === 'openrouter.ai'

interface ErrorBody {
  message?: string
  /** vLLM gives the status as a number. */
  code?: unknown
}

const errorObject = v.object({ message: v.string(), code: v.optional(v.unknown()) })
const errorText = v.pipe(
  v.string(),
  v.transform((message): ErrorBody => ({ message })),
)
const anyError = v.union([
  // OpenAI, OpenRouter, LM Studio, llama-server, LocalAI; a plain text: Ollama.
  v.pipe(
    v.object({ error: v.union([errorObject, errorText]) }),
    v.transform(({ error }) => error),
  ),
  // FastAPI: Kokoro-FastAPI nests an object, validation errors are a list.
  v.pipe(
    v.object({
      detail: v.union([
        errorObject,
        errorText,
        v.pipe(
          v.tupleWithRest([v.object({ msg: v.string() })], v.unknown()),
          v.transform(([{ msg }]): ErrorBody => ({ message: msg })),
        ),
      ]),
    }),
    v.transform(({ detail }) => detail),
  ),
  // vLLM before 0.10
  errorObject,
])

const errorOf = (body: unknown): ErrorBody => {
  const { output, success } = v.safeParse(anyError, body)
  return success ? output : {}
}

/** Only the operator can fix a spent quota, a 429 that no retry resolves, and an unknown model, a 404 or a 400. */
function isAccountError(status: number, { code, message = '' }: ErrorBody): boolean {
  if (status === 429) return code === 'insufficient_quota'
  return (
    [400, 404].includes(status) &&
    (code === 'model_not_found' || /^(?:(?!\bmodel\b).)*\bmodel\b.*\bnot (?:found|exist)/is.test(message))
  )
}
