// S3: s3rver 5.0.0 (@20minutes' fork), in this process, its objects as files on disk. It comes as a Koa application, so what it
// does otherwise than S3 is put right by one step in front of its own.

import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listen, type RunningServer, runOnce } from '../listen.ts'
import { isLoopbackCaller } from '../loopback-guard.ts'

const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader>
<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`

type Content = NodeJS.ReadableStream | Buffer

/** What this file uses of s3rver, which has no types. */
interface S3rver {
  silent: boolean
  readonly logger: { silent: boolean; close(): void }
  readonly middleware: Step[]
  readonly store: {
    existsObject(bucket: string, key: string): Promise<boolean>
    putContent(path: string, content: Content): Promise<[bytes: number, md5: string]>
    /** How a bucket, or an object of it, is configured. */
    getSubresource(bucket: string, key: string | undefined, type: string): Promise<unknown>
  }
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
}
type Step = (exchange: Exchange, next: () => Promise<void>) => Promise<void>
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
  /** Told of every object that was put, as EventBridge would be: after the fact, and lost where nobody listens. */
  readonly onCreated?: (bucket: string, key: string) => void
}

/** Serves the buckets on 127.0.0.1, path style, readable without a signature and open to browsers of any origin. */
export async function startS3(options: S3Options): Promise<RunningServer> {
  const Server: new (options: object) => S3rver = require('@20minutes/s3rver')
  const server = new Server({
    silent: true,
    directory: join(options.directory, 's3'),
    configureBuckets: options.buckets.map((name) => ({ name, configs: [CORS] })),
  })
  server.silent = true // Koa's own: a missing object is an answer, not a line on stderr
  // Emptied: what is in it was on its way when an earlier process was killed.
  const unfinished = join(options.directory, 's3-unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  server.store.putContent = (path, content) => putContent(path, content, unfinished)
  server.middleware.unshift(s3Compatibility(server, options.onCreated))
  await server.configureBuckets()
  cacheConfigs(server.store)
  const door = await listen(createServer(server.callback()), options.port)
  const stop = runOnce(async () => {
    await door.stop()
    // A request cut off by the stop would complain that nobody listens to the log any more.
    server.logger.silent = true
    server.logger.close()
  })
  return { url: door.url, stop }
}

/** Nobody changes how a bucket is configured, and s3rver would read that from disk at every request. */
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

    // s3rver lets everyone do everything. Reading an object without a signature stands for the public CDN; the rest stays shut.
    // (By these same two marks s3rver decides that there is a signature to verify.)
    const isSigned = 'authorization' in exchange.headers || 'X-Amz-Algorithm' in exchange.query
    const isObjectRead = ['GET', 'HEAD', 'OPTIONS'].includes(exchange.method) && key !== ''
    if (!isSigned && !isObjectRead) return refuse(exchange, 403, 'AccessDenied', 'Access Denied')
    // Everybody knows the only key pair there is: pages of others do with it what clients do, and list and remove nothing.
    const isUpload = exchange.method === 'PUT' && key !== ''
    if (!isObjectRead && !isUpload && !isLoopbackCaller(exchange))
      return refuse(exchange, 403, 'AccessDenied', 'Access Denied')

    // s3rver ignores it on PUT. Between this look and the end of the upload another PUT can still win, unlike in S3.
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

function refuse(exchange: Exchange, status: number, code: string, message: string): void {
  exchange.status = status
  exchange.type = 'application/xml'
  exchange.body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

// The SDK asks for `/bucket/` in requests on the bucket itself (ListObjectsV2, DeleteObjects) and signs that; s3rver works out
// the signature of `/bucket`. Its headers object tells a request with the slash again where the signature is checked.
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

// s3rver writes into the object's own file: a reader of that moment, or a client that broke off, would leave or see half an
// object. S3 shows an object whole or not at all, so it is written beside and moved into place.
async function putContent(path: string, content: Content, folder: string): Promise<[bytes: number, md5: string]> {
  const unfinished = join(folder, randomUUID())
  const md5 = createHash('md5')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(Buffer.isBuffer(content) ? [content] : content, measure, createWriteStream(unfinished))
    // s3rver removes a folder with its last object, which may have happened meanwhile.
    await mkdir(dirname(path), { recursive: true })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return [bytes, md5.digest('hex')]
}
