/** The media bucket: immutable objects under keys that nobody can guess. The one door to S3. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { GetObjectCommand, HeadObjectCommand, NotFound, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { env } from '../env.ts'

const attemptsMax = 4
/** A body that arrives slower than this is given up. */
const bodyMsMax = 120_000

/** Default checksums would be baked into signed uploads as the CRC of an empty body, which real S3 then refuses. */
export const s3 = new S3Client({
  maxAttempts: attemptsMax,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
})

/** Objects never change: whoever holds one may keep it. */
const immutable = 'public, max-age=31536000, immutable'

const place = (key: string) => ({ Bucket: env.bucketName(), Key: key })

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  await s3.send(new PutObjectCommand({ ...place(key), Body: body, ContentType: contentType, CacheControl: immutable }))
}

export async function uploadFile(key: string, path: string, contentType: string): Promise<void> {
  const { size: ContentLength } = await stat(path)
  const target = { ...place(key), ContentLength, ContentType: contentType, CacheControl: immutable }
  for (let attempt = 1; ; attempt++) {
    try {
      await s3.send(new PutObjectCommand({ ...target, Body: createReadStream(path) }))
      return
    } catch (error) {
      // The SDK does not retry a stream, which it cannot read again; we can.
      if (attempt === attemptsMax) throw error
      await delay(200 * 2 ** attempt)
    }
  }
}

export async function hasObject(key: string): Promise<boolean> {
  try {
    await s3.send(new HeadObjectCommand(place(key)))
    return true
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}

export const getObject = async (key: string): Promise<Uint8Array> => buffer(await read(key))

export async function downloadFile(key: string, path: string): Promise<void> {
  await pipeline(await read(key), createWriteStream(path))
}

/** The client's time-outs end with the headers, so the body has one of its own. */
async function read(key: string): Promise<Readable> {
  const { Body } = await s3.send(new GetObjectCommand(place(key)))
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  return addAbortSignal(AbortSignal.timeout(bodyMsMax), Body)
}

/** A JSON document that this program wrote; the caller names its type. */
export async function getJson<T>(key: string): Promise<T> {
  return JSON.parse(Buffer.from(await getObject(key)).toString('utf8')) as T
}
