/** Plans of what clients do in a seed: requests around a theme, and the faults that belong to it. */
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { actions, further } from './actions.ts'
import { Session, type WorkloadContext } from './session.ts'
import type { LikelyFaults } from './world/faults.ts'
import type { Random } from './world/random.ts'

export interface Step {
  route: string
  atMs: number
  run: (context: WorkloadContext) => Promise<void>
}

export interface Workload {
  plans: PlanId[]
  /** Of each workspace at the start; undefined for those of its plan. */
  creditsLeft: (number | undefined)[]
  steps: Step[]
  /** Without faults until then, so that more requests find a video that is ready. */
  calmMs: number
  likelyFaults: LikelyFaults
}

const all = { ...actions, ...further }
const weighted = Object.entries(all)

type Theme =
  | 'any'
  | 'answers'
  | 'automations'
  | 'bursts'
  | 'crowd'
  | 'deletions'
  | 'editing'
  | 'keys'
  | 'pauses'
  | 'presentations'
  | 'publishing'
  | 'scenes'
  | 'uploads'
  | 'webhooks'

const createdAndDeleted = 'POST /videos, and DELETE /videos/{id}'

/** Requests that build on each other, by theme: a route, and the seconds between which it comes. */
const themes: Record<Theme, (readonly [route: string, from: number, to: number])[]> = {
  any: [],
  answers: [
    ['POST /videos/{id}/description', 20, 90],
    ['POST /videos/{id}/description', 60, 200],
    ['POST /videos/{id}/description', 60, 400],
    ['POST /videos/{id}/description twice', 20, 100],
    ['POST /videos/{id}/description twice', 100, 400],
    ['POST /videos/{id}/brolls/{brollId}/presenter', 30, 200],
  ],
  automations: [
    ['POST /automations', 0, 10],
    ['PATCH /automations/{id}', 60, 140],
    ['POST /automations/{id}/run', 120, 600],
    ['POST /automations', 170, 400],
    ['PATCH /automations/{id}', 165, 250],
    ['PATCH /automations/{id}', 300, 900],
  ],
  crowd: [
    ['POST /videos', 0, 5],
    ['POST /videos', 0, 5],
    ['POST /videos', 0, 5],
    ['POST /videos', 0, 5],
    ['POST /videos', 0, 10],
    ['POST /videos', 0, 20],
    [createdAndDeleted, 0, 20],
    [createdAndDeleted, 0, 40],
    [createdAndDeleted, 0, 60],
  ],
  bursts: [
    ['GET /events by their cursor', 0, 1],
    ['GET /events by their cursor', 0, 60],
    ...[1, 60].flatMap((at) =>
      Array.from({ length: 4 }, () => [['POST /videos', at, at] as const, [createdAndDeleted, at, at] as const]).flat(),
    ),
  ],
  editing: [40, 80, 120, 200, 300].map((from) => [
    'PATCH /videos/{id}/config, and POST /videos/{id}/render',
    from,
    from + 80,
  ]),
  deletions: [
    ['POST /videos', 0, 10],
    ['POST /videos', 0, 40],
    ['POST /videos', 0, 80],
    [createdAndDeleted, 0, 60],
    [createdAndDeleted, 0, 120],
    [createdAndDeleted, 0, 180],
    ['POST /videos/{id}/clips', 20, 60],
    ['POST /videos/{id}/clips, and DELETE /videos/{id}', 20, 200],
    ['DELETE /videos/{id}', 1, 60],
    ['DELETE /videos/{id}', 1, 120],
    ['DELETE /videos/{id} while its description is written', 20, 200],
    ['DELETE /videos/{id}', 60, 300],
  ],
  pauses: [
    ['POST /automations', 0, 10],
    ['PATCH /automations/{id}', 60, 140],
    ['POST /automations/{id}/run', 120, 600],
    ['PATCH /automations/{id} on and off', 200, 400],
    ['PATCH /automations/{id} on and off', 300, 900],
  ],
  presentations: [
    ['PUT /videos/{id}/presentation-scenes', 20, 120],
    ['POST /videos/{id}/presentation-scenes/recut', 20, 120],
  ],
  publishing: [
    ['POST /videos', 20, 60],
    ['POST /videos/{id}/publish', 80, 120],
    ['POST /videos/{id}/publish', 90, 300],
    ['POST /videos/{id}/publish', 100, 600],
  ],
  scenes: [
    ['POST /videos/{id}/scenes', 20, 120],
    ['PATCH /videos/{id}/scenes/{sceneId}', 20, 200],
    ['POST /videos/{id}/scenes/{sceneId}/image', 20, 200],
    ['PATCH /videos/{id}/scenes/{sceneId} while a render runs', 40, 200],
    ['PATCH /videos/{id}/scenes/{sceneId} while a render runs', 80, 300],
    ['PATCH /videos/{id}/scenes/{sceneId} while a render runs', 100, 400],
    ['DELETE /videos/{id}/scenes/{sceneId}', 100, 400],
    ['POST /videos/{id}/convert', 100, 400],
  ],
  keys: [
    ['POST /keys', 0, 10],
    ['DELETE /keys/{id}', 5, 60],
  ],
  uploads: [
    ['DELETE /videos/{id}', 30, 300],
    ['DELETE /videos/{id}', 60, 300],
    ['POST /uploads', 0, 60],
    ['POST /uploads', 0, 200],
    ['POST /uploads', 100, 400],
  ],
  webhooks: [
    ['PATCH /webhooks/{id} off and on', 0, 60],
    ['PATCH /webhooks/{id} to one URL after another', 5, 60],
    ['POST /videos', 0, 60],
    ['POST /videos', 0, 60],
    ['PATCH /webhooks/{id}', 5, 200],
    ['PATCH /webhooks/{id}', 5, 100],
    ['PATCH /webhooks/{id}', 5, 60],
    ['POST /webhooks/{id}/test', 5, 60],
    ['POST /webhooks/{id}/replay', 30, 300],
    ['POST /webhooks/deliveries/{id}/resend', 30, 300],
  ],
}

/**
 * Faults that a theme needs often to meet what it is about: two workers at once, a decision on what has changed meanwhile,
 * a post whose outcome stays unknown.
 */
const likelyFaults: Partial<Record<Theme, LikelyFaults>> = {
  automations: { slowRequest: 0.5, scheduleLost: 0.7, scheduleTwice: 0.5 },
  bursts: { slowTransaction: 0.6, duplicateRecord: 0.9, unawaited: 0.3, staleIndex: 0.5 },
  crowd: { crashBefore: 0.08, sentByDead: 1, late: 0.15, slowTransaction: 0.3, duplicateRecord: 0.6, unawaited: 0.2 },
  deletions: { slowRequest: 0.3, late: 0.2, slowTransaction: 0.4, duplicateRecord: 0.6, unawaited: 0.2 },
  editing: { late: 0.3, unawaited: 0.2 },
  pauses: { slowRequest: 0.5 },
  publishing: {
    platformDies: 0.9,
    platformDenies: 0.9,
    platformSlow: 0.5,
    functionDown: 0.1,
    lostExecution: 0.1,
    unawaited: 0.4,
  },
  webhooks: { duplicateMessage: 0.9, receiverFails: 0.6, receiverHangs: 0.8, slow: 0.25 },
}

/** What is published needs a film or a configured automation first, and accounts, which the free plan does not have. */
const calmUntilMs: Partial<Record<Theme, number>> = { automations: 160_000, pauses: 160_000, publishing: 80_000 }

/** The requests of a theme and a few others, at most two dozen, within `spanMs`. */
export function planWorkload(random: Random, spanMs: number): Workload {
  const theme = random.pick(Object.keys(themes) as Theme[])
  // Only a plan with a limit makes a crowd wait.
  const paid: PlanId[] = theme === 'crowd' ? ['starter'] : ['starter', 'self-hosted']
  const plans = Array.from({ length: random.integer(1, 2) }, () =>
    random.pick<PlanId>(random.chance(calmUntilMs[theme] ? 0.1 : 0.5) ? ['free', ...paid] : paid),
  )
  const main = random.integer(0, plans.length - 1)
  const stepAt = (route: string, atMs: number, index: number): Step => ({
    route,
    atMs: Math.min(atMs, spanMs),
    run: async (context) => void (await all[route]!.run(new Session(context, index, theme))),
  })
  const steps = [stepAt('POST /webhooks', 0, main), stepAt('POST /videos', random.integer(0, 20_000), main)]
  for (const [route, from, to] of themes[theme]) steps.push(stepAt(route, random.integer(from, to) * 1000, main))
  const favourites = random.shuffled(weighted).slice(0, 12)
  const more = random.integer(0, 6)
  for (let count = 0; count < more; count++) {
    const candidates = random.chance(0.5) ? favourites : weighted
    const route = random.weighted(candidates.map(([name, { weight }]) => [name, weight] as const))
    // Half of them come right after another one, so that they meet.
    const atMs = random.chance(0.5) ? random.integer(0, spanMs) : random.pick(steps).atMs + random.integer(0, 5_000)
    steps.push(stepAt(route, atMs, random.chance(0.7) ? main : random.integer(0, plans.length - 1)))
  }
  // Within the 24 hours in which a caption is not posted again, and after the end of every earlier publication.
  if (theme === 'publishing') {
    const atMs = random.integer(40, 60) * 60_000
    const again = 'POST /videos/{id}/publish again'
    for (const route of ['POST /videos/{id}/publish', again, again, again])
      steps.push({ ...stepAt(route, 0, main), atMs })
  }
  const isPoor = theme === 'crowd' ? 0.9 : 0.1
  const calmMs = calmUntilMs[theme] ?? random.pick([0, 0, 40_000])
  const creditsLeft = plans.map(() => (random.chance(isPoor) ? random.integer(0, 35) : undefined))
  return { plans, creditsLeft, steps, calmMs, likelyFaults: likelyFaults[theme] ?? {} }
}
