// S3: s3rver 5.0.0 (@20minutes' fork) in this process, with objects as files on disk. It is a Koa application; a middleware in front
// fixes the differences from S3.

import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EMULATOR_CREDENTIALS } from '../aws-client-config.ts'
import { listen, type RunningServer, runOnce } from '../listen.ts'
import { isLoopbackCaller } from '../loopback-guard.ts'

const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader>
<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`

type Content = NodeJS.ReadableStream | Buffer

interface StoredObject {
  readonly bucket: string
  readonly key: string
  readonly content: Content
  readonly metadata: object
}
interface Store {
  existsObject(bucket: string, key: string): Promise<boolean>
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>
  putContent(path: string, content: Content): Promise<[bytes: number, md5: string]>
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
  /** The file of a part of an object, such as its metadata. */
  getResourcePath(bucket: string, key: string, part: string): string
  /** Configuration of a bucket or object. */
  getSubresource(bucket: string, key: string | undefined, type: string): Promise<unknown>
}
/** The parts of s3rver used here; the package has no types. */
interface S3rver {
  silent: boolean
  readonly logger: { silent: boolean; close(): void }
  readonly middleware: Step[]
  readonly store: Store
  configureBuckets(): Promise<unknown>
  callback(): Parameters<typeof createServer>[1]
}
interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | undefined>>
  status: number
  type: string
  body: unknown
  set(header: string, value: string): void
}
type Step = (exchange: Exchange, next: () => Promise<void>) => Promise<void>
interface Account {
  revokeAccessKey(id: string): void
  createKeyPair(id: string, secret: string): void
}
interface Canonical {
  readonly uri: string
  readonly headers: object
}

const require = createRequire(import.meta.url)

interface S3Options {
  readonly port: number
  /** Holds `s3/<bucket>/<key>._S3rver_object` and, beside it, the object's metadata. */
  readonly directory: string
  readonly buckets: readonly string[]
  /** Called after every PUT of an object, like the EventBridge event, without delivery guarantee. */
  readonly onCreated?: (bucket: string, key: string) => void
}

/** Serves the buckets on 127.0.0.1, path style, readable without a signature and open to browsers of any origin. */
export async function startS3(options: S3Options): Promise<RunningServer> {
  const Server: new (options: object) => S3rver = require('@20minutes/s3rver')
  requireCredentialsOfThisRun()
  const server = new Server({
    silent: true,
    directory: join(options.directory, 's3'),
    configureBuckets: options.buckets.map((name) => ({ name, configs: [CORS] })),
  })
  server.silent = true // Koa's flag: a missing object is a response, not a line on stderr
  // Leftovers of uploads that an earlier process did not finish.
  const unfinished = join(options.directory, 's3-unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  server.store.putContent = (path, content) => putContent(path, content, unfinished)
  server.store.putObject = (object) => putObject(server.store, object, unfinished)
  server.middleware.unshift(s3Compatibility(server, options.onCreated))
  await server.configureBuckets()
  cacheConfigs(server.store)
  const running = await listen(createServer(server.callback()), options.port)
  const stop = runOnce(async () => {
    await running.stop()
    // A request aborted by the stop would log to the closed logger.
    server.logger.silent = true
    server.logger.close()
  })
  return { url: running.url, stop }
}

/** Replaces the key pair that s3rver documents: every page knows it. */
function requireCredentialsOfThisRun(): void {
  const { DUMMY_ACCOUNT: account }: { DUMMY_ACCOUNT: Account } = require('@20minutes/s3rver/lib/models/account')
  account.revokeAccessKey('S3RVER')
  account.createKeyPair(EMULATOR_CREDENTIALS.accessKeyId, EMULATOR_CREDENTIALS.secretAccessKey)
}

/** Caches bucket configurations, which never change: s3rver reads them from disk at every request. */
function cacheConfigs(store: S3rver['store']): void {
  const known = new Map<string, Promise<unknown>>()
  const read = store.getSubresource.bind(store)
  store.getSubresource = (bucket, key, type) => {
    if (key !== undefined) return read(bucket, key, type)
    const name = `${bucket}/${type}`
    const config = known.get(name) ?? read(bucket, key, type)
    known.set(name, config)
    return config
  }
}

function s3Compatibility(server: S3rver, onCreated: S3Options['onCreated']): Step {
  return async (exchange, next) => {
    const [, bucket = '', ...rest] = exchange.path.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (key === '' && exchange.path.endsWith('/')) requestsWithTrailingSlash.add(exchange.headers)

    // s3rver allows everything without a signature. Unsigned reads of objects emulate the public CDN; anything else is denied.
    // (s3rver uses the same two marks to decide whether to verify a signature.)
    const isSigned = 'authorization' in exchange.headers || 'X-Amz-Algorithm' in exchange.query
    const isObjectRead = ['GET', 'HEAD', 'OPTIONS'].includes(exchange.method) && key !== ''
    if (!isSigned && !isObjectRead) return refuse(exchange, 403, 'AccessDenied', 'Access Denied')
    // Pages get presigned URLs from the API. With them they may read and upload, not list or delete.
    const isUpload = exchange.method === 'PUT' && key !== ''
    if (!isObjectRead && !isUpload && !isLoopbackCaller(exchange))
      return refuse(exchange, 403, 'AccessDenied', 'Access Denied')

    if (isUpload && !isLoopbackCaller(exchange) && !isVideoUpload(key, exchange.headers['content-type']))
      return refuse(exchange, 403, 'AccessDenied', 'Access Denied')
    // What clients upload is served from loopback: as a document it gets an opaque origin and runs no script.
    exchange.set('content-security-policy', 'sandbox')
    exchange.set('x-content-type-options', 'nosniff')

    // s3rver ignores If-None-Match on PUT. Unlike in S3, a concurrent PUT between this check and the end of the upload succeeds too.
    const onlyOnce = exchange.method === 'PUT' && exchange.headers['if-none-match'] === '*'
    if (onlyOnce && (await server.store.existsObject(bucket, key))) {
      return refuse(
        exchange,
        412,
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
      )
    }
    await next()
    if (exchange.method === 'PUT' && key !== '' && exchange.status === 200) onCreated?.(bucket, key)
  }
}

/** What a page of another site may upload by a presigned address. */
const isVideoUpload = (key: string, type = ''): boolean =>
  key.split('/').includes('sources') && type.startsWith('video/')

function refuse(exchange: Exchange, status: number, code: string, message: string): void {
  exchange.status = status
  exchange.type = 'application/xml'
  exchange.body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

// In requests on a bucket (ListObjectsV2, DeleteObjects) the SDK signs `/bucket/`, but s3rver verifies the signature of `/bucket`.
// The headers object identifies requests with a trailing slash where the signature is verified.
const requestsWithTrailingSlash = new WeakSet<object>()
const v4: {
  getStringToSign(request: Canonical, ...rest: unknown[]): string
} = require('@20minutes/s3rver/lib/signature/v4')
const getStringToSign = v4.getStringToSign
v4.getStringToSign = (request, ...rest) =>
  getStringToSign(
    requestsWithTrailingSlash.has(request.headers) ? { ...request, uri: `${request.uri}/` } : request,
    ...rest,
  )

// s3rver writes into the file of the object, so concurrent readers and aborted uploads see half an object. S3 writes are atomic, so
// the content is written to a separate file and renamed into place.
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

/** The object last: it exists once its file does. */
const partsOfObject = ['object.md5', 'metadata.json', 'object']

// s3rver writes the metadata after the object. A process that was killed between left an object that could be neither read, listed nor
// deleted, and that a conditional PUT did not replace.
async function putObject(store: Store, { bucket, key, content, metadata }: StoredObject, folder: string) {
  const id = randomUUID()
  const unfinished = (part: string) => join(folder, `${id}.${part}`)
  const unfinishedStore: Store = Object.assign(Object.create(store), {
    getResourcePath: (_bucket: string, _key: string, part: string) => unfinished(part),
  })
  try {
    const [size, md5] = await writeContent(unfinished('object'), content)
    await unfinishedStore.putMetadata(bucket, key, metadata, md5)
    await mkdir(dirname(store.getResourcePath(bucket, key, 'object')), { recursive: true })
    for (const part of partsOfObject) await rename(unfinished(part), store.getResourcePath(bucket, key, part))
    return { size, md5 }
  } catch (error) {
    for (const part of partsOfObject) await rm(unfinished(part), { force: true })
    throw error
  }
}

async function writeContent(path: string, content: Content): Promise<[bytes: number, md5: string]> {
  const md5 = createHash('md5')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(Buffer.isBuffer(content) ? [content] : content, measure, createWriteStream(path))
  return [bytes, md5.digest('hex')]
}
