import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { awsClientConfig, EMULATOR_CREDENTIALS } from '../../local/aws-client-config.ts'
import { startS3 } from '../../local/emulators/s3.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { freePort, stopAfterTest } from './support/fixtures.ts'

const Bucket = 'reelsmith-media'

const start = async (directory = temporaryDirectory()) => {
  const s3 = await stopAfterTest(startS3({ directory, buckets: [Bucket], port: await freePort(directory) }))
  const client = new S3Client({
    ...awsClientConfig(s3.url),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const put = (Key: string, Body: string | Readable, more = {}) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
  return { directory, s3, client, put, media: `${s3.url}/${Bucket}` }
}

test('objects with any key are stored, listed, read and deleted in a batch', async () => {
  const { client, put } = await start()
  await put('videos/a b/ü(1).mp4', 'film', { ContentType: 'video/mp4' })
  await put('videos/streamed.mp4', Readable.from([Buffer.from('str'), Buffer.from('eam')]), { ContentLength: 6 })
  const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'videos/' }))
  const keys = listed.Contents?.map((object) => object.Key) ?? []
  expect(keys).toEqual(['videos/a b/ü(1).mp4', 'videos/streamed.mp4'])
  const object = await client.send(new GetObjectCommand({ Bucket, Key: keys[0] }))
  expect([object.ContentType, await object.Body?.transformToString()]).toEqual(['video/mp4', 'film'])
  await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }))
  expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
})

test('objects survive a restart', async () => {
  const { directory, s3, put } = await start()
  await put('kept', 'here')
  await s3.stop()
  const again = await start(directory)
  expect(await (await fetch(`${again.media}/kept`)).text()).toBe('here')
})

test('a put with If-None-Match * writes once', async () => {
  const { put, media } = await start()
  await put('once', 'first', { IfNoneMatch: '*' })
  await expect(put('once', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
  expect(await (await fetch(`${media}/once`)).text()).toBe('first')
})

test.each([10, 1_000_000])('of concurrent puts of %i bytes with If-None-Match * one succeeds', async (bytes) => {
  const { put, media } = await start()
  const bodies = [...'abcdef'].map((letter) => letter.repeat(bytes))
  const outcomes = await Promise.allSettled(bodies.map((body) => put('once', body, { IfNoneMatch: '*' })))
  const stored = bodies.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  expect(stored).toHaveLength(1)
  expect((await (await fetch(`${media}/once`)).text()) === stored[0]).toBe(true)
})

test.each([0, 10, 64 * 1024, 64 * 1024 + 1])(
  'an object of %i bytes is read as it was written, with its headers',
  async (bytes) => {
    const { client, put } = await start()
    const body = 'x'.repeat(bytes)
    await put('object', body, { ContentType: 'text/vtt', CacheControl: 'no-store', Metadata: { made: 'today' } })
    const object = await client.send(new GetObjectCommand({ Bucket, Key: 'object' }))
    expect(object).toMatchObject({ ContentType: 'text/vtt', CacheControl: 'no-store', Metadata: { made: 'today' } })
    expect(object.ETag).toBe(`"${createHash('md5').update(body).digest('hex')}"`)
    expect((await object.Body?.transformToString()) === body).toBe(true)
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'object' }))
    expect(head).toMatchObject({ ContentLength: bytes, ETag: object.ETag })
  },
)

test('an object exists only with its metadata: where they cannot be written, it does not, and may be put again', async () => {
  const { directory, client, put, media } = await start()
  // In place of a process that was killed between the two.
  const metadata = join(directory, 's3', Bucket, 'folder', 'film._S3rver_metadata.json')
  mkdirSync(metadata, { recursive: true })
  await expect(put('folder/film', 'first')).rejects.toThrow()
  expect((await fetch(`${media}/folder/film`)).status).toBe(404)
  expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
  expect(readdirSync(join(directory, 's3-unfinished'))).toEqual([])
  rmdirSync(metadata)
  await put('folder/film', 'second', { IfNoneMatch: '*' })
  expect(await (await fetch(`${media}/folder/film`)).text()).toBe('second')
})

test('unsigned requests may read an object from any origin, and nothing else', async () => {
  const { put, media } = await start()
  await put('clip.mp4', 'film')
  const read = await fetch(`${media}/clip.mp4`, { headers: { origin: 'https://example.com', range: 'bytes=1-2' } })
  expect([read.status, await read.text()]).toEqual([206, 'il'])
  expect(read.headers.get('access-control-allow-origin')).toBe('*')
  expect((await fetch(media)).status).toBe(403)
  expect((await fetch(`${media}/clip.mp4`, { method: 'DELETE' })).status).toBe(403)
  expect((await fetch(`${media}/new`, { method: 'PUT', body: 'x' })).status).toBe(403)
  expect((await fetch(`${media}/new?X-Amz-Signature=guess`, { method: 'PUT', body: 'x' })).status).toBe(403)
})

test('a wrong signature is refused', async () => {
  const { s3 } = await start()
  const stranger = new S3Client({
    ...awsClientConfig(s3.url),
    credentials: { ...EMULATOR_CREDENTIALS, secretAccessKey: 'guess' },
  })
  const listing = stranger.send(new ListObjectsV2Command({ Bucket }))
  await expect(listing).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  const documented = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const knower = new S3Client({ ...awsClientConfig(s3.url), credentials: documented })
  const refused = knower.send(new ListObjectsV2Command({ Bucket }))
  await expect(refused).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
})

test.each([1_000, 1_000_000])(
  'an interrupted upload of %i bytes leaves the object unchanged and no temporary file',
  async (bytes) => {
    const { directory, client, put, media } = await start()
    await put('film', 'whole')
    const unfinished = () => readdirSync(join(directory, 's3-unfinished')).length
    const body = new Readable({ read() {} })
    body.push('half')
    const leaving = new AbortController()
    const command = new PutObjectCommand({ Bucket, Key: 'film', Body: body, ContentLength: bytes })
    const upload = client.send(command, { abortSignal: leaving.signal })
    await waitFor('the upload has begun', () => body.readableLength === 0 && (bytes === 1_000 || unfinished() === 1))
    leaving.abort()
    await expect(upload).rejects.toThrow('aborted')
    await waitFor('the rest is gone', () => unfinished() === 0)
    expect(await (await fetch(`${media}/film`)).text()).toBe('whole')
  },
)
