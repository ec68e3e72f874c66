/** Runs one seed: a workload among faults, then a quiet time, then every invariant. */
import type { PlatformId } from '../../lib/domain/core/platform.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import type { ServiceFactory } from './bundle.ts'
import { createClient, type Sent } from './client.ts'
import { type Violation, violationsOf, violationsSoFar } from './invariants.ts'
import type { Workspace } from './service/setup.ts'
import type { Known } from './session.ts'
import { planWorkload, type Step } from './workload.ts'
import type { FaultName } from './world/faults.ts'
import { createRandom } from './world/random.ts'
import { createWorld } from './world/world.ts'

export interface RunOptions {
  newService: ServiceFactory
  /** Steps of the workload that are left out, and faults that do not happen: for the shortest story. */
  without?: { steps: ReadonlySet<number>; faults: ReadonlySet<string> }
  onTrace?: (line: string) => void
}

export interface RunResult {
  seed: number
  violations: Violation[]
  /** Of everything that happened. */
  hash: string
  steps: readonly Step[]
  injected: ReadonlyMap<FaultName, number>
  statistics: Record<string, number>
  logs: readonly string[]
}

const minuteMs = 60_000
/** After the last fault, for all that waits to be repeated, the longest delays of deliveries and purges among it. */
const quietMs = 2 * 60 * minuteMs
const eventsMax = 60_000

/** Around both changes of the clocks of Europe and America, and the turn of a month. */
const starts = [
  '2027-01-15T09:00:00Z',
  '2027-03-14T06:30:00Z',
  '2027-03-28T00:30:00Z',
  '2027-10-31T00:20:00Z',
  '2027-06-30T23:40:00Z',
]

export async function simulate(seed: number, { newService, without, onTrace }: RunOptions): Promise<RunResult> {
  const random = createRandom(seed)
  const startAt = Date.parse(random.pick(starts)) + random.integer(0, 10 * minuteMs)
  const durationMs = random.integer(5, 40) * minuteMs
  const workload = planWorkload(random.fork(), durationMs * (2 / 3))
  const world = createWorld({
    random: random.fork(),
    newService,
    startAt,
    disabledFaults: without?.faults ?? new Set(),
    likelyFaults: workload.likelyFaults,
    onTrace,
  })
  const { schedule, faults } = world
  const sent: Sent[] = []
  const client = createClient(world, sent)
  const failures: unknown[] = []

  const workspaces: Workspace[] = []
  faults.isOn = false
  let isSetUp = false
  const setUp = async () => {
    for (const [index, plan] of workload.plans.entries()) {
      const platforms: PlatformId[] = ['twitter', 'bluesky']
      workspaces.push(
        await world.call('setup', async ({ setup }) =>
          (await setup()).setUpWorkspace(plan, plan === 'free' ? [] : platforms, workload.creditsLeft[index]),
        ),
      )
    }
    isSetUp = true
  }
  schedule.at(startAt, () => void setUp().catch((error) => failures.push(error)))
  while (!isSetUp && failures.length === 0 && (await schedule.step()));
  if (failures.length > 0) throw failures[0]
  for (const { id, planId } of workspaces)
    world.monitor.permitsMax.set(id, plans[planId].openRunsMax ?? Number.POSITIVE_INFINITY)

  const beganAt = schedule.now()
  schedule.at(beganAt + workload.calmMs, () => {
    faults.isOn = true
  })
  const faultsEndAt = beganAt + durationMs * (2 / 3)
  schedule.at(faultsEndAt, () => {
    faults.isOn = false
  })
  world.startSweeping()
  for (let count = random.integer(0, 3); count > 0; count--)
    schedule.at(beganAt + random.integer(0, durationMs), world.expire)
  const context = { world, client, workspaces, known: workspaces.map((): Known => ({})) }
  for (const [index, step] of workload.steps.entries()) {
    if (without?.steps.has(index)) continue
    schedule.at(beganAt + step.atMs, () => {
      world.note(`step ${index} ${step.route}`)
      void world.client(() => step.run(context)).catch((error) => failures.push(error))
    })
  }
  const observed = (isOver: boolean) => {
    const secrets = context.known.flatMap(({ webhooks = [] }) =>
      webhooks.map(({ id, secret }) => [id, secret] as const),
    )
    const keys = context.known.flatMap(({ keys = [] }) => keys.map(({ key }) => key))
    return { world, sent, workspaces, secrets: new Map(secrets), keys, isOver }
  }
  const early: Violation[] = []
  for (const share of [0.2, 0.5, 1])
    schedule.at(beganAt + share * (faultsEndAt - beganAt), () => void early.push(...violationsSoFar(observed(false))))
  const horizon = faultsEndAt + quietMs
  const lastAt = Math.max(faultsEndAt, ...workload.steps.map(({ atMs }) => beganAt + atMs))
  let isOver = false
  while (!isOver && schedule.events < eventsMax && failures.length === 0) {
    if (!(await schedule.step())) break
    isOver = schedule.now() > lastAt && world.isQuiet(Math.max(horizon, schedule.now()))
  }
  if (failures.length > 0) throw failures[0]
  const violations = [...early, ...violationsOf(observed(isOver))]
  return {
    seed,
    violations,
    hash: world.hash(),
    steps: workload.steps,
    injected: faults.injected,
    statistics: { ...world.statistics(), ...successes(sent) },
    logs: world.logs,
  }
}

/** How often each route succeeded. */
function successes(sent: readonly Sent[]): Record<string, number> {
  const answered = sent.filter(({ answers }) => answers.some((answer) => answer && answer.status < 300))
  const byRoute = Map.groupBy(answered, ({ route }) => route)
  return Object.fromEntries([...byRoute].map(([route, requests]) => [route, requests.length]))
}
