/** Uploads by id; no list contains them. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { notFound } from '../domain/core/refusal.ts'
import type { Upload } from '../domain/records/upload.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys } from './core/keys.ts'
import { recordOf } from './core/rows.ts'

/** An upload by id; `not-found` in another workspace. */
export async function getUpload(workspaceId: string, uploadId: string): Promise<Upload> {
  const upload = await findUploadByKey(keys.upload(workspaceId, uploadId))
  if (!upload) throw notFound('upload')
  return upload
}

/** By the key of a row of the due index, or of a stored file. */
export async function findUploadByKey({ pk, sk }: Key): Promise<Upload | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && recordOf<Upload>(Item)
}
