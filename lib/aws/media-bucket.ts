/** The media bucket: immutable objects under keys that nobody can guess. The one door to S3. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { env } from '../env.ts'

const attemptsMax = 4
/** From its first byte to the head of its answer. */
const requestMsMax = 30_000
/** A body that arrives slower than this is given up. */
const bodyMsMax = 120_000

/** Default checksums would be baked into signed uploads as the CRC of an empty body, which real S3 then refuses. */
export const s3 = new S3Client({
  maxAttempts: attemptsMax,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: requestMsMax, throwOnRequestTimeout: true },
})

/** Objects never change: whoever holds one may keep it. */
const immutableCacheControl = 'public, max-age=31536000, immutable'

const objectLocation = (key: string) => ({ Bucket: env.bucketName(), Key: key })

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  await s3.send(
    new PutObjectCommand({
      ...objectLocation(key),
      Body: body,
      ContentType: contentType,
      CacheControl: immutableCacheControl,
    }),
  )
}

/**
 * A file that arrives slower than 16 MB a second is given up. S3 takes 85 to 90 MB of one request, which tasks of one machine may share:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance-design-patterns.html
 */
const uploadBytesPerMs = 16_000

/** Rejects with an AbortError as soon as it is told to stop. */
export async function uploadFile(key: string, path: string, contentType: string, signal?: AbortSignal): Promise<void> {
  const { size: ContentLength } = await stat(path)
  const target = {
    ...objectLocation(key),
    ContentLength,
    ContentType: contentType,
    CacheControl: immutableCacheControl,
  }
  const requestTimeout = requestMsMax + Math.ceil(ContentLength / uploadBytesPerMs)
  for (let attempt = 1; ; attempt++) {
    try {
      const command = new PutObjectCommand({ ...target, Body: createReadStream(path) })
      await s3.send(command, { requestTimeout, ...(signal && { abortSignal: signal }) })
      return
    } catch (error) {
      // The SDK does not retry a stream, which it cannot read again; we can.
      if (attempt === attemptsMax || signal?.aborted) throw error
      await delay(200 * 2 ** attempt, undefined, { ...(signal && { signal }) })
    }
  }
}

/** False, and nothing is stored, where there is an object already: of several who try one is told true. */
export async function putObjectIfAbsent(key: string, body: Uint8Array, contentType: string): Promise<boolean> {
  try {
    await s3.send(
      new PutObjectCommand({ ...objectLocation(key), Body: body, ContentType: contentType, IfNoneMatch: '*' }),
    )
    return true
  } catch (error) {
    if (error instanceof S3ServiceException && alreadyExistsErrors.includes(error.name)) return false
    throw error
  }
}

/** There was one already, or another one is just being stored. */
const alreadyExistsErrors = ['PreconditionFailed', 'ConditionalRequestConflict']

export async function hasObject(key: string): Promise<boolean> {
  try {
    await s3.send(new HeadObjectCommand(objectLocation(key)))
    return true
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}

export const getObject = async (key: string): Promise<Uint8Array> => buffer(await read(key))

/** Rejects with an AbortError as soon as it is told to stop. */
export async function downloadFile(key: string, path: string, signal?: AbortSignal): Promise<void> {
  await pipeline(await read(key, signal), createWriteStream(path), { ...(signal && { signal }) })
}

/** Like `downloadFile`; false where there is no such object. */
export async function downloadIfExists(key: string, path: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await downloadFile(key, path, signal)
    return true
  } catch (error) {
    if (error instanceof NoSuchKey) return false
    throw error
  }
}

/** The client's time-outs end with the headers, so the body has one of its own. */
async function read(key: string, signal?: AbortSignal): Promise<Readable> {
  const { Body } = await s3.send(new GetObjectCommand(objectLocation(key)), { ...(signal && { abortSignal: signal }) })
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  return addAbortSignal(AbortSignal.timeout(bodyMsMax), Body)
}

/**
 * The bytes from `from` up to `to`, which is not among them, at the pace of whoever reads them; who stops early ends the request. Throws
 * where the object has fewer, and when it takes longer than `msMax`.
 */
export async function* readRange(key: string, from: number, to: number, msMax: number): AsyncGenerator<Uint8Array> {
  const abortSignal = AbortSignal.timeout(msMax)
  const Range = `bytes=${from}-${to - 1}`
  const { Body, ContentLength } = await s3.send(new GetObjectCommand({ ...objectLocation(key), Range }), {
    abortSignal,
  })
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  // Whoever iterates it destroys it, too.
  const body = addAbortSignal(abortSignal, Body)
  if (ContentLength !== to - from) {
    body.on('error', () => {}).destroy()
    throw new Error(`The object ${key} does not have the bytes ${from} to ${to}.`)
  }
  yield* body
}

/** A JSON document that this program wrote; the caller names its type. */
export async function getJson<T>(key: string): Promise<T> {
  return JSON.parse(Buffer.from(await getObject(key)).toString('utf8')) as T
}
