/**
 * What a rule decides: the next records, the charge, the events to tell, the pipelines to start. A decision is data; one
 * transaction writes all of it or nothing (`lib/store/commit.ts`).
 */
import type { DomainEvent } from './event.ts'
import type { Video } from './video.ts'

/** A record before and after; `before` is undefined where it is new. */
export interface Change {
  before: Video | undefined
  after: Video
}

/** One move of credits, written once into the ledger under `<kind>#<runId>`. */
export interface Charge {
  kind: 'reserve' | 'capture' | 'release'
  runId: string
  credits: number
  /** False on plans without a balance: the ledger tells what was used, nothing is taken. */
  metered: boolean
  /** The month that this generation counts in, whether it is the first one in it, and the limit; only on `reserve`. */
  generation?: { month: string; first: boolean; limit: number | null }
}

export type Pipeline = 'generate' | 'render'

/** A wish to start an execution; its name is `<pipeline>-<runId>`, so that a repeat meets the running one. */
export interface Start {
  pipeline: Pipeline
  videoId: string
  runId: string
}

export interface Decision {
  workspaceId: string
  change: Change
  charges: Charge[]
  events: DomainEvent[]
  starts: Start[]
}
