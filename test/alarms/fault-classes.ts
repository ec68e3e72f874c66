/** The classes of faults, how each is injected, and the alarms that belong to it. */
import * as routes from '../../lib/contract/routes.ts'
import { pipelineStartRow } from '../../lib/store/core/outbox.ts'
import type { Ports } from '../simulator/ports.ts'
import { PortFailure } from '../simulator/world/failure.ts'
import type { OtherFault } from '../simulator/world/faults.ts'
import type { Call, CallFault, Client, Faults } from './deployment.ts'

export type AlarmName =
  | 'api-faults'
  | 'dead-deliveries'
  | 'deliveries-late'
  | 'faults-of-workers'
  | 'jobs-failing'
  | 'lost-wake-ups'
  | 'outbox-late'
  | 'posts-unknown'
  | 'sweeper-repairs'
  | 'sweeper-silent'

export interface Injection {
  /** What happens, from the fourth minute on. */
  how: string
  /** A new one for each run: some count. */
  faults: () => Faults
  /** Of the run, 20 if absent. */
  minutes?: number
  work?: (client: Client) => Promise<void>
  raises: readonly AlarmName[]
  /** Those that stay on after the fault, until an operator has removed its cause. */
  stay?: readonly AlarmName[]
}

/** A client with an endpoint, and a video every three minutes, which is rendered and published. */
export const usualTraffic = (videosMax = Number.POSITIVE_INFINITY) =>
  async function work({ send, sleep, workspace }: Client): Promise<void> {
    const url = 'https://one.example.com/hooks'
    await send(routes.createWebhook, { body: { url, events: ['video.created', 'video.render_completed'] } })
    for (let videos = 0; videos < videosMax; videos++) {
      const brief = { prompt: 'Calm mornings', type: 'faceless', process: { render: true } }
      const created = await send(routes.createVideo, { body: brief })
      await sleep(120)
      const body = { caption: `Caption ${videos}`, profileId: workspace.profileId, platforms: ['twitter'] }
      if (created) await send(routes.publishVideo, { params: { id: created.id! }, body })
      await sleep(60)
    }
  }

/** An automation with one slot, after eleven minutes. */
async function dailyAutomation({ send, sleep, workspace, world }: Client): Promise<void> {
  const automation = await send(routes.createAutomation, { body: { prompt: 'Calm mornings', type: 'faceless' } })
  await sleep(60)
  const time = new Date(world.schedule.now() + 10 * 60_000).toISOString().slice(11, 16)
  const schedule = { frequency: 'daily', timezone: 'UTC', times: [{ time, mode: 'fixed' }] }
  const body = { schedule, profileId: workspace.profileId, platforms: ['twitter'], autoRefill: true, status: 'active' }
  await send(routes.editAutomation, { params: { id: automation!.id! }, body })
}

/** An outbox row that no worker can read. */
async function poison({ world, workspace }: Client): Promise<void> {
  const run = { pipeline: 'generate' as const, videoId: 'vid_1', runId: 'run_1' }
  const { start: _, ...Item } = pipelineStartRow(workspace.id, run, new Date(world.schedule.now()).toISOString())
  world.table.operations.Put({ Item } as never)
}

const firstMinute = 3
const isBetween = (minute: number, from: number, to: number) => minute >= from && minute < to
const by = (tasks: RegExp) => (call: Call) => tasks.test(call.task)
const writesBy = (tasks: RegExp) => (call: Call) =>
  by(tasks)(call) && call.service === 'table' && /^(Put|Update|Delete|TransactWrite)$/.test(call.operation)

/** In so many calls, or in all calls of so many minutes. */
function inCalls(fault: CallFault, isHit: (call: Call) => boolean, { times = Infinity, minutes = Infinity }): Faults {
  let left = times
  return {
    ofCall: (call) =>
      isBetween(call.minute, firstMinute, firstMinute + minutes) && isHit(call) && left-- > 0 ? fault : undefined,
  }
}

const happening = (faults: readonly OtherFault[], minutes = Infinity): Faults => ({
  happens: (name, minute) => faults.includes(name) && isBetween(minute, firstMinute, firstMinute + minutes),
})

const throttled = (names: RegExp, minutes: number): Faults => ({
  isThrottled: (name, minute) => names.test(name) && isBetween(minute, firstMinute, firstMinute + minutes),
})

const withPorts = (replace: (ports: Ports) => Partial<Ports>): Faults => ({
  ports: (ports) => ({ ...ports, ...replace(ports) }),
})

const withoutTicks = (minutes: number): Faults => ({
  ticks: (minute) => !isBetween(minute, firstMinute, firstMinute + minutes),
})

const fullDisk = withPorts(() => ({
  files: () => {
    throw new PortFailure('ENOSPC', 'no space left on device')
  },
}))

const frozenRender = withPorts((ports) => ({
  work: (work) => (work.name === 'render' ? new Promise(() => {}) : ports.work(work)),
}))

/** Neither answers a post nor shows it. */
const silentPlatform = withPorts((ports) => ({
  platform: async (operation, post) => {
    if (operation === 'upload' || operation === 'refresh') return ports.platform(operation, post)
    throw new PortFailure('NoAnswer', 'The platform did not answer.')
  },
}))

const jumpAt = Date.parse('2027-01-15T09:05:00Z')
const clockAhead = (minutes: number) =>
  withPorts(({ now }) => ({ now: () => (now() < jumpAt ? now() : now() + minutes * 60_000) }))

/** By the rows of the table in the runbook. */
export const faultClasses: Record<string, readonly Injection[]> = {
  'an API function crashes before or after its effect': [
    { how: 'before', faults: () => inCalls('diesBefore', by(/^api/), { minutes: 5 }), raises: ['api-faults'] },
    { how: 'after', faults: () => inCalls('diesAfter', writesBy(/^api/), { minutes: 5 }), raises: ['api-faults'] },
  ],
  'a worker crashes once, before or after its effect; a message arrives twice or out of order': [
    { how: 'before', faults: () => inCalls('diesBefore', by(/dispatch-outbox/), { times: 1 }), raises: [] },
    { how: 'after', faults: () => inCalls('diesAfter', writesBy(/dispatch-outbox/), { times: 1 }), raises: [] },
    { how: 'duplicates', faults: () => happening(['duplicateMessage', 'duplicateRecord']), raises: [] },
  ],
  'the dispatcher crashes on every attempt': [
    {
      how: 'a hundred times',
      faults: () => inCalls('diesBefore', by(/dispatch-outbox/), { times: 100 }),
      raises: ['lost-wake-ups', 'outbox-late'],
      stay: ['lost-wake-ups'],
    },
  ],
  'the delivery worker crashes on every attempt': [
    {
      how: 'until the end',
      minutes: 40,
      faults: () => inCalls('diesBefore', by(/deliver-webhook/), {}),
      raises: ['dead-deliveries', 'deliveries-late', 'sweeper-repairs'],
      stay: ['dead-deliveries'],
    },
  ],
  'the table throttles; transactions conflict beyond their retries': [
    {
      how: 'requests to the API',
      faults: () => inCalls('throttled', (call) => call.service === 'table' && by(/^api/)(call), { minutes: 5 }),
      raises: ['faults-of-workers'],
    },
    {
      how: 'workers',
      faults: () => inCalls('throttled', by(/deliver|dispatch/), { times: 40 }),
      raises: ['faults-of-workers'],
    },
    {
      how: 'requests that conflict',
      faults: () => inCalls('conflict', writesBy(/^api/), { minutes: 5 }),
      raises: ['faults-of-workers'],
    },
    {
      how: 'workers that conflict',
      faults: () => inCalls('conflict', writesBy(/deliver|dispatch/), { times: 40 }),
      raises: ['faults-of-workers'],
    },
  ],
  'API functions are throttled': [{ how: 'five minutes', faults: () => throttled(/^api/, 5), raises: ['api-faults'] }],
  'the delivery worker is throttled': [
    {
      how: 'five minutes',
      faults: () => throttled(/deliver-webhook/, 5),
      raises: ['deliveries-late', 'sweeper-repairs'],
    },
  ],
  'the stream stalls or lags': [
    { how: 'no record for ten minutes', faults: () => happening(['lostRecord'], 10), raises: ['outbox-late'] },
    { how: 'late records for ten minutes', faults: () => happening(['lateRecord'], 10), raises: ['outbox-late'] },
  ],
  'a poison record': [
    {
      how: 'one',
      work: poison,
      faults: () => ({}),
      raises: ['faults-of-workers', 'lost-wake-ups', 'outbox-late'],
      stay: ['faults-of-workers', 'lost-wake-ups', 'outbox-late'],
    },
  ],
  'an execution is lost, aborted, failed or timed out': [
    { how: 'lost for a minute', faults: () => happening(['lostExecution'], 1), raises: ['sweeper-repairs'] },
  ],
  'a render is killed, hangs or cannot start; a disk is full, an object is corrupt': [
    { how: 'killed', faults: () => inCalls('diesBefore', by(/^media render/), {}), raises: ['jobs-failing'] },
    { how: 'frozen', minutes: 60, faults: () => frozenRender, raises: ['jobs-failing'] },
    { how: 'full disk', faults: () => fullDisk, raises: ['jobs-failing'] },
    { how: 'truncated objects', faults: () => inCalls('cut', by(/./), {}), raises: ['jobs-failing'] },
  ],
  'a vendor fails or is busy': [
    { how: 'fails', faults: () => happening(['vendorFails']), raises: ['jobs-failing'] },
    { how: 'busy', faults: () => happening(['vendorBusy']), raises: ['jobs-failing'] },
  ],
  'a webhook receiver is down or malicious': [
    { how: 'refuses', faults: () => happening(['receiverFails']), raises: [] },
    { how: 'hangs', faults: () => happening(['receiverHangs']), raises: [] },
  ],
  'the outcome of a post is unknown': [
    { how: 'one post', minutes: 50, work: usualTraffic(1), faults: () => silentPlatform, raises: ['posts-unknown'] },
  ],
  'the sweeper does not run': [{ how: 'seven minutes', faults: () => withoutTicks(7), raises: ['sweeper-silent'] }],
  'a slot is missed': [
    {
      how: 'the clock jumps over it',
      minutes: 110,
      work: dailyAutomation,
      faults: () => clockAhead(80),
      raises: ['faults-of-workers'],
    },
    {
      how: 'neither its schedule nor the sweeper fires',
      minutes: 90,
      work: dailyAutomation,
      faults: () => ({ ...withoutTicks(77), happens: (name) => name === 'scheduleLost' }),
      raises: ['faults-of-workers', 'sweeper-silent'],
    },
  ],
}
