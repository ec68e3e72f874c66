/** The plans and prices in credits. A limit of `null` is unlimited. */
import type { Brief } from '../records/brief.ts'
import { requestedSecondsMax } from '../records/brief.ts'
import type { RequestLimits } from './request-limits.ts'

export const planIds = ['free', 'starter', 'pro', 'scale', 'self-hosted'] as const
export type PlanId = (typeof planIds)[number]

export interface Plan {
  name: string
  creditsPerMonth: number | null
  generationsPerMonth: number | null
  storageBytesMax: number | null
  durationSecondsMax: number | null
  renderSecondsMax: number | null
  automationsMax: number | null
  publishing: boolean
  requestsPerMinute: RequestLimits | null
  /** Open runs of generations and renders; further ones wait. */
  openRunsMax: number | null
}

const gigabyte = 1024 ** 3

const requestsPerMinute: RequestLimits = { reads: 600, writes: 120, paid: 60 }

export const plans: Record<PlanId, Plan> = {
  free: {
    name: 'Free',
    creditsPerMonth: 200,
    generationsPerMonth: 10,
    storageBytesMax: gigabyte,
    durationSecondsMax: 60,
    renderSecondsMax: 180,
    automationsMax: 0,
    publishing: false,
    requestsPerMinute,
    openRunsMax: 2,
  },
  starter: {
    name: 'Starter',
    creditsPerMonth: 2_000,
    generationsPerMonth: 100,
    storageBytesMax: 20 * gigabyte,
    durationSecondsMax: 180,
    renderSecondsMax: 720,
    automationsMax: 3,
    publishing: true,
    requestsPerMinute,
    openRunsMax: 5,
  },
  pro: {
    name: 'Pro',
    creditsPerMonth: 10_000,
    generationsPerMonth: 500,
    storageBytesMax: 100 * gigabyte,
    durationSecondsMax: 600,
    renderSecondsMax: 1_800,
    automationsMax: 20,
    publishing: true,
    requestsPerMinute,
    openRunsMax: 20,
  },
  scale: {
    name: 'Scale',
    creditsPerMonth: 60_000,
    generationsPerMonth: 3_000,
    storageBytesMax: 1024 * gigabyte,
    durationSecondsMax: 600,
    renderSecondsMax: 3_600,
    automationsMax: 100,
    publishing: true,
    requestsPerMinute,
    openRunsMax: 100,
  },
  'self-hosted': {
    name: 'Self-hosted',
    creditsPerMonth: null,
    generationsPerMonth: null,
    storageBytesMax: null,
    durationSecondsMax: null,
    renderSecondsMax: null,
    automationsMax: null,
    publishing: true,
    requestsPerMinute: null,
    openRunsMax: null,
  },
}

/** Requests of a workspace that wait for work at once. */
export const waitsMax = 4
export const apiKeysMax = 25
export const webhooksMax = 25

/** The render time limit of a plan without one, in seconds. */
const renderSecondsDefault = 3_600

export const renderSecondsMax = (planId: PlanId) => plans[planId].renderSecondsMax ?? renderSecondsDefault

/** Credits of operations other than a generation. A presenter costs avatar credits by its duration. */
export const creditPrices = { script: 10, description: 10, recut: 10, sceneImage: 2 } as const
const presenterSecondsPerCredit = 5

export const presenterPrice = (durationMs: number) =>
  Math.max(Math.ceil(durationMs / (presenterSecondsPerCredit * 1000)), 1)

/** The duration that a generation is charged for: whole minutes, rounded up. */
export const paidSecondsMax = (brief: Pick<Brief, 'targetDuration' | 'videoDuration'>) =>
  Math.ceil(requestedSecondsMax(brief) / 60) * 60

/** Credits of one generation: 10 per started minute of the requested duration, 16 with an expressive voice. */
export function generationPrice(brief: Pick<Brief, 'targetDuration' | 'videoDuration' | 'voiceProvider'>): number {
  const minutes = paidSecondsMax(brief) / 60
  return minutes * (brief.voiceProvider === 'expressive' ? 16 : 10)
}
