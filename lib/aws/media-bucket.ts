/** The media bucket: immutable objects under unguessable keys. Owns the only S3 client. */
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
import { backoffMs, retry } from '../async.ts'
import { env } from '../env.ts'

const attemptsMax = 4
/** From the first byte of the request to the headers of the response. */
const requestMsMax = 30_000
/** Timeout of a response body. */
const bodyMsMax = 120_000

/**
 * With default checksums, presigned uploads would carry the CRC of an empty body, which S3 rejects (the emulator does
 * not).
 */
export const s3 = new S3Client({
  maxAttempts: attemptsMax,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: requestMsMax, throwOnRequestTimeout: true },
})

/** Objects never change. */
const immutableCacheControl = 'public, max-age=31536000, immutable'

const objectLocation = (key: string) => ({ Bucket: env.bucketName(), Key: key })

const objectInput = (key: string, body: Uint8Array, contentType: string) => ({
  ...objectLocation(key),
  Body: body,
  ContentType: contentType,
  CacheControl: immutableCacheControl,
})

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  await s3.send(new PutObjectCommand(objectInput(key, body, contentType)))
}

/**
 * An upload slower than 16 MB/s times out. One request reaches 85 to 90 MB/s, which the tasks of one machine may share:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance-design-patterns.html
 */
const uploadBytesPerMs = 16_000

/** Rejects with an AbortError when the signal fires. */
export async function uploadFile(key: string, path: string, contentType: string, signal?: AbortSignal): Promise<void> {
  const { size: ContentLength } = await stat(path)
  const target = {
    ...objectLocation(key),
    ContentLength,
    ContentType: contentType,
    CacheControl: immutableCacheControl,
  }
  const requestTimeout = requestMsMax + Math.ceil(ContentLength / uploadBytesPerMs)
  const put = () =>
    s3.send(new PutObjectCommand({ ...target, Body: createReadStream(path) }), {
      requestTimeout,
      ...(signal && { abortSignal: signal }),
    })
  // The SDK does not retry a stream, because it cannot read it again; this opens the file again.
  await retry(put, {
    pausesMs: backoffMs(attemptsMax - 1, { first: 400, last: Infinity }),
    isRetryable: () => !signal?.aborted,
    sleep: (ms) => delay(ms, undefined, { ...(signal && { signal }) }),
  })
}

/** Conditional write: false if the object exists. Of several concurrent writers exactly one gets true. */
export async function putObjectIfAbsent(key: string, body: Uint8Array, contentType: string): Promise<boolean> {
  const put = () => s3.send(new PutObjectCommand({ ...objectInput(key, body, contentType), IfNoneMatch: '*' }))
  try {
    // Another write of the object is in progress, and may fail.
    await retry(put, {
      pausesMs: backoffMs(5, { first: 100, last: 1_600 }),
      isRetryable: isError('ConditionalRequestConflict'),
    })
    return true
  } catch (error) {
    if (isError('PreconditionFailed')(error)) return false
    throw error
  }
}

const isError =
  (name: string) =>
  (error: unknown): boolean =>
    error instanceof S3ServiceException && error.name === name

export const hasObject = async (key: string): Promise<boolean> => (await objectBytes(key)) !== undefined

/** The size of an object; undefined where it does not exist. */
export async function objectBytes(key: string): Promise<number | undefined> {
  try {
    const { ContentLength = 0 } = await s3.send(new HeadObjectCommand(objectLocation(key)))
    return ContentLength
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

export const getObject = async (key: string): Promise<Uint8Array> => buffer(await read(key))

/** Rejects with an AbortError when the signal fires. */
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

/** The timeouts of the client end with the headers; the body has a separate one. */
async function read(key: string, signal?: AbortSignal): Promise<Readable> {
  const { Body } = await s3.send(new GetObjectCommand(objectLocation(key)), { ...(signal && { abortSignal: signal }) })
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  return addAbortSignal(AbortSignal.timeout(bodyMsMax), Body)
}

/**
 * Streams the bytes `from` (included) to `to` (excluded) with backpressure; ending the iteration ends the request.
 * Throws if the object is shorter, or after `msMax`.
 */
export async function* readRange(key: string, from: number, to: number, msMax: number): AsyncGenerator<Uint8Array> {
  const abortSignal = AbortSignal.timeout(msMax)
  const Range = `bytes=${from}-${to - 1}`
  const { Body, ContentLength } = await s3.send(new GetObjectCommand({ ...objectLocation(key), Range }), {
    abortSignal,
  })
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  // Iterating a stream destroys it at the end.
  const body = addAbortSignal(abortSignal, Body)
  if (ContentLength !== to - from) {
    body.on('error', () => {}).destroy()
    throw new Error(`The object ${key} does not have the bytes ${from} to ${to}.`)
  }
  yield* body
}

/** A JSON document that this service wrote, so it is not validated; the caller names its type. */
export async function getJson<T>(key: string): Promise<T> {
  return JSON.parse(Buffer.from(await getObject(key)).toString('utf8')) as T
}
