// The whole service on this machine: the emulators, the functions behind them, the API in front. It is the same program that
// runs in AWS; only endpoints differ, and those come from the environment.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { basePath } from '../lib/api/match.ts'
import { sourceFolder } from '../lib/domain/upload.ts'
import { outboxPrefix, ttlAttribute } from '../lib/store/keys.ts'
import { tableDefinition } from '../lib/store/table.ts'
import { clientOf } from './client.ts'
import { queueUrl } from './emulators/sqs.ts'
import { type Endpoints, TABLE_NAME } from './environment.ts'
import { loadHandler, loadRoutes, readMachines } from './functions.ts'
import { startHttpApi } from './http-api.ts'
import { invokeLambda } from './lambda.ts'
import type { Log } from './log.ts'
import { mapStream } from './mappings/stream.ts'
import { startStack } from './stack.ts'

export interface ReelsmithOptions {
  /** Everything that lasts. */
  readonly directory: string
  /** 0 takes a free port. */
  readonly port: number
  /** Makes the waits of pipelines this many times shorter. */
  readonly timeScale: number
  readonly log: Log
}

export interface Reelsmith {
  readonly baseUrl: string
  readonly endpoints: Endpoints
  /** Wakes the sweeper now instead of within the minute. */
  readonly sweep: () => Promise<unknown>
  /** Lets what was accepted go on, now and from an earlier run; before it the outbox waits. */
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/** Where stream records go that the dispatcher could not do; the sweeper still finds their rows. */
const deadOutbox = 'dead-outbox'

/** Longer than any function of the deployed stack has: here a hanging step is ended by its state. */
const functionTimeoutMs = 15 * 60 * 1000
const mappingStopMs = 1_000

/** Sets this process's environment before it loads the functions: only one service can run in a process. */
export async function startReelsmith({ directory, port, timeScale, log }: ReelsmithOptions): Promise<Reelsmith> {
  const invoke = async (name: string, payload: unknown) =>
    invokeLambda(await loadHandler(name), payload, { name, timeoutMs: functionTimeoutMs })
  const sweep = () => invoke('workers/sweep', {})
  // The rule of the deployed stack. What it tells is lost before `resume` and where the worker fails: then the sweeper finds it.
  let listening = false
  const onObject = (key: string) => {
    if (!listening || !key.includes(sourceFolder)) return
    invoke('workers/receive-upload', { detail: { object: { key } } }).catch((error) =>
      log(`the arrival of ${key} was not dealt with`, error),
    )
  }
  const mediaTask = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, '../containers/render/main.ts'),
  ]

  const stack = await startStack({
    directory,
    data: { table: tableDefinition(TABLE_NAME), ttlAttribute },
    queues: [{ name: deadOutbox }],
    onObject,
    pipelines: {
      machines: readMachines(),
      timeScale,
      work: { invoke, command: () => ({ command: mediaTask, onLine: log }) },
    },
    scheduler: { schedules: [everyMinute], invoke: (target) => invoke(target.Arn, {}) },
    log,
  })
  try {
    Object.assign(process.env, stack.environment)
    const routes = await loadRoutes()
    const api = await startHttpApi({ port, basePath, routes, fallback: await loadHandler('api/not-found'), log })
    const sqs = new SQSClient(clientOf(stack.endpoints.sqs))
    const stopping = new AbortController()
    const dispatcher = await loadHandler('workers/dispatch-outbox')
    let mapping = Promise.resolve()
    const mapOutbox = () =>
      mapStream(
        {
          endpoint: stack.endpoints.dynamodb,
          streamArn: stack.streamArn,
          handler: dispatcher,
          limits: { name: 'dispatch-outbox', timeoutMs: functionTimeoutMs },
          checkpointFile: join(directory, 'dispatch-outbox.checkpoint'),
          delivery: {
            batchSize: 25,
            maximumRetryAttempts: 8,
            filter: ({ eventName, dynamodb }) =>
              eventName === 'INSERT' && Boolean(dynamodb?.Keys?.sk?.S?.startsWith(outboxPrefix)),
            onFailure: async (record) => {
              const MessageBody = JSON.stringify(record)
              await sqs.send(
                new SendMessageCommand({ QueueUrl: queueUrl(stack.endpoints.sqs, deadOutbox), MessageBody }),
              )
            },
          },
          log,
        },
        stopping.signal,
      )
    return {
      baseUrl: `${api.url}${basePath}`,
      endpoints: stack.endpoints,
      sweep,
      resume: () => {
        mapping = mapOutbox()
        listening = true
        stack.resume()
      },
      stop: async () => {
        await api.stop()
        stopping.abort()
        listening = false
        // A record in hand may take long; it is given again at the next start.
        await Promise.race([mapping, delay(mappingStopMs, undefined, { ref: false })])
        sqs.destroy()
        await stack.stop()
      },
    }
  } catch (error) {
    await stack.stop()
    throw error
  }
}

/** The sweeper's schedule, as the deployed stack has it. */
const everyMinute = {
  Name: 'sweep',
  GroupName: 'default',
  ScheduleExpression: 'rate(1 minute)',
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  Target: { Arn: 'workers/sweep', RoleArn: 'arn:aws:iam::000000000000:role/local' },
}
