/** Removes stored media; a file of its own, so that only who removes loads what that takes. */
import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { env } from '../env.ts'
import { s3 } from './media-bucket.ts'

/** Removes everything under a prefix, a thousand objects at a time; harmless to repeat. */
export async function deleteObjectsByPrefix(prefix: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: env.bucketName(), Prefix: prefix }))
    const Objects = Contents.flatMap(({ Key }) => (Key ? [{ Key }] : []))
    if (Objects.length === 0) return
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: env.bucketName(), Delete: { Objects, Quiet: true } }),
    )
    if (Errors.length > 0)
      throw new Error(`${Errors.length} objects under ${prefix} were not removed: ${Errors[0]!.Message}`)
  }
}

/** Removes one object; harmless to repeat. */
export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: env.bucketName(), Key: key }))
}
