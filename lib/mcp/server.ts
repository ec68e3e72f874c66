/** The MCP server of one request, for both revisions. It knows the protocol; a provider has the tools. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { type TaskFields, tasksExtension } from './tasks.ts'

/** A call as a provider sees it. */
export interface ProviderCall {
  name: string
  args: Record<string, unknown>
  /** The client can show a form to its user, and sends the answer with a second call: only since 2026-07-28. */
  canElicit: boolean
  /** The client declared the extension of tasks. */
  canTask: boolean
  /** Sent with the answer of the user. */
  requestState: string | undefined
  inputResponses: Record<string, unknown> | undefined
  context: ServerContext
}

export type ProviderResult = CallToolResult | InputRequiredResult | ({ resultType: 'task' } & TaskFields)

/** A task with its outcome. */
export type DetailedTask = TaskFields & {
  result?: object
  error?: { code: number; message: string }
  inputRequests?: object
}

export interface ToolProvider {
  list: () => readonly object[]
  /** @throws ProtocolError for an unknown tool. */
  call: (call: ProviderCall) => Promise<ProviderResult>
  /** Each returns undefined for a task that does not exist. */
  getTask: (taskId: string) => Promise<DetailedTask | undefined>
  updateTask: (taskId: string, inputResponses: Record<string, unknown>) => Promise<object | undefined>
  cancelTask: (taskId: string) => Promise<object | undefined>
}

export interface ServerDescription {
  version: string
  instructions: string
  /** Reports an error that the client does not see. */
  onFault: (error: unknown) => void
}

/** The list of tools changes only with a deployment. */
const listCacheMs = 5 * 60_000
const cacheHint = { ttlMs: listCacheMs, cacheScope: 'private' as const }

const taskParams = v.object({ taskId: v.string() })

export function createServer(
  provider: ToolProvider,
  { version, instructions, onFault }: ServerDescription,
  isModern: boolean,
): Server {
  const server = new Server(
    { name: 'reelsmith', title: 'Reelsmith', version },
    {
      instructions,
      capabilities: { tools: {}, ...(isModern && { extensions: { [tasksExtension]: {} } }) },
      cacheHints: { 'server/discover': cacheHint, 'tools/list': cacheHint },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: provider.list() as never }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const declared = declaredCapabilities(context)
    const { inputResponses } = context.mcpReq
    const run = () =>
      provider.call({
        name: params.name,
        args: params.arguments ?? {},
        canElicit: isModern && hasForms(declared),
        canTask: isModern && canTask(context),
        requestState: context.mcpReq.requestState<string>(),
        inputResponses,
        context,
      })
    return (await withoutDetails(run, onFault)) as CallToolResult
  })
  if (isModern) {
    server.setRequestHandler('tasks/get', { params: taskParams }, ({ taskId }, context) =>
      ofTask(context, taskId, () => withoutDetails(() => provider.getTask(taskId), onFault)),
    )
    server.setRequestHandler('tasks/update', { params: taskParams }, ({ taskId }, context) =>
      ofTask(context, taskId, () =>
        withoutDetails(() => provider.updateTask(taskId, context.mcpReq.inputResponses ?? {}), onFault),
      ),
    )
    server.setRequestHandler('tasks/cancel', { params: taskParams }, ({ taskId }, context) =>
      ofTask(context, taskId, () => withoutDetails(() => provider.cancelTask(taskId), onFault)),
    )
  }
  return server
}

type Declared = { elicitation?: { form?: object; url?: object }; extensions?: Record<string, unknown> }

/** An empty capability means forms. */
const hasForms = ({ elicitation }: Declared) =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)

const declaredCapabilities = ({ mcpReq }: ServerContext) =>
  ((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Declared

const canTask = (context: ServerContext) => declaredCapabilities(context).extensions?.[tasksExtension] !== undefined

async function ofTask(context: ServerContext, taskId: string, run: () => Promise<object | undefined>) {
  if (!canTask(context))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } })
  const result = await run()
  if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No such task: ${taskId.slice(0, 100)}`)
  return { resultType: 'complete', ...result }
}

/** The package would send the message of any error to the client. */
async function withoutDetails<Result>(run: () => Promise<Result>, onFault: (error: unknown) => void): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    onFault(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side.')
  }
}
