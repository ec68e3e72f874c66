// EventBridge Scheduler: the AWS wire protocol (restJson1), croner for the expressions, and SQLite, so that schedules and pending
// invocations survive a restart. Runs missed while the service was down happen once, at the next start.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { listen, type RunningServer, runOnce } from '../listen.ts'
import type { Log } from '../log.ts'
import { withClientGuard } from '../loopback-guard.ts'
import { namedError } from './named-error.ts'
import { nextRun } from './scheduler/next-run.ts'
import {
  type Invocation,
  openScheduleStore,
  type Schedule,
  type ScheduleStore,
  type Target,
} from './scheduler/schedule-store.ts'

export type { Target } from './scheduler/schedule-store.ts'

interface SchedulerOptions {
  readonly port: number
  /** Holds `schedules.sqlite`. */
  readonly directory: string
  /** Invokes the target with its input (JSON text, placeholders filled in). A rejection is retried by the retry policy. */
  readonly invoke: (target: Target, input: string) => Promise<unknown>
  readonly log: Log
  /** Polling interval. EventBridge guarantees the minute only. */
  readonly tickMs?: number
}

interface Scheduler extends RunningServer {
  /** Creates or updates a schedule of the stack. An unchanged schedule keeps its next run. */
  ensure(schedule: ScheduleRequest): void
  /** Starts invoking; before that, schedules are only stored. */
  resume(): void
}

/** A schedule as CreateSchedule takes it, on the wire. */
export interface ScheduleRequest extends Omit<Schedule, 'Arn' | 'State' | 'CreationDate' | 'LastModificationDate'> {
  readonly State?: Schedule['State']
  readonly ClientToken?: string
}

const STATUS: Readonly<Record<string, number>> = {
  ValidationException: 400,
  ResourceNotFoundException: 404,
  ConflictException: 409,
}

// https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html
const RETRIES_DEFAULT = 185
const AGE_SECONDS_DEFAULT = 86_400
const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 60_000
const STOP_GRACE_MS = 500

export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const store = openScheduleStore(options.directory)
  const inFlight = new Map<number, Promise<void>>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined

  const deliver = async (invocation: Invocation): Promise<void> => {
    const { schedule } = invocation
    const invoking = Promise.try(options.invoke, schedule.Target, inputOf(invocation))
    const error = await invoking.then(() => undefined, asError)
    // The row remains, so the next start retries.
    if (stopped.signal.aborted) return
    const at = error && retryAt(invocation)
    if (at === undefined) store.removeInvocation(invocation.id)
    else store.retryAt(invocation.id, at)
    if (error) options.log(`schedule ${schedule.Name} failed${at ? ', will retry' : ', no retries left'}`, error)
  }

  const failed = (error: unknown): void => options.log('processing due schedules failed', error)

  const tick = (): void => {
    const now = Date.now()
    for (const { schedule, plannedAt } of store.due(now)) enqueueRun(store, schedule, plannedAt, now)
    for (const invocation of store.dueInvocations(now)) {
      const { id } = invocation
      if (inFlight.has(id)) continue
      const delivering = deliver(invocation).catch(failed)
      inFlight.set(
        id,
        delivering.finally(() => inFlight.delete(id)),
      )
    }
  }

  const listener: RequestListener = async (request, response) => {
    response.setHeader('content-type', 'application/json')
    try {
      response.end(JSON.stringify(await answer(request, store)))
    } catch (error) {
      const { name, message } = error as Error
      response.statusCode = STATUS[name] ?? 500
      response.setHeader('x-amzn-errortype', name)
      response.end(JSON.stringify({ Message: message }))
    }
  }
  const running = await listen(createServer(withClientGuard(listener)), options.port)
  return {
    url: running.url,
    ensure: (schedule) => {
      const earlier = store.find(schedule.GroupName, schedule.Name)
      if (!earlier || !isDeepStrictEqual({ ...earlier, ...schedule }, earlier)) put(store, schedule, earlier)
    },
    resume: () => {
      timer ??= setInterval(() => Promise.try(tick).catch(failed), options.tickMs ?? 250)
    },
    stop: runOnce(async () => {
      clearInterval(timer)
      await running.stop()
      await Promise.race([Promise.all(inFlight.values()), delay(STOP_GRACE_MS, undefined, { ref: false })])
      stopped.abort()
      store.close()
    }),
  }
}

function enqueueRun(store: ScheduleStore, schedule: Schedule, plannedAt: number, now: number): void {
  const next = nextRun(schedule, now)
  const isOver = next === null && schedule.ActionAfterCompletion === 'DELETE'
  store.enqueueInvocation(schedule, plannedAt, isOver ? 'delete' : next)
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The time of the next retry in ms since 1970; undefined if retries or maximum age are exhausted. */
function retryAt({ schedule, plannedAt, attempts }: Invocation): number | undefined {
  const policy = schedule.Target.RetryPolicy ?? {}
  const ageSeconds = (Date.now() - plannedAt) / 1000
  if (attempts >= (policy.MaximumRetryAttempts ?? RETRIES_DEFAULT)) return undefined
  if (ageSeconds > (policy.MaximumEventAgeInSeconds ?? AGE_SECONDS_DEFAULT)) return undefined
  return Date.now() + Math.min(RETRY_FIRST_MS * 2 ** attempts, RETRY_LAST_MS)
}

// https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
function inputOf({ id, schedule, plannedAt, attempts }: Invocation): string {
  return (schedule.Target.Input ?? '{}')
    .replaceAll('<aws.scheduler.scheduled-time>', new Date(plannedAt).toISOString().replace(/\.\d+/, ''))
    .replaceAll('<aws.scheduler.schedule-arn>', schedule.Arn)
    .replaceAll('<aws.scheduler.execution-id>', String(id))
    .replaceAll('<aws.scheduler.attempt-number>', String(attempts + 1))
}

async function answer(request: IncomingMessage, store: ScheduleStore): Promise<object> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const body = JSON.parse((await text(request)) || '{}')
  const [, kind, ...rest] = url.pathname.split('/')
  const name = rest.map(decodeURIComponent).join('/')
  const group: string = body.GroupName ?? url.searchParams.get('groupName') ?? 'default'
  switch (`${request.method} ${kind}${name && '/name'}`) {
    case 'POST schedule-groups/name':
      return createGroup(store, name)
    case 'POST schedules/name':
      if (!store.hasGroup(group))
        throw namedError('ResourceNotFoundException', `Schedule group ${group} does not exist.`)
      if (store.find(group, name)) throw namedError('ConflictException', `Schedule ${name} already exists.`)
      return put(store, { ...body, GroupName: group, Name: name })
    case 'PUT schedules/name':
      return put(store, { ...body, GroupName: group, Name: name }, get(store, group, name))
    case 'GET schedules/name':
      return get(store, group, name)
    case 'DELETE schedules/name':
      get(store, group, name)
      store.remove(group, name)
      return {}
    case 'GET schedules':
      return list(store, url.searchParams)
    default:
      throw namedError('ValidationException', `The local Scheduler does not support ${request.method} ${url.pathname}.`)
  }
}

function createGroup(store: ScheduleStore, name: string): object {
  if (store.hasGroup(name)) throw namedError('ConflictException', `Schedule group ${name} already exists.`)
  store.addGroup(name)
  return { ScheduleGroupArn: `arn:aws:scheduler:us-east-1:000000000000:schedule-group/${name}` }
}

function get(store: ScheduleStore, group: string, name: string): Schedule {
  const found = store.find(group, name)
  if (!found) throw namedError('ResourceNotFoundException', `Schedule ${name} does not exist.`)
  return found
}

/** An update replaces the whole schedule, as in AWS: absent fields get their defaults. */
function put(store: ScheduleStore, { ClientToken: _, ...request }: ScheduleRequest, earlier?: Schedule): object {
  const now = Date.now()
  const schedule: Schedule = {
    State: 'ENABLED',
    ...request,
    Arn: `arn:aws:scheduler:us-east-1:000000000000:schedule/${request.GroupName}/${request.Name}`,
    CreationDate: earlier?.CreationDate ?? now / 1000,
    LastModificationDate: now / 1000,
  }
  if (!isTimeZone(schedule.ScheduleExpressionTimezone ?? 'UTC')) {
    throw namedError('ValidationException', `The time zone ${schedule.ScheduleExpressionTimezone} is not valid.`)
  }
  const next = nextRun(schedule, now)
  store.put(schedule, schedule.State === 'ENABLED' ? next : null)
  return { ScheduleArn: schedule.Arn }
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function list(store: ScheduleStore, query: URLSearchParams): object {
  const found = store.list(query.get('ScheduleGroup'), query.get('NamePrefix'))
  return { Schedules: found.map(({ Target, ...schedule }) => ({ ...schedule, Target: { Arn: Target.Arn } })) }
}
