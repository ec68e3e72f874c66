/** The media bucket: immutable objects under keys that nobody can guess. The one door to S3. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GetObjectCommand, HeadObjectCommand, NotFound, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { env } from '../env.ts'

/** Default checksums would be baked into signed uploads as the CRC of an empty body, which real S3 then refuses. */
const s3 = new S3Client({
  maxAttempts: 4,
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
  const { size } = await stat(path)
  await s3.send(
    new PutObjectCommand({
      ...place(key),
      Body: createReadStream(path),
      ContentLength: size,
      ContentType: contentType,
      CacheControl: immutable,
    }),
  )
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

export async function getObject(key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand(place(key)))
  if (!Body) throw new Error(`The object ${key} has no body.`)
  return Body.transformToByteArray()
}

export async function downloadFile(key: string, path: string): Promise<void> {
  const { Body } = await s3.send(new GetObjectCommand(place(key)))
  if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
  await pipeline(Body, createWriteStream(path))
}

export const putJson = (key: string, value: unknown) =>
  putObject(key, Buffer.from(JSON.stringify(value)), 'application/json')

/** A JSON document that this program wrote; the caller names its type. */
export async function getJson<T>(key: string): Promise<T> {
  return JSON.parse(Buffer.from(await getObject(key)).toString('utf8')) as T
}

/** Makes an artefact unless it is there already: nothing is made or bought twice. */
export async function once(key: string, contentType: string, make: () => Promise<Uint8Array>): Promise<void> {
  if (await hasObject(key)) return
  await putObject(key, await make(), contentType)
}
