/** Returns the status of an upload. Checks storage itself, so that a lost storage event has no effect. */

import * as routes from '../../../lib/contract/routes/uploads.ts'
import { uploadView } from '../../../lib/contract/views/index.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getUpload } from '../../../lib/store/uploads.ts'
import { receiveUpload } from '../../../lib/use-cases/uploads/receive-upload.ts'

export const handler = endpoint(routes.getUpload, async ({ params, workspaceId }) =>
  uploadView(await receiveUpload(await getUpload(workspaceId, params.id))),
)
