/** The pipelines (state machines) and what starts an execution of one. */

export const syncJobKinds = ['description', 'recut', 'image', 'presenter'] as const

export type SyncJobKind = (typeof syncJobKinds)[number]

export const pipelines = ['generate', 'render', 'act', 'publish'] as const

export type Pipeline = (typeof pipelines)[number]

/** Starts an execution named `<pipeline>-<runId>`: a repeated start finds the running one. */
export type PipelineStart =
  | { pipeline: 'generate' | 'render' | 'publish'; videoId: string; runId: string }
  | { pipeline: 'act'; videoId: string; runId: string; kind: SyncJobKind; target: string }

/** Delay after a decision at which the sweeper checks that its wake-up arrived. */
export const sweepDelaySeconds = 60
