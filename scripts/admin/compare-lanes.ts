/** Compares what the media function and a task of a deployment render. For the operator and for `npm run deploy`. */
import type { LaneDifference } from '../../containers/media/render/canary.ts'
import { poll, type Sleep } from '../../lib/async.ts'
import { getJson, hasObject } from '../../lib/aws/media-bucket.ts'
import { findExecution, pipelineState, startCanary } from '../../lib/aws/pipelines.ts'
import { now as timeNow } from '../../lib/clock.ts'
import { laneDifferenceKey } from '../../lib/domain/core/artefact.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'

/** `failed`: a lane rendered nothing. `unfinished`: the comparison takes longer than its state machine allows. */
type LaneOutcome = 'equal' | 'different' | 'failed' | 'unfinished'

interface LaneComparison {
  runId: string
  outcome: LaneOutcome
  /** One sentence for the operator. */
  report: string
}

const pauseMs = { first: 2_000, growth: 1, last: 2_000 }
/** The state machine ends after 300 s. */
const waitMsMax = 330_000

/** Renders a fixed video in both lanes, and waits for the comparison. `clock`: for tests. */
export async function compareLanes(clock: { now?: () => number; sleep?: Sleep } = {}): Promise<LaneComparison> {
  const { now = Date.now } = clock
  const runId = mintId('run', timeNow())
  await startCanary(runId)
  const state = await poll(
    () => pipelineState('act', runId),
    (found) => found === 'ended',
    { ...clock, pauseMs, until: now() + waitMsMax },
  )
  const outcome = state === 'ended' ? await outcomeOf(runId) : 'unfinished'
  return { runId, outcome, report: await reportOf(runId, outcome) }
}

async function outcomeOf(runId: string): Promise<LaneOutcome> {
  const execution = await findExecution(runId)
  if (execution?.status === 'SUCCEEDED') return 'equal'
  return (await hasObject(laneDifferenceKey(runId))) ? 'different' : 'failed'
}

async function reportOf(runId: string, outcome: LaneOutcome): Promise<string> {
  if (outcome === 'equal') return 'The media function and a task render the same bytes.'
  if (outcome === 'unfinished') return `The comparison of the lanes has not finished: see the execution act-${runId}.`
  if (outcome === 'failed')
    return `The lanes were not compared, because one of them failed: see the execution act-${runId}.`
  const { sha256, expected } = await getJson<LaneDifference>(laneDifferenceKey(runId))
  return `The lanes render different bytes: the media function ${expected}, a task ${sha256}.`
}
