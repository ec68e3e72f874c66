/**
 * Meters each function and each command of the container: duration, calls to AWS by service and operation, and capacity
 * units of the table. Preloaded (`node --import`) in the service and in every process that it starts; a process of the
 * container appends its figures to the file `METER_FILE` after each command.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Usage {
  /** Number of invocations or commands. */
  runs: number
  ms: number
  read: number
  write: number
  /** By service and operation, such as `DynamoDB.GetItem` or `S3.PUT`. */
  calls: Record<string, number>
}
export type UsageByName = Record<string, Usage>

const used: UsageByName = {}
const currentFunction = new AsyncLocalStorage<string>()
/** Outside of functions: the command of the container, of which a process runs one at a time, or the file of the process. */
let nameOfProcess = basename(process.argv[1] ?? 'node')

const usageOf = (name = currentFunction.getStore() ?? nameOfProcess): Usage =>
  (used[name] ??= { runs: 0, ms: 0, read: 0, write: 0, calls: {} })

/** Usage of this process since the last call. */
export function drainUsage(): UsageByName {
  const usage = structuredClone(used)
  for (const name of Object.keys(used)) delete used[name]
  return usage
}

/** Sums the usage of several processes. */
export function sumUsage(all: readonly UsageByName[]): UsageByName {
  const sum: UsageByName = {}
  for (const [name, { calls, ...figures }] of all.flatMap((one) => Object.entries(one))) {
    const known = sum[name] ?? { runs: 0, ms: 0, read: 0, write: 0, calls: {} }
    sum[name] = known
    for (const figure of ['runs', 'ms', 'read', 'write'] as const) known[figure] += figures[figure]
    for (const [call, count] of Object.entries(calls)) known.calls[call] = (known.calls[call] ?? 0) + count
  }
  return sum
}

subscribe('http.client.request.created', (message) => {
  const name = operationOf((message as { request: ClientRequest }).request)
  if (name === undefined) return
  const { calls } = usageOf()
  calls[name] = (calls[name] ?? 0) + 1
})

/** Services by the prefix of `x-amz-target`. */
const services: Record<string, string> = {
  DynamoDB: 'DynamoDB',
  AmazonSQS: 'SQS',
  AWSStepFunctions: 'StepFunctions',
  TrentService: 'KMS',
  secretsmanager: 'SecretsManager',
}

/**
 * The JSON protocols of AWS have the operation in a header. For S3 and the scheduler: the service of the signature, and
 * the method.
 */
function operationOf(request: ClientRequest): string | undefined {
  const target = request.getHeader('x-amz-target')
  if (typeof target === 'string') {
    const [service = '', operation] = target.split('.')
    return `${services[service.replace(/_\d+$/, '')]}.${operation}`
  }
  const signed = /\/\d{8}\/[\w-]+\/([\w-]+)\/aws4_request/.exec(String(request.getHeader('authorization') ?? ''))
  return signed ? `${signed[1]!.replace('s3', 'S3')}.${request.method}` : undefined
}

const functions = pathToFileURL(join(import.meta.dirname, '../../functions/')).href

/** Imported by the generated wrapper module of each function (see `load`). */
export function withMeter<Args extends unknown[]>(name: string, handler: (...args: Args) => unknown) {
  return (...args: Args) =>
    currentFunction.run(name, async () => {
      const from = performance.now()
      try {
        return await handler(...args)
      } finally {
        const usage = usageOf()
        usage.runs += 1
        usage.ms += performance.now() - from
      }
    })
}

/** Imported by the generated wrapper module of the container's commands. */
export function withCommandMeter<Rest extends unknown[], Result>(
  runCommand: (command: readonly string[], ...rest: Rest) => Promise<Result>,
) {
  return async (command: readonly string[], ...rest: Rest): Promise<Result> => {
    nameOfProcess = `container/${command[0]}`
    const from = performance.now()
    try {
      return await runCommand(command, ...rest)
    } finally {
      const usage = usageOf()
      usage.runs += 1
      usage.ms += performance.now() - from
      const { METER_FILE: file } = process.env
      if (file) appendFileSync(file, `${JSON.stringify(drainUsage())}\n`)
    }
  }
}

const commands = pathToFileURL(join(import.meta.dirname, '../../containers/media/commands.ts')).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isMetered = found.url.startsWith(functions) || found.url === commands
    return isMetered && !found.url.includes('?') ? { ...found, url: `${found.url}?metered` } : found
  },
  load(url, context, next) {
    if (!url.endsWith('?metered')) return next(url, context)
    const file = url.slice(0, -'?metered'.length)
    if (file === commands) return { format: 'module', source: meteredCommands, shortCircuit: true }
    const name = file.slice(functions.length).replace(/\.ts$/, '')
    const source = `import { handler as unmetered } from ${JSON.stringify(`${file}?unmetered`)}
      import { withMeter } from ${JSON.stringify(import.meta.url)}
      export const handler = withMeter(${JSON.stringify(name)}, unmetered)`
    return { format: 'module', source, shortCircuit: true }
  },
})

const meteredCommands = `export * from ${JSON.stringify(`${commands}?unmetered`)}
  import { runCommand as unmetered } from ${JSON.stringify(`${commands}?unmetered`)}
  import { withCommandMeter } from ${JSON.stringify(import.meta.url)}
  export const runCommand = withCommandMeter(unmetered)`

const { table } = await import('../../lib/store/core/client.ts')
const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/
// Requests the consumed capacity with every command.
table.middlewareStack.add(
  (next, context) => async (call) => {
    const result = await next({ ...call, input: { ...call.input, ReturnConsumedCapacity: 'TOTAL' } })
    const { ConsumedCapacity: consumed } = result.output as { ConsumedCapacity?: object | object[] }
    const units = [consumed ?? []]
      .flat()
      .reduce((sum, one) => sum + ((one as { CapacityUnits?: number }).CapacityUnits ?? 0), 0)
    usageOf()[writes.test(String(context.commandName)) ? 'write' : 'read'] += units
    return result
  },
  { step: 'initialize', name: 'meterCapacity', priority: 'high' },
)
