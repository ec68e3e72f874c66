// The files of s3rver's objects: three for each, written so that an object is whole or not there. Small ones are read and written at
// once: each asynchronous step waits for a turn of the event loop, and a request took a dozen of them. Beside a flood of requests that
// was half a second, where the files themselves take a millisecond.

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

type Content = NodeJS.ReadableStream | Buffer
type Metadata = Readonly<Record<string, string | number | undefined>>

interface StoredObject {
  readonly bucket: string
  readonly key: string
  readonly content: Content
  /** Of a PUT: its headers. */
  readonly metadata: Metadata
}

/** The parts of s3rver's store used here; the package has no types. */
export interface Store {
  existsObject(bucket: string, key: string): Promise<boolean>
  getObject(bucket: string, key: string, range?: { start?: number; end?: number }): Promise<StoredObject | null>
  getMetadata(bucket: string, key: string): Promise<Metadata>
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>
  putContent(path: string, content: Content): Promise<[bytes: number, md5: string]>
  /** The file of a part of an object, such as its metadata. */
  getResourcePath(bucket: string, key: string, part: string): string
  getBucket(bucket: string): Promise<unknown>
  /** Configuration of a bucket or object. */
  getSubresource(bucket: string, key: string | undefined, type: string): Promise<unknown>
}

const require = createRequire(import.meta.url)
const S3Object: {
  new (bucket: string, key: string, content: Content, metadata: Metadata): StoredObject
  readonly ALLOWED_METADATA: readonly string[]
} = require('@20minutes/s3rver/lib/models/object')
const S3Error: new (code: string, message: string) => Error = require('@20minutes/s3rver/lib/models/error')

/** An object of that size takes about a tenth of a millisecond of the thread. */
const smallBytesMax = 64 * 1024

/** The object last: it exists once its file does. */
const partsOfObject = ['object.md5', 'metadata.json', 'object']

const onlyIfAbsent = new AsyncLocalStorage<true>()

/** A PUT with `If-None-Match: *`, which s3rver ignores. */
export const putOnlyIfAbsent = (put: () => Promise<void>): Promise<void> => onlyIfAbsent.run(true, put)

/** `unfinished`: the folder of files that are being written, on the same file system. */
export function writeWholeObjects(store: Store, unfinished: string): void {
  const { getObject, getMetadata } = store
  store.putContent = (path, content) => putContent(path, content, unfinished)
  store.putObject = (object) => putObject(store, object, unfinished)
  store.existsObject = async (bucket, key) => existsSync(store.getResourcePath(bucket, key, 'object'))
  // What has no metadata is left to s3rver, which makes them or finds that the object is missing.
  store.getMetadata = async (bucket, key) => readMetadata(store, bucket, key) ?? getMetadata.call(store, bucket, key)
  store.getObject = async (bucket, key, range = {}) => {
    const isPart = range.start !== undefined || range.end !== undefined
    const metadata = isPart ? undefined : readMetadata(store, bucket, key)
    if (!metadata || Number(metadata['content-length']) > smallBytesMax)
      return getObject.call(store, bucket, key, range)
    const content = readFileSync(store.getResourcePath(bucket, key, 'object'))
    return new S3Object(bucket, key, Readable.from([content]), metadata)
  }
}

/** In one turn of the event loop with the content, so that they belong together. */
function readMetadata(store: Store, bucket: string, key: string): Metadata | undefined {
  const path = (part: string) => store.getResourcePath(bucket, key, part)
  const stat = statSync(path('object'), { throwIfNoEntry: false })
  if (!stat || !partsOfObject.every((part) => existsSync(path(part)))) return undefined
  return {
    ...JSON.parse(readFileSync(path('metadata.json'), 'utf8')),
    etag: `"${readFileSync(path('object.md5'), 'utf8')}"`,
    'last-modified': stat.mtime.toUTCString(),
    'content-length': stat.size,
  }
}

// s3rver writes the metadata after the object. A process that was killed between left an object that could be neither read, listed nor
// deleted, and that a conditional PUT did not replace.
async function putObject(store: Store, { bucket, key, content, metadata }: StoredObject, folder: string) {
  const id = randomUUID()
  const unfinished = (part: string) => join(folder, `${id}.${part}`)
  const path = (part: string) => store.getResourcePath(bucket, key, part)
  const isSmall = Number(metadata['content-length']) <= smallBytesMax
  const whole = Buffer.isBuffer(content) || !isSmall ? content : await buffer(content)
  try {
    const [size, md5] = await writeContent(unfinished('object'), whole)
    writeFileSync(unfinished('object.md5'), md5)
    writeFileSync(unfinished('metadata.json'), JSON.stringify(keptMetadata(metadata), null, 2))
    // From here on nothing is asynchronous: of several writers one succeeds.
    if (onlyIfAbsent.getStore() && existsSync(path('object')))
      throw new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
    mkdirSync(dirname(path('object')), { recursive: true })
    for (const part of partsOfObject) renameSync(unfinished(part), path(part))
    return { size, md5 }
  } catch (error) {
    for (const part of partsOfObject) rmSync(unfinished(part), { force: true })
    throw error
  }
}

const keptMetadata = (metadata: Metadata): Metadata =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([name]) => S3Object.ALLOWED_METADATA.includes(name) || name.startsWith('x-amz-meta-'),
    ),
  )

// s3rver writes into the file of the part, so concurrent readers and aborted uploads see half of it. S3 writes are atomic, so the
// content is written to a separate file and renamed into place.
async function putContent(path: string, content: Content, folder: string): Promise<[bytes: number, md5: string]> {
  const unfinished = join(folder, randomUUID())
  try {
    const measured = await writeContent(unfinished, content)
    // s3rver removes a folder with its last object, possibly during the upload.
    await mkdir(dirname(path), { recursive: true })
    await rename(unfinished, path)
    return measured
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeContent(path: string, content: Content): Promise<[bytes: number, md5: string]> {
  const md5 = createHash('md5')
  if (Buffer.isBuffer(content)) {
    writeFileSync(path, content)
    return [content.length, md5.update(content).digest('hex')]
  }
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(content, measure, createWriteStream(path))
  return [bytes, md5.digest('hex')]
}
