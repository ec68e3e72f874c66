/**
 * A simulated deployment with the metrics of a real one: those that the functions emit, and stand-ins for those of AWS,
 * derived from what happened to invocations, messages and requests. Only the faults of the test happen.
 */
import '../simulator/environment.ts'
import type { Route } from '../../lib/contract/route.ts'
import { bundleService, evaluateService, type Service } from '../simulator/bundle.ts'
import { createClient, type RequestInput } from '../simulator/client.ts'
import type { Ports } from '../simulator/ports.ts'
import type { Workspace } from '../simulator/service/setup.ts'
import { PortFailure } from '../simulator/world/failure.ts'
import type { OtherFault } from '../simulator/world/faults.ts'
import { createRandom } from '../simulator/world/random.ts'
import { Crashed, type Task } from '../simulator/world/schedule.ts'
import { cancelled } from '../simulator/world/table.ts'
import { createWorld, type World } from '../simulator/world/world.ts'
import { type Datum, embeddedMetrics } from './cloudwatch.ts'

const newService = await evaluateService(await bundleService())

/** A call to AWS. Tasks are named by their function, such as `api/videos/create` or `media render`. */
export interface Call {
  task: string
  service: string
  operation: string
  minute: number
}

/** The process dies before or after the call takes effect; or the call fails, or returns cut bytes. */
export type CallFault = 'diesBefore' | 'diesAfter' | 'throttled' | 'conflict' | 'cut'

/** What breaks. */
export interface Faults {
  ofCall?: (call: Call) => CallFault | undefined
  /** Faults at other places. */
  happens?: (name: OtherFault, minute: number) => boolean
  /** Whether an invocation is throttled: the function is not started. */
  isThrottled?: (name: string, minute: number) => boolean
  /** Wraps the ports of every process, for good. */
  ports?: (ports: Ports) => Ports
  /** Whether the schedule of the sweeper fires. */
  ticks?: (minute: number) => boolean
}

/** The resources by which AWS names its metrics. */
export interface Monitored {
  sweeper: string
  deadDeliveries: string
  lostWakeUps: string
  apiFaults: { namespace: string; name: string; isSelected: (line: Readonly<Record<string, string>>) => boolean }
}

interface Invocation {
  name: string
  event: unknown
  task: Task
  at: number
  /** Undefined while it runs, and for ever where its process died. */
  outcome: { result: unknown } | 'failed' | 'throttled' | undefined
}

export interface Client {
  world: World
  workspace: Workspace
  /** The data of the response; undefined where there was none, or an error. */
  send: (route: Route, input?: RequestInput) => Promise<Record<string, never> | undefined>
  sleep: (seconds: number) => Promise<void>
}

const startAt = Date.parse('2027-01-15T09:00:00Z')
const minuteMs = 60_000

/** Runs clients among the faults for some minutes, and for some more without them; the metrics of that time. */
export async function metricsOf(
  { faults, minutes, quietMinutes = 0 }: { faults: Faults; minutes: number; quietMinutes?: number },
  work: (client: Client) => Promise<void>,
  monitored: Monitored,
): Promise<{ data: Datum[]; from: number; to: number }> {
  const world = createWorld({
    random: createRandom(1),
    startAt,
    newService: (ports) => processOf(faults.ports?.(ports) ?? ports),
  })
  const { schedule } = world
  let isOn = false
  let from = startAt
  const minute = () => Math.floor((schedule.now() - from) / minuteMs)

  const invocations: Invocation[] = []
  const dead = new Set<Task>()
  /** A process: where an invocation in it dies, later ones find a new one. As deployed, other functions live on. */
  function processOf(ports: Ports): Service {
    const load = () => recorded(newService(withCallFaults(ports, die)), begin)
    let service = load()
    function die(task: Task): Promise<never> {
      dead.add(task)
      // Its deadline must not end the process, in which other functions live on.
      task.instance.tasks.delete(task)
      service = load()
      task.fail(new Crashed())
      return new Promise(() => {})
    }
    return {
      get handlers() {
        return service.handlers
      },
      media: () => service.media(),
      setup: () => service.setup(),
    }
  }
  const withCallFaults = (ports: Ports, die: (task: Task) => Promise<never>): Ports => ({
    ...ports,
    aws: async (service, operation, input, options) => {
      const task = schedule.currentTask.getStore()!
      if (dead.has(task)) return new Promise(() => {})
      const fault = isOn ? faults.ofCall?.({ task: task.name, service, operation, minute: minute() }) : undefined
      if (fault === 'diesBefore') return die(task)
      if (fault === 'throttled') throw new PortFailure('ThrottlingException', 'Rate exceeded')
      if (fault === 'conflict') throw conflictOf(operation, input)
      const result = await ports.aws(service, operation, input, options)
      if (fault === 'diesAfter') return die(task)
      return fault === 'cut' ? cut(result) : result
    },
  })

  function begin(name: string, event: unknown): Invocation {
    const invocation: Invocation = {
      name,
      event,
      task: schedule.currentTask.getStore()!,
      at: schedule.now(),
      outcome: undefined,
    }
    invocations.push(invocation)
    if (isOn && faults.isThrottled?.(name, minute())) invocation.outcome = 'throttled'
    return invocation
  }
  world.faults.happens = (name) => isOn && (faults.happens?.(name as OtherFault, minute()) ?? false)
  world.faults.ofCall = () => undefined

  let workspace: Workspace | undefined
  const failures: unknown[] = []
  const background = (work: Promise<unknown>) => void work.catch((error) => failures.push(error))
  background(
    world
      .call('setup', async ({ setup }) => (await setup()).setUpWorkspace('self-hosted', ['twitter']))
      .then((made) => {
        workspace = made
      }),
  )
  await schedule.settle()
  while (!workspace && failures.length === 0) await schedule.step()

  from = Math.ceil(schedule.now() / minuteMs) * minuteMs
  const to = from + (minutes + quietMinutes) * minuteMs
  isOn = true
  schedule.at(from + minutes * minuteMs, () => {
    isOn = false
  })
  const sendOnce = createClient(world, [])
  const client: Client = {
    world,
    workspace: workspace!,
    send: async (route, input) => {
      const answer = await sendOnce.send(route, workspace!, input)
      return answer && answer.status < 300 ? (answer.body.data as Record<string, never>) : undefined
    },
    sleep: (seconds) => schedule.sleep(seconds * 1000),
  }
  schedule.at(from, () => background(work(client)))
  for (let tick = 0; tick < minutes + quietMinutes; tick++)
    schedule.at(from + tick * minuteMs + 10_000, () => {
      if (!isOn || (faults.ticks?.(tick) ?? true))
        world
          .call(
            'workers/sweep',
            async ({ handlers }) => (await handlers['workers/sweep']!()).handler({}, world.context(58_000)),
            58_000,
          )
          .catch(() => {})
    })
  while (schedule.next !== undefined && schedule.next < to && failures.length === 0) await schedule.step()
  if (failures.length > 0) throw failures[0]
  const data = [...world.logs.flatMap(embeddedMetrics), ...metricsOfAws(invocations, dead, monitored, to)]
  return { data, from, to }
}

/** Only writes conflict. */
function conflictOf(operation: string, input: unknown): PortFailure {
  if (operation !== 'TransactWrite') return new PortFailure('TransactionConflictException', 'Transaction is ongoing')
  const { TransactItems } = input as { TransactItems: unknown[] }
  return cancelled(TransactItems.map((_, index) => ({ Code: index === 0 ? 'TransactionConflict' : 'None' })))
}

/** An object with the first half of its bytes. */
function cut(result: unknown): unknown {
  const { Body } = result as { Body?: Uint8Array }
  return Body ? { ...(result as object), Body: Body.subarray(0, Body.byteLength / 2) } : result
}

/** A service whose invocations are recorded. */
function recorded(service: Service, begin: (name: string, event: unknown) => Invocation): Service {
  const handlers = Object.entries(service.handlers).map(([name, load]) => [
    name,
    async () => ({
      handler: async (event: unknown, context: unknown) => {
        const invocation = begin(name, event)
        if (invocation.outcome === 'throttled') throw new Error('Rate exceeded')
        try {
          const result = await (await load()).handler(event, context)
          invocation.outcome = { result }
          return result
        } catch (error) {
          invocation.outcome = 'failed'
          throw error
        }
      },
    }),
  ])
  return { ...service, handlers: Object.fromEntries(handlers) }
}

/** A message becomes a dead letter after so many failed receives, a stream record after so many retries. */
const receivesMax = 5
const recordAttemptsMax = 9

function metricsOfAws(
  invocations: readonly Invocation[],
  dead: ReadonlySet<Task>,
  monitored: Monitored,
  to: number,
): Datum[] {
  const data: Datum[] = []
  const isEnded = ({ outcome, task }: Invocation) => outcome !== undefined || dead.has(task) || task.instance.isDead
  const count = (namespace: string, name: string, dimensions: Record<string, string>, at: number) =>
    data.push({ namespace, name, dimensions, value: 1, at })
  /** Dead letters stay visible until an operator removes them. */
  const deadLetter = (QueueName: string, since: number) => {
    for (let at = since; at < to; at += minuteMs)
      count('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, at)
  }
  const failedTimes = new Map<string, number>()
  /** Items of a batch that the function did not handle. */
  const unhandled = ({ name, event, outcome }: Invocation): string[] => {
    const { Records = [] } = event as { Records?: { messageId?: string; dynamodb?: { SequenceNumber: string } }[] }
    const ids = Records.map(({ messageId, dynamodb }) => `${name} ${messageId ?? dynamodb!.SequenceNumber}`)
    if (typeof outcome !== 'object') return ids
    const { batchItemFailures } = outcome.result as { batchItemFailures: { itemIdentifier: string }[] }
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => `${name} ${itemIdentifier}`))
    return ids.filter((id) => failed.has(id))
  }
  const { apiFaults, sweeper, deadDeliveries, lostWakeUps } = monitored
  for (const begun of invocations.filter(isEnded)) {
    const invocation = dead.has(begun.task) ? { ...begun, outcome: undefined } : begun
    const { name, at, outcome } = invocation
    if (name.startsWith('api/')) {
      // The gateway answers in place of a function that failed.
      const answered = typeof outcome === 'object' ? String((outcome.result as { statusCode: number }).statusCode) : '-'
      const status = answered === '-' ? (outcome === 'throttled' ? '503' : '500') : answered
      if (apiFaults.isSelected({ status, answered })) count(apiFaults.namespace, apiFaults.name, {}, at)
    }
    if (name === 'workers/sweep') {
      if (outcome !== 'throttled') count('AWS/Lambda', 'Invocations', { FunctionName: sweeper }, at)
      if (typeof outcome !== 'object') deadLetter(lostWakeUps, at)
    }
    const queues: Record<string, [queue: string, attempts: number]> = {
      'workers/deliver-webhook': [deadDeliveries, receivesMax],
      'workers/dispatch-outbox': [lostWakeUps, recordAttemptsMax],
    }
    const [queue, attemptsMax] = queues[name] ?? []
    if (!queue) continue
    for (const id of unhandled(invocation)) {
      const times = (failedTimes.get(id) ?? 0) + 1
      failedTimes.set(id, times)
      if (times === attemptsMax) deadLetter(queue, at)
    }
  }
  return data
}
