/** Cuts a presentation again from its transcript, while the request waits. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import type { PresentationScene } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { refuseTranscript } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { refuseNotPresentation } from '../../../lib/domain/videos/kind.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.recutPresentation, ({ params, workspaceId, idempotencyScope }) =>
  runSyncJob<PresentationScene[]>({
    workspaceId,
    videoId: params.id,
    kind: 'recut',
    target: '',
    input: {},
    idempotencyScope,
    check: async (video) => {
      refuseNotPresentation(video)
      refuseTranscript((await getTimelines(video, ['captions'])).captions)
    },
    price: (workspace, _video, at) => priceOf(workspace, creditPrices.recut, 'video', at),
  }),
)
