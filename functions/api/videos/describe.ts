/** Writes the caption of the video's posts, while the request waits. */

import type { VideoDescriptionResource } from '../../../lib/contract/resources/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { descriptionJob } from '../../../lib/use-cases/sync-jobs/description-job.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.describeVideo, ({ params, body, ...request }) =>
  runSyncJob<VideoDescriptionResource>(params.id, descriptionJob(body), request),
)
