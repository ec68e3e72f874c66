/** Writes the caption of the video's posts, while the request waits. */

import type { VideoDescriptionResource } from '../../../lib/contract/resources/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.describeVideo, ({ params, body, workspaceId, idempotencyScope }) =>
  runSyncJob<VideoDescriptionResource>({
    workspaceId,
    videoId: params.id,
    kind: 'description',
    target: '',
    input: { prompt: body.prompt ?? null },
    idempotencyScope,
    check: () => {},
    price: (workspace, _video, at) => priceOf(workspace, creditPrices.description, 'video', at),
  }),
)
