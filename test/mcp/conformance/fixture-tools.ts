/**
 * The tools that the scenarios of `@modelcontextprotocol/conformance` call, by the descriptions in its sources. Their tasks are in the
 * memory of this process. For tests only: no function loads this file.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { DetailedTask, ProviderCall, ProviderResult, ToolProvider } from '../../../lib/mcp/server.ts'
import { type TaskFields, tasksExtension } from '../../../lib/mcp/tasks.ts'

type Run = (call: ProviderCall) => ProviderResult | Promise<ProviderResult>
type InputRequests = Record<string, { method: string; params: object }>

/** A transparent pixel. */
export const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (content: string, more: Partial<CallToolResult> = {}): CallToolResult => ({
  content: [{ type: 'text', text: content }],
  ...more,
})

// Input that a tool asks for.

export const form = (message: string, property: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [property]: { type } }, required: [property] },
  },
})

const sampling = (prompt: string) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 50 },
})

export const askFor = (inputRequests: InputRequests, requestState?: string) =>
  ({
    resultType: 'input_required',
    inputRequests,
    ...(requestState !== undefined && { requestState }),
  }) as unknown as InputRequiredResult

/** A field of an accepted form; undefined for any other answer. */
export function fieldOf(response: unknown, name: string): string | undefined {
  const content = (response as { content?: Record<string, unknown> } | undefined)?.content
  return typeof content?.[name] === 'string' ? content[name] : undefined
}

const secret = randomUUID()
const signed = (state: object) => {
  const payload = JSON.stringify(state)
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('hex')}`
}

function verified(state: string): Record<string, unknown> {
  const at = state.lastIndexOf('.')
  const given = JSON.parse(at < 0 ? '{}' : state.slice(0, at)) as Record<string, unknown>
  if (at < 0 || signed(given) !== state)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid requestState')
  return given
}

const missing = (requiredCapabilities: object) => new MissingRequiredClientCapabilityError({ requiredCapabilities })

const capabilitiesOf = ({ context }: ProviderCall) =>
  ((context.mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<
    string,
    unknown
  >

// Tasks.

interface FixtureTask {
  createdAt: number
  endsAt: number
  outcome: { result: CallToolResult } | { error: { code: number; message: string } }
  /** What the task waits for. */
  pending: InputRequests
  isCancelled: boolean
}

const tasks = new Map<string, FixtureTask>()

function taskOf(outcome: FixtureTask['outcome'], seconds: number, pending: InputRequests = {}) {
  const [taskId, now] = [randomUUID(), Date.now()]
  tasks.set(taskId, { createdAt: now, endsAt: now + seconds * 1_000, outcome, pending, isCancelled: false })
  return { resultType: 'task' as const, ...fieldsOf(taskId, tasks.get(taskId)!) }
}

function statusOf({ isCancelled, pending, endsAt, outcome }: FixtureTask): TaskFields['status'] {
  if (isCancelled) return 'cancelled'
  if (Object.keys(pending).length > 0) return 'input_required'
  if (Date.now() < endsAt) return 'working'
  return 'error' in outcome ? 'failed' : 'completed'
}

const fieldsOf = (taskId: string, task: FixtureTask): TaskFields => ({
  taskId,
  status: statusOf(task),
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date().toISOString(),
  ttlMs: 600_000,
  pollIntervalMs: 100,
})

function detailed(taskId: string, task: FixtureTask): DetailedTask {
  const fields = fieldsOf(taskId, task)
  if (fields.status === 'input_required') return { ...fields, inputRequests: task.pending }
  return fields.status === 'completed' || fields.status === 'failed' ? { ...fields, ...task.outcome } : fields
}

// The tools.

async function report({ context: { mcpReq } }: ProviderCall): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  for (const progress of [0, 50, 100])
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
}

const sendLog = ({ context: { mcpReq } }: ProviderCall, data: string) =>
  mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })

/** A request to a client of 2025, which answers with a request of its own. */
const elicited = (message: string, properties: object): Run => {
  const requestedSchema = { type: 'object', properties, required: [] }
  return async ({ context: { mcpReq } }) => {
    const params = { message, requestedSchema }
    const { action, content } = await mcpReq.send({ method: 'elicitation/create', params })
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
  }
}

const titled = (...values: string[]) => values.map((value) => ({ const: value, title: `Title of ${value}` }))
const options = ['option1', 'option2', 'option3']

const tools: Record<string, Run> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: image, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: image, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => text('This tool intentionally returns an error for testing', { isError: true }),
  test_tool_with_logging: async (call) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await sendLog(call, data)
    return text('Tool with logging executed successfully')
  },
  test_tool_with_progress: async (call) => {
    await report(call)
    return text('Tool with progress executed successfully')
  },
  test_sampling: async ({ args, context: { mcpReq } }) => {
    const { params } = sampling(String(args.prompt))
    const { content } = await mcpReq.send({ method: 'sampling/createMessage', params })
    return text(`LLM response: ${(content as { text?: string }).text ?? 'No response'}`)
  },
  test_elicitation: (call) =>
    elicited(String(call.args.message), { username: { type: 'string' }, email: { type: 'string' } })(call),
  test_elicitation_sep1034_defaults: elicited('Please review the form fields with defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  test_elicitation_sep1330_enums: elicited('Please select options from the enum fields', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('value1', 'value2', 'value3') } },
  }),
  test_missing_capability: (call) => {
    if (capabilitiesOf(call).sampling === undefined) throw missing({ sampling: {} })
    return text('The client can sample.')
  },
  test_streaming_elicitation: async (call) => {
    await report(call)
    return text('Streaming complete')
  },
  test_logging_tool: async (call) => {
    if ((call.context.mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY] !== undefined)
      await sendLog(call, 'Diagnostic trace logging activated')
    return text('Logging evaluated')
  },

  test_input_required_result_elicitation: ({ inputResponses }) => {
    const name = fieldOf(inputResponses?.user_name, 'name')
    return name === undefined ? askFor({ user_name: form('What is your name?', 'name') }) : text(`Hello, ${name}!`)
  },
  test_input_required_result_sampling: ({ inputResponses }) =>
    inputResponses?.capital_question
      ? text('The model answered.')
      : askFor({ capital_question: sampling('What is the capital of France?') }),
  test_input_required_result_list_roots: ({ inputResponses }) =>
    inputResponses?.client_roots
      ? text('The client has roots.')
      : askFor({ client_roots: { method: 'roots/list', params: {} } }),
  test_input_required_result_request_state: ({ inputResponses, requestState }) => {
    if (requestState === undefined || !inputResponses?.confirm)
      return askFor({ confirm: form('Please confirm', 'ok', 'boolean') }, signed({ kind: 'request-state' }))
    verified(requestState)
    return text('state-ok: the state was returned')
  },
  test_input_required_result_multiple_inputs: ({ inputResponses = {}, requestState }) => {
    const isComplete = ['user_name', 'greeting', 'client_roots'].every((key) => inputResponses[key])
    if (requestState !== undefined && isComplete) return text('All inputs were received.')
    return askFor(
      {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: { method: 'roots/list', params: {} },
      },
      signed({ kind: 'multiple-inputs' }),
    )
  },
  test_input_required_result_multi_round: ({ inputResponses, requestState }) => {
    const { round, name } = requestState === undefined ? {} : verified(requestState)
    const color = fieldOf(inputResponses?.step2, 'color')
    if (round === 2 && color !== undefined) return text(`Multi-round complete for ${String(name)} who likes ${color}`)
    const answered = fieldOf(inputResponses?.step1, 'name')
    if (round === 1 && answered !== undefined)
      return askFor(
        { step2: form('Step 2: What is your favorite color?', 'color') },
        signed({ round: 2, name: answered }),
      )
    return askFor({ step1: form('Step 1: What is your name?', 'name') }, signed({ round: 1 }))
  },
  test_input_required_result_tampered_state: ({ inputResponses, requestState }) => {
    if (requestState !== undefined) verified(requestState)
    return requestState !== undefined && inputResponses?.confirm
      ? text('integrity-ok: state verified')
      : askFor({ confirm: form('Please confirm', 'ok', 'boolean') }, signed({ kind: 'tamper-test' }))
  },
  test_input_required_result_capabilities: (call) => {
    const { elicitation, sampling: samples } = capabilitiesOf(call)
    const requests = {
      ...(elicitation !== undefined && { elicit_input: form('Elicitation input', 'value') }),
      ...(samples !== undefined && { sample_input: sampling('Sample request') }),
    }
    const isAnswered = Object.keys(call.inputResponses ?? {}).length > 0
    return isAnswered || Object.keys(requests).length === 0 ? text('capabilities-ok') : askFor(requests, signed({}))
  },

  greet: ({ args }) => text(`Hello, ${String(args.name)}!`),
  slow_compute: async ({ args, canTask }) => {
    const seconds = Number(args.seconds)
    if (seconds > 0 && canTask) return taskOf({ result: text(`Computed for ${seconds} s`) }, seconds)
    await delay(seconds * 1_000)
    return text(`Computed for ${seconds} s`)
  },
  failing_job: ({ canTask }) => {
    if (!canTask) throw missing({ extensions: { [tasksExtension]: {} } })
    return taskOf({ result: text('The job failed.', { isError: true }) }, 0.2)
  },
  protocol_error_job: () => taskOf({ error: { code: -32_603, message: 'Internal error' } }, 0.2),
  confirm_delete: () =>
    taskOf({ result: text('Deleted.') }, 0, { confirm: form('Delete the file?', 'confirm', 'boolean') }),
  multi_input: () =>
    taskOf({ result: text('Both were answered.') }, 0, {
      first: form('Your first name?', 'name'),
      second: form('Your second name?', 'name'),
    }),
  test_tool_with_task: ({ inputResponses }) => {
    const name = fieldOf(inputResponses?.user_name, 'name')
    if (name === undefined) return askFor({ user_name: form('What is your name?', 'name') })
    return taskOf({ result: text(`Made for ${name}.`) }, 0.2)
  },
}

const ofTask = (change: (task: FixtureTask) => void) => async (taskId: string) => {
  const task = tasks.get(taskId)
  if (task) change(task)
  return task && {}
}

/** Keywords that a server must pass on: the scenario `json-schema-2020-12` compares them. As text, since no object may have `then`. */
const fullSchema: object = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": { "address": { "$anchor": "address", "type": "object", "properties": { "street": { "type": "string" }, "city": { "type": "string" } } } },
  "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
  "allOf": [{ "anyOf": [{ "required": ["name"] }, { "required": ["address"] }] }],
  "if": { "required": ["address"] },
  "then": { "properties": { "name": { "minLength": 1 } } },
  "else": { "properties": { "name": { "minLength": 0 } } },
  "additionalProperties": false
}`)

export const fixtureTools: ToolProvider = {
  list: () => [
    ...Object.keys(tools).map((name) => ({
      name,
      description: `The fixture ${name}`,
      inputSchema: { type: 'object', properties: {} },
    })),
    { name: 'json_schema_2020_12_tool', description: 'Every keyword', inputSchema: fullSchema },
  ],
  call: async (call) => {
    const run = tools[call.name]
    if (!run) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${call.name}`)
    return run(call)
  },
  getTask: async (taskId) => {
    const task = tasks.get(taskId)
    return task && detailed(taskId, task)
  },
  updateTask: (taskId, inputResponses) =>
    ofTask((task) => {
      for (const key of Object.keys(inputResponses)) delete task.pending[key]
    })(taskId),
  cancelTask: ofTask((task) => {
    task.isCancelled ||= statusOf(task) === 'working' || statusOf(task) === 'input_required'
  }),
}
