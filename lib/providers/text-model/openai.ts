/**
 * Language models behind OpenAI's chat completions, as OpenAI, OpenRouter, Ollama, LM Studio, llama-server and vLLM
 * implement them. The form is sent as a strict JSON schema, and as text where a server does not accept that. What a
 * server rejects is remembered for the process and left out.
 * https://platform.openai.com/docs/api-reference/chat/create (read November 2026)
 */
import * as v from 'valibot'
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { EgressFailed } from '../../egress/failures.ts'
import { type OpenAiServer, openAiVendor } from '../openai/server.ts'
import { type FormPrompt, type Reply, refusalField, subjectRefused, textModelOf } from '../structured-output.ts'
import { callVendor, VendorRejected } from '../vendor.ts'
import { ModelTooSlow, type TextModel } from './index.ts'
import { readCutOffObject, readJsonObject } from './read-json.ts'
import { type ServerKind, serverKind } from './server-kind.ts'
import { strictObject } from './strict-schema.ts'

interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** What a model at a server accepts. Assumed at first, then learned from its errors. */
interface Dialect {
  kind: ServerKind
  hasResponseFormat: boolean
  hasTemperature: boolean
  hasSystemRole: boolean
  tokenLimit: 'max_tokens' | 'max_completion_tokens' | null
  /** Whether thinking is switched off; `unknown`: the server rejects the switch. */
  thinking: 'on' | 'off' | 'unknown'
  isReasoningModel: boolean
}

/** Models of OpenAI that always reason: no temperature, and their thoughts count as output. */
const reasoningModel = /^(?:openai\/)?(?:o\d|gpt-(?:[5-9]|\d\d)(?!.*chat))/
/** Output tokens for thoughts. */
const thoughtTokens = 6_000

/** These show the schema to the model. Local servers only restrict its output to it. */
const showsSchema = (kind: ServerKind) => kind === 'openai' || kind === 'openrouter'
/** Local servers run with a context of 4,096 tokens unless configured otherwise, and Ollama cuts silently. */
const hasSmallContext = (kind: ServerKind) => !showsSchema(kind)

/** OpenAI's models with a `reasoning_effort` of their own are handled apart. */
const chatTemplate = { chat_template_kwargs: { enable_thinking: false } }
const thinkingOff: Record<ServerKind, object> = {
  openai: {},
  openrouter: { reasoning: { effort: 'none' } },
  ollama: { reasoning_effort: 'none' },
  'lm-studio': chatTemplate,
  'llama-server': chatTemplate,
  vllm: chatTemplate,
  other: { reasoning_effort: 'none' },
}
/** Here the switch has no effect on models that do not think. */
const acceptsSwitch = (kind: ServerKind) => ['ollama', 'lm-studio', 'llama-server', 'vllm'].includes(kind)

/** `address model` → dialect. */
const dialects = new Map<string, Dialect>()

async function dialectOf(server: OpenAiServer, given: ServerKind | undefined, deadlineMs?: number): Promise<Dialect> {
  const key = `${server.baseUrl} ${server.model}`
  const known = dialects.get(key)
  const kind = given ?? (known && known.kind !== 'other' ? known.kind : await serverKind(server, deadlineMs))
  if (known?.kind === kind) return known
  const isReasoningModel = reasoningModel.test(server.model) && !acceptsSwitch(kind)
  const dialect: Dialect = {
    kind,
    hasResponseFormat: true,
    hasTemperature: !isReasoningModel,
    hasSystemRole: true,
    tokenLimit: kind === 'openai' || (isReasoningModel && kind === 'other') ? 'max_completion_tokens' : 'max_tokens',
    thinking: acceptsSwitch(kind) ? 'off' : 'on',
    isReasoningModel,
  }
  dialects.set(key, dialect)
  return dialect
}

/** `kind`: where the address hides the server, as behind a proxy; default: asked of the server. */
export const openAiTextModel = (server: OpenAiServer, kind?: ServerKind): TextModel =>
  textModelOf<Message>({
    vendor: 'openai',
    name: server.model,
    hasSmallContext: async () => hasSmallContext((await dialectOf(server, kind)).kind),
    open: (material) => ({ role: 'user', content: material }),
    async ask(prompt, turns, deadlineMs) {
      const endsAt = performance.now() + deadlineMs
      const remainingMs = () => Math.max(1, Math.round(endsAt - performance.now()))
      const vendor = openAiVendor(server)
      const dialect = await dialectOf(server, kind, deadlineMs)
      const sent = { ...dialect }
      // Each round gives up something that it has sent, so that there are few.
      for (;;) {
        try {
          const body = { model: server.model, ...bodyOf(prompt, turns, sent) }
          const request = { path: '/chat/completions', body, deadlineMs: remainingMs() }
          const choice = choiceIn(await callVendor(vendor, request, completion), vendor.name)
          Object.assign(dialect, sent)
          const isThinkingOnly = !choice.text.trim() && choice.hasReasoning && sent.thinking === 'on'
          if (!isThinkingOnly || sent.kind === 'openai') return replyOf(choice, prompt)
          sent.thinking = 'off'
        } catch (error) {
          const change = changeFor(error, sent)
          if (!change) throw failureOf(error, sent.kind)
          Object.assign(sent, change)
        }
      }
    },
  })

function bodyOf({ system, form, tokensMax, temperature }: FormPrompt, turns: Message[], dialect: Dialect): object {
  const { kind, hasResponseFormat, isReasoningModel, tokenLimit, thinking } = dialect
  const properties = { ...form.fields, refusal: refusalField }
  const required = Object.keys(form.fields)
  const shown = `Answer with one JSON object and nothing else, by this JSON schema:\n${JSON.stringify({ type: 'object', properties, required })}`
  const instructions = hasResponseFormat && showsSchema(kind) ? system : `${system}\n\n${shown}`
  const schema = {
    name: form.name,
    description: form.description,
    strict: true,
    schema: strictObject(properties, required),
  }
  return {
    messages: dialect.hasSystemRole
      ? [{ role: 'system', content: instructions }, ...turns]
      : turns.map((turn, index) => (index === 0 ? { ...turn, content: `${instructions}\n\n${turn.content}` } : turn)),
    stream: false,
    ...(hasResponseFormat && { response_format: { type: 'json_schema', json_schema: schema } }),
    ...(tokenLimit && { [tokenLimit]: tokensMax + (isReasoningModel ? thoughtTokens : 0) }),
    ...(dialect.hasTemperature && { temperature }),
    ...(thinking === 'off' && thinkingOff[kind]),
    ...(isReasoningModel && kind === 'openai' && thinking === 'on' && { reasoning_effort: 'low' }),
    // Only providers that enforce the schema; without one, any.
    ...(kind === 'openrouter' && hasResponseFormat && { provider: { require_parameters: true } }),
  }
}

const content = v.union([
  v.pipe(
    v.nullish(v.string()),
    v.transform((text) => text ?? ''),
  ),
  v.pipe(
    v.array(v.object({ text: v.optional(v.string(), '') })),
    v.transform((parts) => parts.map(({ text }) => text).join('')),
  ),
])
/** OpenRouter reports errors of its providers with status 200. */
const vendorError = v.object({
  code: v.optional(v.union([v.number(), v.string()])),
  message: v.optional(v.string(), ''),
})
const completion = v.union([
  v.object({
    choices: v.pipe(
      v.array(
        v.object({
          finish_reason: v.nullish(v.string()),
          error: v.optional(vendorError),
          message: v.optional(
            v.object({
              content,
              refusal: v.nullish(v.string()),
              /** Ollama, OpenRouter, and vLLM since 0.12. */
              reasoning: v.nullish(v.string()),
              /** llama-server, LM Studio, older vLLM. */
              reasoning_content: v.nullish(v.string()),
            }),
          ),
        }),
      ),
      v.minLength(1),
    ),
  }),
  v.object({ error: vendorError }),
])

interface Choice {
  text: string
  hasReasoning: boolean
  isRefusal: boolean
  isCutOff: boolean
}

function choiceIn(answer: v.InferOutput<typeof completion>, name: string): Choice {
  const [choice] = 'choices' in answer ? answer.choices : []
  const error = 'error' in answer ? answer.error : choice?.error
  if (error || !choice?.message) throw reportedError(name, error ?? { message: '' })
  const { message, finish_reason } = choice
  return {
    text: message.content,
    hasReasoning: Boolean(message.reasoning?.trim() || message.reasoning_content?.trim()),
    isRefusal: Boolean(message.refusal) || finish_reason === 'content_filter',
    isCutOff: finish_reason === 'length',
  }
}

function replyOf({ text, isRefusal, isCutOff }: Choice, { form }: FormPrompt): Reply<Message> {
  const output = (isCutOff ? readCutOffObject : readJsonObject)(text, form.name)
  const fault = isCutOff
    ? 'It was cut off: answer much more briefly.'
    : output
      ? undefined
      : 'Answer with one JSON object and nothing else.'
  return {
    output,
    isRefusal,
    ...(fault !== undefined && { fault }),
    correction: (faults) => [
      // What is not a whole form would only fill the context.
      {
        role: 'assistant',
        content: output && !isCutOff ? JSON.stringify(output) : 'I gave an answer that cannot be used.',
      },
      {
        role: 'user',
        content: `This cannot be used. ${faults} Answer again with the whole JSON object and all of its fields.`,
      },
    ],
  }
}

const patterns = {
  /** OpenRouter: "No endpoints found that can handle the requested parameters". */
  responseFormat:
    /\bformat\b|response_?format|json_?schema|json_?object|structured[ _]output|grammar|guided|requested parameters/i,
  completionTokens: /max_completion_tokens/i,
  tokens: /max_(?:completion_)?tokens|context (?:length|size|window)|maximum context/i,
  temperature: /temperature/i,
  thinking: /reasoning|think|chat_?template/i,
  systemRole: /system.{0,20}(?:role|message|prompt|instruction)|roles? must alternate/i,
  refusal: /content[_ ](?:management )?(?:filter|policy)|moderation|flagged|safety system|usage polic/i,
}

/** What to give up of what was sent, or undefined where the error has another reason. */
function changeFor(error: unknown, sent: Dialect): Partial<Dialect> | undefined {
  const reason = reasonOf(error)
  const status = error instanceof VendorRejected ? error.status : undefined
  if (reason === undefined || patterns.refusal.test(reason)) return undefined
  if (sent.hasResponseFormat && patterns.responseFormat.test(reason)) return { hasResponseFormat: false }
  if (sent.hasSystemRole && patterns.systemRole.test(reason)) return { hasSystemRole: false }
  if (status !== 400 && status !== 422) return undefined
  if (sent.tokenLimit === 'max_tokens' && patterns.completionTokens.test(reason))
    return { tokenLimit: 'max_completion_tokens' }
  if (sent.tokenLimit && patterns.tokens.test(reason)) return { tokenLimit: null }
  if (sent.hasTemperature && patterns.temperature.test(reason)) return { hasTemperature: false }
  if (sent.thinking !== 'unknown' && patterns.thinking.test(reason)) return { thinking: 'unknown' }
  if (sent.hasResponseFormat) return { hasResponseFormat: false }
  return sent.thinking === 'off' ? { thinking: 'unknown' } : undefined
}

/** The server's words: in the message of a rejection, in the cause of a failure with status 500. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof VendorRejected) return error.message
  return error instanceof ProviderBusy && error.cause instanceof Error && /^Status 500: /.test(error.cause.message)
    ? error.cause.message
    : undefined
}

/** Clients read these messages: the address stays in the cause, for the operator. */
function failureOf(error: unknown, kind: ServerKind): unknown {
  const options = { cause: error }
  if (error instanceof OutcomeUnknown && error.cause instanceof EgressFailed && error.cause.reason === 'timeout')
    return hasSmallContext(kind) ? new ModelTooSlow(error.message, options) : error
  if (error instanceof VendorRejected) {
    if (patterns.refusal.test(error.message)) return subjectRefused()
    if (error.status === 404 || error.status === 405)
      return new AccountExpired('The text model of this deployment does not exist at its configured address.', options)
    return error
  }
  // OpenRouter refuses flagged material with status 403.
  if (
    error instanceof AccountExpired &&
    error.cause instanceof Error &&
    /moderation|flagged/i.test(error.cause.message)
  )
    return subjectRefused()
  // The egress policy blocks the address.
  if (error instanceof ProviderRejected && error.name === 'ProviderRejected' && error.message.includes('not public'))
    return new AccountExpired(
      'The text model of this deployment has a local address, which its configuration does not allow.',
      options,
    )
  return error
}

function reportedError(name: string, { code, message }: v.InferOutput<typeof vendorError>): Error {
  const status = Number(code)
  const cause = new Error(`Code ${code ?? 'unknown'}: ${message}`)
  if (status === 403 && patterns.refusal.test(message)) return subjectRefused()
  if ([401, 402, 403].includes(status))
    return new AccountExpired(`${name} does not accept this deployment's account.`, { cause })
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return new VendorRejected(`${name} rejected this: ${message}.`, status)
  return new ProviderBusy(`${name} is busy (code ${code ?? 'unknown'}).`, { cause })
}
