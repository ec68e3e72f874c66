/** Uploads, one by one: they are in no list. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { notFound } from '../domain/core/refusal.ts'
import type { Upload } from '../domain/records/upload.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys } from './core/keys.ts'
import { recordOf } from './core/rows.ts'

/** An upload by id. Another workspace's upload is not found, like one that never was. */
export async function getUpload(workspaceId: string, uploadId: string): Promise<Upload> {
  const upload = await findUploadByKey(keys.upload(workspaceId, uploadId))
  if (!upload) throw notFound('record')
  return upload
}

/** The upload in a row that the due index or a file in storage named. */
export async function findUploadByKey({ pk, sk }: Key): Promise<Upload | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && recordOf<Upload>(Item)
}
