/**
 * Chat completions as each server implements them: which fields it rejects or ignores, and where thoughts stand in its
 * answer. Sources: platform.openai.com/docs/api-reference/chat, openrouter.ai/docs, docs.ollama.com/api/openai-compatibility,
 * lmstudio.ai/docs/developer/openai-compat, llama.cpp tools/server/README.md, docs.vllm.ai (read November 2026)
 */
import * as v from 'valibot'
import type { FakeModel } from '../fake-vendors/converse.ts'
import type { VendorResponse } from '../fake-vendors/fake-vendor.ts'
import { type OpenAiOperation, type OpenAiServerKind, openAiError, openAiModel } from './stand-in.ts'

const message = v.strictObject({ role: v.picklist(['system', 'user', 'assistant']), content: v.string() })
const request = v.looseObject({
  model: v.string(),
  messages: v.pipe(v.array(message), v.minLength(1)),
  stream: v.optional(v.literal(false)),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  max_completion_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  response_format: v.optional(
    v.variant('type', [
      v.object({ type: v.literal('text') }),
      v.object({ type: v.literal('json_object') }),
      v.object({
        type: v.literal('json_schema'),
        json_schema: v.object({
          name: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
          description: v.optional(v.string()),
          strict: v.optional(v.boolean()),
          schema: v.looseObject({ type: v.literal('object') }),
        }),
      }),
    ]),
  ),
})
type ChatRequest = v.InferOutput<typeof request>

/** The fields that OpenAI documents, of those that any kind takes. */
const documented = [
  'model',
  'messages',
  'stream',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
]

export interface ChatOptions {
  kind: OpenAiServerKind
  model: FakeModel
  /** A model that thinks unless the request switches it off. */
  thinks?: boolean
  /** The server has no structured output. */
  rejectsResponseFormat?: boolean
}

export const chatCompletions = (options: ChatOptions): OpenAiOperation => ({
  path: '/chat/completions',
  async answer({ body }) {
    const { kind } = options
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body.toString('utf8'))
    if (!parsed.success) throw openAiError(kind, 400, `Invalid value: ${v.getDotPath(parsed.issues[0])}`)
    const given = parsed.output
    check(given, options)
    const isThinking = options.thinks === true && !isThinkingOff(kind, given)
    if (isThinking)
      return { body: completion(kind, '', { thoughts: 'The user wants a script. First, ', cutOff: true }) }
    const system = given.messages[0]!.content
    const answer = await options.model(formOf(given, system), materialOf(given), system)
    // Without a grammar, models write prose around the object.
    const text = given.response_format
      ? JSON.stringify(answer)
      : `Here it is:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``
    return { body: completion(kind, text) }
  },
})

function check(given: ChatRequest, { kind, rejectsResponseFormat }: ChatOptions): void {
  const { response_format: format } = given
  if (kind === 'ollama' && given.model !== openAiModel)
    throw openAiError(kind, 404, `model "${given.model}" not found, try pulling it first`)
  if (kind === 'lm-studio' && format?.type === 'json_object')
    throw openAiError(kind, 400, "'response_format.type' must be 'json_schema' or 'text'")
  if (format && rejectsResponseFormat) {
    if (kind === 'openrouter')
      throw openAiError(kind, 404, 'No endpoints found that can handle the requested parameters.')
    throw openAiError(kind, 400, 'This model does not support response_format json_schema.')
  }
  if (kind === 'openai') checkOpenAi(given)
  if (
    kind === 'openrouter' &&
    format &&
    !v.is(v.object({ provider: v.object({ require_parameters: v.literal(true) }) }), given)
  )
    throw openAiError(kind, 400, 'Another provider would ignore response_format.')
}

function checkOpenAi(given: ChatRequest): void {
  const unknown = Object.keys(given).find((name) => !documented.includes(name))
  if (unknown) throw openAiError('openai', 400, `Unrecognized request argument supplied: ${unknown}`)
  const isReasoning = /^(?:o\d|gpt-5)/.test(given.model)
  if (isReasoning && given.max_tokens !== undefined)
    throw openAiError(
      'openai',
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
    )
  if (isReasoning && given.temperature !== undefined && given.temperature !== 1)
    throw openAiError(
      'openai',
      400,
      "Unsupported value: 'temperature' does not support this value with this model. Only the default (1) value is supported.",
      'unsupported_value',
    )
  if (!isReasoning && 'reasoning_effort' in given)
    throw openAiError('openai', 400, 'Unrecognized request argument supplied: reasoning_effort')
  if (given.response_format?.type === 'json_schema' && given.response_format.json_schema.strict) {
    const fault = strictFault(given.response_format.json_schema.schema)
    if (fault) throw openAiError('openai', 400, `Invalid schema for response_format: ${fault}`)
  }
}

/** Strict mode: every property required, no others, in every object of the schema. */
function strictFault(schema: Record<string, unknown>): string | undefined {
  const { properties, items, required, additionalProperties } = schema
  if (typeof items === 'object' && items !== null) return strictFault({ ...items })
  if (typeof properties !== 'object' || properties === null) return undefined
  if (additionalProperties !== false) return "'additionalProperties' is required to be supplied and to be false."
  const names = Object.keys(properties)
  if (!Array.isArray(required) || names.some((name) => !required.includes(name)))
    return "'required' is required to be supplied and to be an array including every key in properties."
  return Object.values(properties)
    .map((property) => strictFault({ ...property }))
    .find(Boolean)
}

function isThinkingOff(kind: OpenAiServerKind, given: ChatRequest): boolean {
  if (kind === 'openrouter') return v.is(v.object({ reasoning: v.object({ effort: v.literal('none') }) }), given)
  if (kind === 'ollama' || kind === 'other') return given.reasoning_effort === 'none'
  return v.is(v.object({ chat_template_kwargs: v.object({ enable_thinking: v.literal(false) }) }), given)
}

/** The form by the name of its schema; without one, by the fields of the schema in the prompt. */
function formOf({ response_format }: ChatRequest, system: string): string {
  if (response_format?.type === 'json_schema') return response_format.json_schema.name
  const forms = {
    beats: 'deliver_script',
    caption: 'deliver_caption',
    scenes: 'deliver_scenes',
    slides: 'deliver_slides',
  }
  const field = Object.keys(forms).find(
    (name) => system.includes(`"properties":{"${name}"`) || system.includes(`},"${name}":{`),
  )
  return forms[field as keyof typeof forms] ?? 'unknown'
}

const materialOf = ({ messages }: ChatRequest): Record<string, unknown> => {
  const text = messages.find(({ role }) => role === 'user')!.content
  return JSON.parse(text.slice(text.indexOf('{"')))
}

interface CompletionOptions {
  thoughts?: string
  cutOff?: boolean
}

/** The body of an answer with this text. */
function completion(
  kind: OpenAiServerKind,
  text: string,
  { thoughts, cutOff = false }: CompletionOptions = {},
): object {
  const reasoning = thoughts === undefined ? {} : { [thoughtField[kind]]: thoughts }
  const choice = {
    index: 0,
    message: {
      role: 'assistant',
      content: text,
      ...reasoning,
      ...(kind === 'openai' && { refusal: null, annotations: [] }),
    },
    finish_reason: cutOff ? 'length' : 'stop',
    ...((kind === 'openai' || kind === 'vllm' || kind === 'lm-studio') && { logprobs: null }),
    ...(kind === 'openrouter' && { native_finish_reason: cutOff ? 'length' : 'stop' }),
  }
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 1_763_000_000,
    model: openAiModel,
    choices: [choice],
    usage: { prompt_tokens: 640, completion_tokens: 420, total_tokens: 1_060 },
    ...(kind === 'ollama' && { system_fingerprint: 'fp_ollama' }),
    ...(kind === 'openrouter' && { provider: 'Stand-in' }),
    ...(kind === 'llama-server' && { timings: { prompt_n: 640, predicted_n: 420, predicted_per_second: 13.5 } }),
  }
}

const thoughtField: Record<OpenAiServerKind, string> = {
  openai: 'reasoning',
  openrouter: 'reasoning',
  ollama: 'reasoning',
  vllm: 'reasoning',
  'lm-studio': 'reasoning_content',
  'llama-server': 'reasoning_content',
  other: 'reasoning_content',
}

/** A fault: this text, and for this reason no more. */
export const chatResponse = (
  kind: OpenAiServerKind,
  text: string,
  options: CompletionOptions = {},
): VendorResponse => ({ body: completion(kind, text, options) })
