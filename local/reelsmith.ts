// The whole service on this machine: emulators, functions and API. It is the same program as in AWS; only endpoints differ, and they
// come from the environment.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DynamoDBRecord } from 'aws-lambda'
import { basePath } from '../lib/contract/route.ts'
import { sourceFolder } from '../lib/domain/uploads/upload-lifecycle.ts'
import { ttlAttribute } from '../lib/store/core/keys.ts'
import { tableDefinition } from '../lib/store/core/table-definition.ts'
import { documentServer } from './documents.ts'
import { startHttpApi } from './emulators/api-gateway/http-api.ts'
import { invokeLambda } from './emulators/lambda.ts'
import { type Fault, startSandboxes } from './emulators/lambda-sandboxes.ts'
import {
  type Endpoints,
  PLATFORM_CLIENTS,
  type PlatformUrlsById,
  PROVIDER_KEYS,
  SEALING_KEY,
  TABLE_NAME,
} from './environment.ts'
import {
  functionTimeoutMs,
  loadWorkers,
  queues,
  runEventSourceMappings,
} from './event-source-mappings/event-source-mappings.ts'
import { fairLimit, shareThread } from './fair-limit.ts'
import { loadHandler, loadRoutes, mcpOnUse, mediaFunction, readStateMachines } from './handlers.ts'
import { startLargeRequests } from './large-requests.ts'
import type { Log } from './log.ts'
import { builtInProviderConfig, type ProviderConfig, providerKeysSecret } from './provider-config.ts'
import { setAroundCommand } from './role-enforcement.ts'
import { sandboxClients } from './sandbox/oauth/dialects.ts'
import { startStack } from './stack.ts'
import { studioServer } from './studio.ts'

interface ReelsmithOptions {
  /** Holds all persistent data. */
  readonly directory: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Divides the waits of pipelines and retries. */
  readonly timeScale: number
  /** Default: the built-in providers. */
  readonly vendors?: ProviderConfig
  readonly log: Log
  /** A line that a task of the container printed; without it these go to `log`. */
  readonly onLine?: (line: string) => void
  /** Faults of the media function, for tests. */
  readonly mediaFault?: (event: unknown) => Fault | undefined
  /** Sees every record of the table's stream. */
  readonly onRecord?: ((record: DynamoDBRecord) => void) | undefined
}

export interface Reelsmith {
  readonly baseUrl: string
  readonly studioUrl: string
  /** Of the MCP server. */
  readonly mcpUrl: string
  readonly endpoints: Endpoints
  readonly platformUrls: PlatformUrlsById
  /** Runs the sweeper now instead of within the minute. */
  readonly sweep: () => Promise<unknown>
  /** Starts workers and pipelines, including interrupted ones of an earlier run. Before it, the outbox only fills. */
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/** The program of the container, restricted to its IAM role. */
const containerEntry = (file: string): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  ...['--import', join(import.meta.dirname, 'assume-container-role.ts')],
  join(import.meta.dirname, '../containers/media', file),
]

/** Of `lib/infra/constructs/media-function.ts`. */
const mediaFunctionTimeoutMs = 180_000

/** The second word of a container command. */
const workspaceOf = ([, workspaceId = '']: readonly string[]): string => workspaceId

const mappingStopMs = 1_000
/** Requests of one client at once. One that takes longer than this time waits for a job, and no longer counts. */
const requestsMax = 2
const requestTurnMs = 500

/** Sets the environment of this process before it loads the functions, so only one service can run in a process. */
export async function startReelsmith(options: ReelsmithOptions): Promise<Reelsmith> {
  const { directory, port, timeScale, vendors = builtInProviderConfig, log, onLine = log, onRecord } = options
  const invoke = async (name: string, payload: unknown) =>
    invokeLambda(await loadHandler(name), payload, { name, timeoutMs: functionTimeoutMs })
  const sweep = () => invoke('workers/sweep', {})
  // The EventBridge rule of the deployed stack. An event before `resume`, or one whose worker fails, is lost; the sweeper recovers it.
  let isResumed = false
  const onObject = (key: string) => {
    if (!isResumed || !key.includes(sourceFolder)) return
    invoke('workers/receive-upload', { detail: { object: { key } } }).catch((error) =>
      log(`processing the upload ${key} failed`, error),
    )
  }
  // More work of the container than cores: some of it waits for vendors.
  const mediaLimit = fairLimit(2 * availableParallelism())
  const sandboxes = startSandboxes({
    command: containerEntry('function.ts'),
    directory: join(directory, 'sandboxes'),
    timeoutMs: mediaFunctionTimeoutMs,
    onLine,
    ...(options.mediaFault && { faultOf: options.mediaFault }),
  })
  const invokeFromPipeline = async (name: string, payload: unknown) => {
    if (name !== mediaFunction) return invoke(name, payload)
    const { command } = payload as { command: string[] }
    return mediaLimit(workspaceOf(command), () => sandboxes.invoke(payload))
  }
  const stack = await startStack({
    directory,
    data: { table: tableDefinition(TABLE_NAME), ttlAttribute },
    queues,
    keys: [SEALING_KEY],
    secrets: {
      [PROVIDER_KEYS]: () => providerKeysSecret(directory, vendors),
      [PLATFORM_CLIENTS]: () => JSON.stringify(sandboxClients),
    },
    onObjectCreated: onObject,
    pipelines: {
      machines: readStateMachines(),
      timeScale,
      work: {
        invoke: invokeFromPipeline,
        command: () => ({ command: containerEntry('main.ts'), onLine }),
        schedule: (command, run) => mediaLimit(workspaceOf(command), run),
      },
    },
    scheduler: {
      schedules: [everyMinute, everyQuarter],
      invoke: (target, input) => invoke(target.Arn, JSON.parse(input)),
    },
    log,
  })
  try {
    Object.assign(process.env, stack.environment, { PROVIDERS: vendors.providers, VENDOR_URLS: vendors.urls })
    const routes = [...(await loadRoutes()), mcpOnUse()]
    const thread = shareThread(requestsMax, requestTurnMs)
    setAroundCommand(thread.send)
    const documents = documentServer(async () => (await import('../scripts/site/files.ts')).siteFiles())
    const studioFiles = () => import('../scripts/studio.ts')
    const studio = studioServer(
      async () => (await studioFiles()).buildStudio(),
      stack.endpoints.s3,
      async () => (await studioFiles()).studioAssets(),
    )
    const largeRequests = startLargeRequests(log, thread.send)
    const api = await startHttpApi({
      port,
      basePath,
      routes,
      fallback: await loadHandler('api/not-found'),
      pages: (request, response) => documents(request, response) || studio(request, response),
      schedule: thread.run,
      largeBodies: largeRequests.handle,
      log,
    })
    const stopping = new AbortController()
    const workers = await loadWorkers()
    let mappings = Promise.resolve()
    return {
      baseUrl: `${api.url}${basePath}`,
      studioUrl: `${api.url}/`,
      mcpUrl: `${api.url}${basePath}/mcp`,
      endpoints: stack.endpoints,
      platformUrls: stack.platformUrls,
      sweep,
      resume: () => {
        mappings = runEventSourceMappings({ ...stack, directory, workers, thread, onRecord, log }, stopping.signal)
        isResumed = true
        stack.resume()
      },
      stop: async () => {
        await api.stop()
        await largeRequests.stop()
        stopping.abort()
        isResumed = false
        // A record in flight may take long; it is delivered again at the next start.
        await Promise.race([mappings, delay(mappingStopMs, undefined, { ref: false })])
        await Promise.all([stack.stop(), sandboxes.stop()])
      },
    }
  } catch (error) {
    await Promise.all([stack.stop(), sandboxes.stop()])
    throw error
  }
}

/** A schedule of the deployed stack. */
const workerSchedule = (worker: string, ScheduleExpression: string) => ({
  Name: worker,
  GroupName: 'default',
  ScheduleExpression,
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  Target: { Arn: `workers/${worker}`, RoleArn: 'arn:aws:iam::000000000000:role/local' },
})

const everyMinute = workerSchedule('sweep', 'rate(1 minute)')
const everyQuarter = workerSchedule('refresh-tokens', 'rate(15 minutes)')
