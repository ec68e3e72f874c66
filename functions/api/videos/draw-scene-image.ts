/** Draws a new still of a scene, while the request waits. */

import * as routes from '../../../lib/contract/routes/scenes.ts'
import type { Scene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'
import { sceneImageJob } from '../../../lib/use-cases/sync-jobs/scene-image-job.ts'

export const handler = endpoint(routes.drawSceneImage, ({ params, body, ...request }) =>
  runSyncJob<Scene>(params.id, sceneImageJob(params, body), request),
)
