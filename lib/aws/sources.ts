/** Source files that clients uploaded: inspects, downloads and deletes them. */
import { createWriteStream } from 'node:fs'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, NoSuchKey, NotFound } from '@aws-sdk/client-s3'
import type { ArrivedFile } from '../domain/uploads/upload-lifecycle.ts'
import { env } from '../env.ts'
import { s3 } from './media-bucket.ts'

const headBytes = 16
/** A file is downloaded in parts, each with a timeout, since gigabytes take longer than one timeout allows. */
const partBytes = 256 * 1024 * 1024
const partMsMax = 120_000

const objectLocation = (key: string) => ({ Bucket: env.bucketName(), Key: key })

/** Size, type and first bytes of the file; undefined before it has arrived, and where a refused one was deleted meanwhile. */
export async function findSource(key: string): Promise<ArrivedFile | undefined> {
  try {
    const { ContentLength: bytes = 0, ContentType: contentType = '' } = await s3.send(
      new HeadObjectCommand(objectLocation(key)),
    )
    const start = bytes === 0 ? Buffer.alloc(0) : await buffer(await read(key, 0, Math.min(headBytes, bytes)))
    return { bytes, contentType, start }
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchKey) return undefined
    throw error
  }
}

export async function downloadSource(key: string, path: string, bytes: number): Promise<void> {
  for (let from = 0; from < bytes; from += partBytes) {
    const part = await read(key, from, Math.min(from + partBytes, bytes))
    await pipeline(part, createWriteStream(path, from === 0 ? {} : { flags: 'r+', start: from }))
  }
}

/** Idempotent. */
export async function deleteSource(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand(objectLocation(key)))
}

/** The bytes `from` (included) to `to` (excluded). */
async function read(key: string, from: number, to: number): Promise<Readable> {
  const { Body } = await s3.send(new GetObjectCommand({ ...objectLocation(key), Range: `bytes=${from}-${to - 1}` }))
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  return addAbortSignal(AbortSignal.timeout(partMsMax), Body)
}
