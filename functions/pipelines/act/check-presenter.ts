/** Says whether the task that makes a presenter has ended its job, or left an order that a vendor still processes. */
import { step, syncJobInput } from '../../../lib/pipelines/step.ts'
import { findSyncJob } from '../../../lib/store/sync-jobs.ts'

export const handler = step(syncJobInput, 'visuals-failed', async ({ runId, ...jobKey }) => {
  const newest = await findSyncJob(jobKey)
  return { outcome: newest?.runId === runId && newest.status === 'RUNNING' ? 'pending' : 'done' }
})
