// s3rver is a Koa application; a middleware in front fixes the differences from S3.

import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { EMULATOR_CREDENTIALS } from '../../aws-client-config.ts'
import { listen, type RunningServer, runOnce } from '../../listen.ts'
import { isLoopbackCaller } from '../../loopback-guard.ts'
import type { S3Options } from '../s3.ts'
import { putOnlyIfAbsent, type Store, writeWholeObjects } from './object-files.ts'

const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader>
<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`

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

interface S3ServerOptions extends S3Options {
  readonly onCreated: (bucket: string, key: string) => void
}

export async function startS3Server(options: S3ServerOptions): Promise<RunningServer> {
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
  writeWholeObjects(server.store, unfinished)
  server.middleware.unshift(s3Compatibility(options.onCreated))
  await server.configureBuckets()
  cacheBuckets(server.store)
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

/** Caches buckets and their configurations, which never change: s3rver reads them from disk at every request. */
function cacheBuckets(store: Store): void {
  const known = new Map<string, Promise<unknown>>()
  const cached = (name: string, read: () => Promise<unknown>): Promise<unknown> => {
    const value = known.get(name) ?? read()
    known.set(name, value)
    return value
  }
  const { getBucket, getSubresource } = store
  store.getBucket = (bucket) => cached(bucket, () => getBucket.call(store, bucket))
  store.getSubresource = (bucket, key, type) => {
    const read = () => getSubresource.call(store, bucket, key, type)
    return key === undefined ? cached(`${bucket}/${type}`, read) : read()
  }
}

function s3Compatibility(onCreated: S3ServerOptions['onCreated']): Step {
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

    const isOnlyIfAbsent = exchange.method === 'PUT' && exchange.headers['if-none-match'] === '*'
    await (isOnlyIfAbsent ? putOnlyIfAbsent(next) : next())
    if (exchange.method === 'PUT' && key !== '' && exchange.status === 200) onCreated(bucket, key)
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
