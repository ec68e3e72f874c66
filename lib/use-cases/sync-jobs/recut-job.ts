/** The job that cuts a presentation again from its transcript. */
import { getTimelines } from '../../aws/timelines.ts'
import { refuseTranscript } from '../../domain/generation/scenes/presentation-scenes.ts'
import { refuseNotPresentation } from '../../domain/videos/kind.ts'
import { creditPrices } from '../../domain/workspaces/plan.ts'
import { priceOf } from '../../domain/workspaces/price.ts'
import type { SyncJobPlan } from './sync-job-plan.ts'

export const recutJob = (): SyncJobPlan => ({
  kind: 'recut',
  target: '',
  input: {},
  check: async (video) => {
    refuseNotPresentation(video)
    refuseTranscript((await getTimelines(video, ['captions'])).captions)
  },
  price: (workspace, _video, at) => priceOf(workspace, creditPrices.recut, 'video', at),
})
