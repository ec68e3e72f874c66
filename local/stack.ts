// Starts all emulators of the local run in one data directory. It is independent of the application: tables, machines and functions
// come from the caller.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { EMULATOR_CREDENTIALS } from './aws-client-config.ts'
import { startDynamodb } from './emulators/dynamodb.ts'
import { startKms } from './emulators/kms.ts'
import { startS3 } from './emulators/s3.ts'
import { type ScheduleRequest, startScheduler, type Target } from './emulators/scheduler.ts'
import { type SecretValues, startSecretsManager } from './emulators/secrets-manager.ts'
import { type Queue, startSqs } from './emulators/sqs.ts'
import { type Definition, startStepFunctions, type TaskRunners } from './emulators/step-functions.ts'
import { BUCKET_NAME, type Endpoints, localEnvironment, type PlatformUrlsById } from './environment.ts'
import { runOnce } from './listen.ts'
import { lockDirectory } from './lock.ts'
import type { Log } from './log.ts'
import { choosePorts } from './ports.ts'
import { startSandbox } from './sandbox/server/start.ts'

export interface StackOptions {
  /** Holds all persistent data. Created if missing, and locked by this process until `stop`. */
  readonly directory: string
  readonly data: {
    readonly table: CreateTableCommandInput
    /** The TTL attribute, in seconds since 1970. */
    readonly ttlAttribute: string
  }
  readonly queues: readonly Queue[]
  /** Names of the KMS keys. */
  readonly keys: readonly string[]
  /** The values of Secrets Manager. */
  readonly secrets?: SecretValues
  /** Called after every PUT of an object. */
  readonly onObjectCreated?: (key: string) => void
  readonly pipelines: {
    readonly machines: Readonly<Record<string, Definition>>
    readonly work: TaskRunners
    readonly timeScale: number
  }
  readonly scheduler: {
    readonly schedules: readonly ScheduleRequest[]
    readonly invoke: (target: Target, input: string) => Promise<unknown>
  }
  readonly log: Log
}

export interface Stack {
  readonly endpoints: Endpoints
  readonly platformUrls: PlatformUrlsById
  readonly streamArn: string
  /** Changes with every write to the table. */
  readonly tableVersion: () => number
  /** Environment variables to set before handlers are loaded. */
  readonly environment: Record<string, string>
  /** Resumes interrupted executions and due schedules. Call it once the handlers can be invoked. */
  resume(): void
  /** Stops all services in order. Executions in progress stay RUNNING and resume at the next start. */
  stop(): Promise<void>
}

const PORTS = ['s3', 'sqs', 'kms', 'secrets', 'sandbox', 'states', 'scheduler'] as const

/** Starts all services or none: if one fails to start, the others are stopped and its error is thrown. */
export async function startStack(options: StackOptions): Promise<Stack> {
  try {
    return await startServices(options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    // Another process took a port between the check and listening: choose ports again.
    return startServices(options)
  }
}

async function startServices(options: StackOptions): Promise<Stack> {
  const { directory, data, queues, keys, secrets = {}, onObjectCreated: onObject, pipelines, scheduler, log } = options
  mkdirSync(directory, { recursive: true })
  const lock = lockDirectory(directory)
  // Only under the lock, because the ports belong to the directory.
  const port = await choosePorts(directory, PORTS).catch((error) => {
    lock.release()
    throw error
  })
  const starting = [
    startDynamodb({ directory, ...data, log }),
    startS3({ port: port.s3, directory, buckets: [BUCKET_NAME], onCreated: (_bucket, key) => onObject?.(key) }),
    startSqs({ port: port.sqs, directory, queues }),
    startKms({ port: port.kms, directory, keys }),
    startSecretsManager({ port: port.secrets, secrets }),
    startSandbox({ port: port.sandbox, directory: join(directory, 'sandbox'), timeScale: pipelines.timeScale }),
    startStepFunctions({ port: port.states, directory, ...pipelines, log }),
    startScheduler({ port: port.scheduler, directory, invoke: scheduler.invoke, log }),
  ] as const
  const stop = runOnce(async () => {
    const started = await Promise.allSettled(starting)
    // Callers stop before the services that they call.
    for (const one of started.toReversed()) if (one.status === 'fulfilled') await one.value.stop()
    lock.release()
  })

  try {
    const [dynamodb, , , , , { platformUrls }, stepFunctions, schedules] = await Promise.all(starting)
    const endpoints = urls(port, dynamodb.url)
    for (const schedule of scheduler.schedules) schedules.ensure(schedule)
    return {
      endpoints,
      platformUrls,
      streamArn: dynamodb.streamArn,
      tableVersion: dynamodb.version,
      environment: localEnvironment(endpoints, {
        platformUrls,
        platformsStartedAt: new Date().toISOString(),
        timeScale: pipelines.timeScale,
      }),
      resume: () => {
        const resumed = stepFunctions.resume()
        if (resumed > 0) log(`resuming ${resumed} interrupted executions`)
        schedules.resume()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function urls(port: Record<(typeof PORTS)[number], number>, dynamodb: string): Endpoints {
  const url = (name: (typeof PORTS)[number]) => `http://127.0.0.1:${port[name]}`
  return {
    dynamodb,
    s3: url('s3'),
    sqs: url('sqs'),
    states: url('states'),
    scheduler: url('scheduler'),
    kms: url('kms'),
    secrets: url('secrets'),
    sandbox: url('sandbox'),
    credentials: EMULATOR_CREDENTIALS,
  }
}
