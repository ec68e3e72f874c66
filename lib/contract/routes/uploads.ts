/** Routes: uploading a source file, which becomes a video. */
import { createUploadRequest } from '../requests/uploads.ts'
import { newUpload, upload } from '../resources/index.ts'
import { route } from '../route.ts'

export const createUpload = route({
  signature: 'POST /uploads',
  handler: 'uploads/create',
  summary: 'Create an upload and get its presigned URL',
  description:
    'Send the file to `uploadUrl` with the given method and headers. The transfer must start before `expiresAt`, in 15 minutes; after that, create another upload. Once the file is received, it becomes a video. Until then, `bytes` are reserved of the storage of the plan; at most 100 uploads wait at once.',
  status: 201,
  body: createUploadRequest,
  bodyExample: {
    fileName: 'harbour.mp4',
    contentType: 'video/mp4',
    bytes: 48_512_204,
    process: { render: true },
  },
  returns: newUpload,
  permissions: ['write', 'upload'],
  refuses: ['warning-plan-storage', 'limit-reached'],
})

export const getUpload = route({
  signature: 'GET /uploads/{id}',
  handler: 'uploads/get',
  summary: "Get an upload's status and the id of its video",
  description: '`videoId` is set once the file is received. Poll this, or subscribe to the event `video.created`.',
  returns: upload,
  permissions: ['write', 'receive'],
})
