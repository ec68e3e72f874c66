/** Publishes the render of a video to social accounts, and waits a limited time for the results. */

import * as routes from '../../../lib/contract/routes/jobs.ts'
import { publicationView } from '../../../lib/contract/views/index.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { refuseUnpublishable, requestPublish } from '../../../lib/domain/publishing/publish.ts'
import { withPublishBegun } from '../../../lib/domain/publishing/publish-run.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { loadPublishTarget, startAndAwaitPublish } from '../../../lib/use-cases/publishing/start-publish.ts'

export const handler = endpoint(routes.publishVideo, async (request) => {
  const { params, body, workspaceId, now, waitSeconds, commit, replaceReply } = request
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  refuseUnpublishable(workspace, video)
  const [target, runId] = [await loadPublishTarget(video, body), mintId('run', now)]
  const decision = withPublishBegun(requestPublish(workspace, video, target, body, runId, now), runId, now)
  await commit(decision, publicationView(decision.video))
  const published = await startAndAwaitPublish(secondsAfter(now, waitSeconds), decision)
  return replaceReply(publicationView(published))
})
