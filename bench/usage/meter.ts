/**
 * What each function and each task of the container takes: how long it runs, its calls to AWS by service and operation, and the
 * capacity units of the table. Loaded before everything else (`node --import`), in the service and in every process that it starts:
 * each process adds its figures to the file that `METER_FILE` names when it ends.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

export interface Usage {
  /** Times that it was called, or run. */
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
const commandOfContainer = /containers\/render\/main\.ts$/.test(process.argv[1] ?? '') && process.argv[2]
/** Of a process that runs no functions: the command of the container, else the file that it runs. */
const nameOfProcess = commandOfContainer ? `container/${commandOfContainer}` : basename(process.argv[1] ?? 'node')

const of = (name = currentFunction.getStore() ?? nameOfProcess): Usage =>
  (used[name] ??= { runs: 0, ms: 0, read: 0, write: 0, calls: {} })

/** What was used in this process since this was asked for the last time. */
export function drainUsage(): UsageByName {
  const taken = structuredClone(used)
  for (const name of Object.keys(used)) delete used[name]
  return taken
}

/** The sum of what several processes used. */
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
  const { calls } = of()
  calls[name] = (calls[name] ?? 0) + 1
})

/** Services by the names that they have on the wire. */
const services: Record<string, string> = {
  DynamoDB: 'DynamoDB',
  AmazonSQS: 'SQS',
  AWSStepFunctions: 'StepFunctions',
  TrentService: 'KMS',
  secretsmanager: 'SecretsManager',
}

/** The JSON protocols of AWS name the operation in a header; S3 and the scheduler are told by method, and signed as their service. */
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

/** `timed` is found by the functions themselves, which are loaded through a module that is not on the disk. */
export function withMeter<Args extends unknown[]>(name: string, handler: (...args: Args) => unknown) {
  return (...args: Args) =>
    currentFunction.run(name, async () => {
      const from = performance.now()
      try {
        return await handler(...args)
      } finally {
        const usage = of()
        usage.runs += 1
        usage.ms += performance.now() - from
      }
    })
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isFunction = found.url.startsWith(functions) && !found.url.includes('?')
    return isFunction ? { ...found, url: `${found.url}?metered` } : found
  },
  load(url, context, next) {
    if (!url.endsWith('?metered')) return next(url, context)
    const file = url.slice(0, -'?metered'.length)
    const name = file.slice(functions.length).replace(/\.ts$/, '')
    const source = `import { handler as unmetered } from ${JSON.stringify(`${file}?unmetered`)}
      import { timed } from ${JSON.stringify(import.meta.url)}
      export const handler = timed(${JSON.stringify(name)}, unmetered)`
    return { format: 'module', source, shortCircuit: true }
  },
})

const { table } = await import('../../lib/store/core/client.ts')
const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/
// Every command is asked to tell what it consumed, on its way to the wire.
table.middlewareStack.add(
  (next, context) => async (call) => {
    const result = await next({ ...call, input: { ...call.input, ReturnConsumedCapacity: 'TOTAL' } })
    const { ConsumedCapacity: consumed } = result.output as { ConsumedCapacity?: object | object[] }
    const units = [consumed ?? []]
      .flat()
      .reduce((sum, one) => sum + ((one as { CapacityUnits?: number }).CapacityUnits ?? 0), 0)
    of()[writes.test(String(context.commandName)) ? 'write' : 'read'] += units
    return result
  },
  { step: 'initialize', name: 'meterCapacity', priority: 'high' },
)

const { METER_FILE: file } = process.env
// Threads are parts of their process.
if (file && commandOfContainer && isMainThread)
  process.on('exit', () => {
    const usage = of(nameOfProcess)
    usage.runs += 1
    usage.ms += performance.now()
    appendFileSync(file, `${JSON.stringify(drainUsage())}\n`)
  })
