/** The job that writes the caption of the video's posts. */
import type { BodyOf } from '../../contract/route.ts'
import type { describeVideo } from '../../contract/routes/jobs.ts'
import { creditPrices } from '../../domain/workspaces/plan.ts'
import { priceOf } from '../../domain/workspaces/price.ts'
import type { SyncJobPlan } from './sync-job-plan.ts'

export const descriptionJob = ({ prompt }: BodyOf<typeof describeVideo>): SyncJobPlan => ({
  kind: 'description',
  target: '',
  input: { prompt: prompt ?? null },
  check: () => {},
  price: (workspace, _video, at) => priceOf(workspace, creditPrices.description, 'video', at),
})
