/** The URL of the render; the render of an ai video is stitched again where an edit cleared it. */

import { downloadView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { ensureRendered } from '../../../lib/use-cases/videos/ensure-render.ts'

export const handler = endpoint(routes.downloadVideo, async ({ params, workspaceId, waitSeconds }) =>
  downloadView(await ensureRendered(workspaceId, params.id, waitSeconds)),
)
