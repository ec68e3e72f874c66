/** Creates an upload and returns its presigned URL. */

import { presignUpload } from '../../../lib/aws/presigned-upload.ts'
import * as routes from '../../../lib/contract/routes/uploads.ts'
import { newUploadView } from '../../../lib/contract/views/index.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { createUpload, uploadUrlTtlSeconds } from '../../../lib/domain/uploads/upload-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.createUpload, async ({ body, workspaceId, now, commit }) => {
  const workspace = await getWorkspace(workspaceId)
  const decision = createUpload(workspace, body, mintId('upl', now), now)
  const address = await presignUpload(decision.upload, now, uploadUrlTtlSeconds)
  return commit(decision, newUploadView(decision.upload, address))
})
