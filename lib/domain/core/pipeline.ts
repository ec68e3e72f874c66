export const syncJobKinds = ['description', 'recut', 'image', 'presenter'] as const

export type SyncJobKind = (typeof syncJobKinds)[number]

export type Pipeline = 'generate' | 'render' | 'act' | 'publish'

/** A wish to start an execution; its name is `<pipeline>-<runId>`, so that a repeat meets the running one. */
export type PipelineStart =
  | { pipeline: 'generate' | 'render' | 'publish'; videoId: string; runId: string }
  | { pipeline: 'act'; videoId: string; runId: string; kind: SyncJobKind; target: string }
/** How long after a decision the sweeper looks whether its wake-up arrived. */
export const sweepDelaySeconds = 60
