/** Example responses of `routes/uploads.ts`. */
import * as v from 'valibot'
import { createUpload, resolveUpload } from '../../../domain/uploads/upload-lifecycle.ts'
import { createUploadRequest } from '../../requests/uploads.ts'
import * as routes from '../../routes/uploads.ts'
import { newUploadView, uploadView } from '../../views/index.ts'
import type { ExampleScenario } from './scenario.ts'

export function uploadExamples({ workspace, mediaUrl, at }: ExampleScenario) {
  const input = v.parse(createUploadRequest, routes.createUpload.bodyExample)
  const { upload } = createUpload(workspace, input, 'upl_01kbexample', at(0))
  const { bytes, contentType } = input
  const file = { bytes, contentType, start: Buffer.from('0000001866747970', 'hex') }
  const headers = { 'Content-Type': contentType, 'If-None-Match': '*' }
  return {
    createUpload: newUploadView(upload, { url: `${mediaUrl(upload.sourceKey)}?X-Amz-Signature=example`, headers }),
    getUpload: uploadView(resolveUpload(workspace, upload, file, at(40))!.upload),
  }
}
