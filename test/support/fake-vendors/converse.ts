/**
 * Converse of Bedrock, with a model that fills in forms: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html.
 * A request is checked as Bedrock and Nova check it (https://docs.aws.amazon.com/nova/latest/userguide/prompting-tool-troubleshooting.html).
 */
import * as v from 'valibot'
import { type BedrockOperation, restJsonError } from './bedrock.ts'
import type { VendorFault, VendorResponse } from './fake-vendor.ts'

export const converseModel = 'global.amazon.nova-2-lite-v1:0'
const models = [converseModel, 'amazon.nova-lite-v1:0']
const profilesOnly = ['amazon.nova-2-lite-v1:0']

/** What the model makes of a form: the name of its tool, the material of the message and the task in, the input of the tool out. */
export type FakeModel = (form: string, material: Record<string, unknown>, task: string) => object | Promise<object>

const notBlank = v.pipe(v.string(), v.regex(/\S/))
const toolUse = v.strictObject({ toolUseId: notBlank, name: notBlank, input: v.record(v.string(), v.unknown()) })
const toolResult = v.strictObject({
  toolUseId: notBlank,
  content: v.pipe(v.array(v.strictObject({ text: notBlank })), v.minLength(1)),
  status: v.optional(v.picklist(['success', 'error'])),
})
const block = v.union([v.strictObject({ text: notBlank }), v.strictObject({ toolUse }), v.strictObject({ toolResult })])
const request = v.strictObject({
  messages: v.pipe(
    v.array(
      v.strictObject({ role: v.picklist(['user', 'assistant']), content: v.pipe(v.array(block), v.minLength(1)) }),
    ),
    v.minLength(1),
  ),
  system: v.optional(v.array(v.strictObject({ text: notBlank }))),
  inferenceConfig: v.optional(
    v.strictObject({
      maxTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
      temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    }),
  ),
  toolConfig: v.strictObject({
    tools: v.pipe(
      v.array(
        v.strictObject({
          toolSpec: v.strictObject({
            name: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
            description: v.optional(notBlank),
            inputSchema: v.strictObject({
              json: v.strictObject({
                type: v.literal('object'),
                properties: v.record(v.string(), v.object({ type: v.string() })),
                required: v.optional(v.array(v.string())),
              }),
            }),
          }),
        }),
      ),
      v.minLength(1),
    ),
    toolChoice: v.optional(v.strictObject({ tool: v.strictObject({ name: v.string() }) })),
  }),
})
type ConverseRequest = v.InferOutput<typeof request>

export const converse = (model: FakeModel): BedrockOperation => ({
  method: 'POST',
  path: /^\/model\/(?<modelId>[^/]+)\/converse$/,
  async answer({ body }, { modelId = '' }) {
    if (profilesOnly.includes(modelId))
      throw invalid(`Invocation of model ID ${modelId} with on-demand throughput isn’t supported.`)
    if (!models.includes(modelId)) throw invalid('The provided model identifier is invalid.')
    const given = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body.toString('utf8'))
    if (!given.success) throw invalid(`Malformed input request: ${v.getDotPath(given.issues[0])}`)
    const { messages, toolConfig, system = [] } = given.output
    const task = system.map(({ text }) => text).join('\n')
    checkTurns(messages)
    const form = toolConfig.toolChoice?.tool.name
    if (!form || !toolConfig.tools.some(({ toolSpec }) => toolSpec.name === form))
      throw invalid('The toolChoice names no tool of the request.')
    return answered([
      {
        toolUse: {
          toolUseId: `tooluse_${messages.length}`,
          name: form,
          input: await model(form, materialOf(messages), task),
        },
      },
    ])
  },
})

const invalid = (message: string) => restJsonError(400, 'ValidationException', message)

function checkTurns(messages: ConverseRequest['messages']): void {
  messages.forEach(({ role, content }, index) => {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant'))
      throw invalid('The roles must alternate, beginning with user.')
    const before = messages[index - 1]?.content ?? []
    const asked = before.flatMap((part) => ('toolUse' in part ? [part.toolUse.toolUseId] : []))
    const told = content.flatMap((part) => ('toolResult' in part ? [part.toolResult.toolUseId] : []))
    if (role === 'user' && JSON.stringify(asked) !== JSON.stringify(told))
      throw invalid('Each toolUse needs its toolResult in the next message.')
  })
  if (messages.at(-1)?.role !== 'user') throw invalid('A conversation must end with a user message.')
}

const materialOf = ([first]: ConverseRequest['messages']): Record<string, unknown> => {
  const [part] = first?.content ?? []
  return part && 'text' in part ? JSON.parse(part.text) : {}
}

const answered = (content: object[], stopReason = 'tool_use'): VendorResponse => ({
  body: {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 400, outputTokens: 300, totalTokens: 700 },
    metrics: { latencyMs: 900 },
  },
})

/** An answer in which the tool is called with this, and for this reason no more. */
export const toolUseResponse = (name: string, input: object, stopReason = 'tool_use'): VendorFault =>
  answered([{ toolUse: { toolUseId: 'tooluse_fault', name, input } }], stopReason)
/** An answer in plain text. */
export const textResponse = (text: string, stopReason = 'end_turn'): VendorFault => answered([{ text }], stopReason)
/** An error of the service by its name. */
export const errorFault = (status: number, name: string, message?: string): VendorFault =>
  restJsonError(status, name, message).answer
