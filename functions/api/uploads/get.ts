/** Tells how an upload is. It looks for the file itself, so that a lost word of its arrival strands nobody. */
import { receiveUpload } from '../../../lib/actions/receive-upload.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { uploadView } from '../../../lib/api/views.ts'
import { getUpload } from '../../../lib/store/uploads.ts'

export const handler = endpoint(routes.getUpload, async ({ params, workspaceId }) =>
  uploadView(await receiveUpload(await getUpload(workspaceId, params.id))),
)
