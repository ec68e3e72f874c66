/** Deletes stored media. Apart from `media-bucket.ts`, so that only functions that delete bundle these commands. */
import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { env } from '../env.ts'
import { s3 } from './media-bucket.ts'

/** Deletes all objects under a prefix, up to a thousand per request. Idempotent. */
export async function deleteObjectsByPrefix(prefix: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: env.bucketName(), Prefix: prefix }))
    const keys = Contents.flatMap(({ Key }) => (Key ? [Key] : []))
    if (keys.length === 0) return
    await deleteObjects(keys)
  }
}

/** Deletes up to a thousand objects. Idempotent. */
export async function deleteObjects(keys: readonly string[]): Promise<void> {
  const Objects = keys.map((Key) => ({ Key }))
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({ Bucket: env.bucketName(), Delete: { Objects, Quiet: true } }),
  )
  if (Errors.length > 0)
    throw new Error(`${Errors.length} objects, such as ${Errors[0]!.Key}, were not deleted: ${Errors[0]!.Message}`)
}

/** Deletes one object. Idempotent. */
export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: env.bucketName(), Key: key }))
}
