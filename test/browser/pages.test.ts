/**
 * Pages of other sites, in a real Chromium, try to read and write the services of the local run. `npm run test:browser` runs it; `npm test`
 * makes the same requests without a browser (`test/local/own-callers.test.ts`).
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect, test } from 'vitest'
import type { AttackReport, AttackTargets } from './attack.ts'
import { browser, openPage, serve, skipped } from './chromium.ts'

const { env } = process
const required = (name: string) => env[name] ?? ''
const bucket = required('BUCKET_NAME')
const forgedKey = { pk: { S: 'KEY#forged' }, sk: { S: 'KEY#forged' } }
const reads = 'An object that everyone may read.'
const script = `<script>parent.postMessage('ran', '*')</script>`

/** Sites of other origins: their name resolves to this machine, as after DNS rebinding, or is another port of it. */
const origins = ['evil.example', '127.0.0.1']

test.skipIf(!browser).each(origins)(`a page of %s reads and writes nothing${skipped}`, async (host) => {
  const [s3, dynamodb, sqs] = [new S3Client({ forcePathStyle: true }), new DynamoDBClient(), new SQSClient()]
  const folder = `sources/${crypto.randomUUID()}`
  const put = (name: string, ContentType: string, Body = '') =>
    new PutObjectCommand({ Bucket: bucket, Key: `${folder}/${name}`, ContentType, Body })
  await s3.send(put('read.txt', 'text/plain', reads))
  await s3.send(put('page.html', 'text/html', script))
  const guess = new S3Client({
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
  const uploads = {
    html: await getSignedUrl(s3, put('forged.html', 'text/html')),
    guessed: await getSignedUrl(guess, put('guessed.mp4', 'video/mp4')),
    video: await getSignedUrl(s3, put('video.mp4', 'video/mp4')),
  }
  const open = await serve((_request, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('open')
  })
  const sandbox = new URL(JSON.parse(required('PLATFORM_URLS')).tiktok.api).origin
  const before = await sandboxTime(sandbox)
  const endpoints = ['DYNAMODB', 'SQS', 'SFN', 'SCHEDULER', 'KMS', 'SECRETS_MANAGER'].map((name) =>
    required(`AWS_ENDPOINT_URL_${name}`),
  )
  const report = await attackFrom(host, {
    closed: [...endpoints, sandbox],
    open: `http://127.0.0.1:${open}`,
    table: required('TABLE_NAME'),
    key: forgedKey,
    readable: `${required('MEDIA_URL')}/${folder}/read.txt`,
    page: `${required('MEDIA_URL')}/${folder}/page.html`,
    listing: `${required('MEDIA_URL')}?list-type=2`,
    signedListing: await getSignedUrl(s3, new ListObjectsV2Command({ Bucket: bucket })),
    guessedListing: await getSignedUrl(guess, new ListObjectsV2Command({ Bucket: bucket })),
    uploads,
  })

  // The page works: it reads what every page may read, and uploads a video with a URL that it was given.
  expect(report.open).toBe('open')
  expect(report.readable).toBe(reads)
  expect(report.uploads.video).toBe(200)
  // Everything else fails.
  expect(report.closed.filter(({ read }) => read !== null)).toEqual([])
  expect(report.listings.filter((text) => text?.includes('<ListBucketResult'))).toEqual([])
  expect(report.uploads.html).not.toBe(200)
  expect(report.uploads.guessed).not.toBe(200)
  expect(report.hasRunScript).toBe(false)
  // Also what the page cannot see: requests without CORS and forms.
  const row = await dynamodb.send(new GetItemCommand({ TableName: required('TABLE_NAME'), Key: forgedKey }))
  expect(row.Item).toBeUndefined()
  const { QueueUrls } = await sqs.send(new ListQueuesCommand())
  expect(QueueUrls?.some((url) => url.endsWith('/forged'))).toBe(false)
  for (const name of ['forged.html', 'guessed.mp4']) {
    const head = s3.send(new HeadObjectCommand({ Bucket: bucket, Key: `${folder}/${name}` }))
    await expect(head).rejects.toMatchObject({ name: 'NotFound' })
  }
  expect((await sandboxTime(sandbox)) - before).toBeLessThan(86_400_000)
})

/** The sandbox's clock, which its control API advances. */
async function sandboxTime(sandbox: string): Promise<number> {
  const response = await fetch(`${sandbox}/__sandbox/clock`, { method: 'POST', body: '{"advanceSeconds":0}' })
  return Date.parse(((await response.json()) as { now: string }).now)
}

/** Opens a page of `host` that runs `attack.ts`, and resolves with what the page reports. */
async function attackFrom(host: string, targets: AttackTargets): Promise<AttackReport> {
  const { promise, resolve } = Promise.withResolvers<AttackReport>()
  const program = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'attack.ts'), 'utf8'))
  const port = await serve(async (request, response) => {
    if (request.method === 'POST') resolve((await json(request)) as AttackReport)
    if (request.url === '/attack.js') return response.setHeader('content-type', 'text/javascript').end(program)
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><script type="module">
      import { attack } from '/attack.js'
      const report = await attack(${JSON.stringify(targets)})
      await fetch('/report', { method: 'POST', body: JSON.stringify(report) })
    </script>`)
  })
  return Promise.race([promise, openPage(`http://${host}:${port}/`)])
}
