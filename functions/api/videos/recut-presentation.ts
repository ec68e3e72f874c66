/** Cuts a presentation again from its transcript, while the request waits. */

import * as routes from '../../../lib/contract/routes/timelines.ts'
import type { PresentationScene } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { recutJob } from '../../../lib/use-cases/sync-jobs/recut-job.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.recutPresentation, ({ params, ...request }) =>
  runSyncJob<PresentationScene[]>(params.id, recutJob(), request),
)
