/** The services of the local run accept only programs of this machine: no web page in a local browser can call them. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect, test } from 'vitest'
import { awsClientConfig, EMULATOR_CREDENTIALS } from '../../local/aws-client-config.ts'
import { BROWSER_BLOCKED_PORTS, startDynamodb } from '../../local/emulators/dynamodb.ts'
import { startKms } from '../../local/emulators/kms.ts'
import { startS3 } from '../../local/emulators/s3.ts'
import { startScheduler } from '../../local/emulators/scheduler.ts'
import { secretArn, startSecretsManager } from '../../local/emulators/secrets-manager.ts'
import { startSqs } from '../../local/emulators/sqs.ts'
import { startStepFunctions } from '../../local/emulators/step-functions.ts'
import { createSandbox } from '../../local/sandbox/server/server.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { freePort, stopAfterTest, TEST_TABLE } from './support/fixtures.ts'

interface Asked {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** `fetch` does not allow a custom Host or Origin header. */
async function ask(url: string, { method = 'POST', path = '/', headers = {}, body = '' }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const asked = request(url + path, { method, headers }, async (answer) =>
    resolve({ status: answer.statusCode!, body: await text(answer) }),
  )
  asked.on('error', reject).end(body)
  return promise
}

const log = () => {}
const directory = () => temporaryDirectory()
const port = () => freePort(temporaryDirectory())
const services = {
  kms: async () => startKms({ port: await port(), directory: directory(), keys: ['sealing'] }),
  secrets: async () => startSecretsManager({ port: await port(), secrets: { keys: () => 'a key of a vendor' } }),
  scheduler: async () => startScheduler({ port: await port(), directory: directory(), invoke: async () => {}, log }),
  'step functions': async () =>
    startStepFunctions({
      ...{ port: await port(), directory: directory(), machines: {}, timeScale: 1, log },
      work: { invoke: async () => {}, runTask: async () => {} } as never,
    }),
  sqs: async () => startSqs({ port: await port(), directory: directory(), queues: [{ name: 'deliveries' }] }),
  sandbox: async () => (await createSandbox({ directory: directory() })).start(),
}

const strangers = [
  // Its name was rebound to this machine: for the browser this is same-origin, and a GET has no Origin header.
  { host: 'evil.example:8000', origin: 'http://evil.example:8000' },
  { host: 'evil.example:8000' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  // An image of another page: a browser sends no Origin.
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  // A page of another port of this machine.
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
]
// Even with the key of this run.
const authorization = `AWS4-HMAC-SHA256 Credential=${EMULATOR_CREDENTIALS.accessKeyId}/20261123/us-east-1/any/aws4_request`

test.each(Object.entries(services))('%s: no page gets a response', async (_name, start) => {
  const { url } = await stopAfterTest(start())
  for (const headers of strangers)
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect((await ask(url, { method, headers: { authorization, ...headers } })).status).toBe(403)
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    const host = `${name}:1`
    const own = { authorization, host, origin: `http://${host}` }
    expect((await ask(url, { headers: own })).status).not.toBe(403)
    // Another program of this machine serves the page, or the sandbox of another run.
    expect((await ask(url, { headers: { ...own, origin: `http://${name}:2` } })).status).toBe(403)
  }
})

test('a page that rebinds its name to this machine gets no key of a vendor', async () => {
  const { url } = await stopAfterTest(services.secrets())
  const headers = { authorization, host: 'evil.example', 'x-amz-target': 'secretsmanager.GetSecretValue' }
  const body = JSON.stringify({ SecretId: secretArn('keys') })
  expect((await ask(url, { headers, body })).body).not.toContain('a key of a vendor')
  expect((await ask(url, { headers: { ...headers, host: 'localhost' }, body })).body).toContain('a key of a vendor')
})

const emulators = Object.entries(services).filter(([name]) => name !== 'sandbox')
test.each(emulators)('%s: a program without the key of this run gets no response', async (_name, start) => {
  const { url } = await stopAfterTest(start())
  const guessed = authorization.replace(EMULATOR_CREDENTIALS.accessKeyId, 'LOCAL')
  for (const headers of [{}, { authorization: guessed }]) expect((await ask(url, { headers })).status).toBe(403)
})

test('a link of another site leads to the sandbox, which pages cannot embed', async () => {
  const { url } = await stopAfterTest(services.sandbox())
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect((await ask(url, { method: 'GET', headers: link })).status).toBe(200)
  expect((await ask(url, { method: 'POST', headers: link })).status).toBe(403)
})

test('a page of another site uploads and reads by its presigned addresses, and lists nothing', async () => {
  const { url } = await stopAfterTest(startS3({ port: await port(), directory: directory(), buckets: ['media'] }))
  const client = new S3Client({ ...awsClientConfig(url), requestChecksumCalculation: 'WHEN_REQUIRED' })
  const file = { Bucket: 'media', Key: 'sources/a' }
  const [put, get, list] = await Promise.all([
    getSignedUrl(client, new PutObjectCommand(file)),
    getSignedUrl(client, new GetObjectCommand(file)),
    getSignedUrl(client, new ListObjectsV2Command({ Bucket: 'media' })),
  ])
  const headers = { origin: 'https://app.example' }
  const pathOf = (signed: string) => signed.slice(url.length)
  const upload = { method: 'PUT', path: pathOf(put), body: 'film' }
  for (const type of ['text/html', 'image/svg+xml', ''])
    expect((await ask(url, { ...upload, headers: { ...headers, 'content-type': type } })).status).toBe(403)
  expect((await ask(url, { ...upload, headers: { ...headers, 'content-type': 'video/mp4' } })).status).toBe(200)
  const served = await fetch(get)
  expect(served.headers.get('content-security-policy')).toBe('sandbox')
  expect(served.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await ask(url, { method: 'GET', path: pathOf(get), headers })).toMatchObject({ status: 200, body: 'film' })
  expect((await ask(url, { method: 'GET', path: pathOf(list), headers })).status).toBe(403)
  expect((await ask(url, { method: 'GET', path: pathOf(list) })).status).toBe(200)
})

test('the database listens on a port that no browser connects to', async () => {
  const options = { directory: directory(), table: TEST_TABLE, ttlAttribute: 'expiresAt', log }
  const { url } = await stopAfterTest(startDynamodb(options))
  // `fetch` of Node has the same list of ports: https://fetch.spec.whatwg.org/#port-blocking
  const refused = { cause: expect.objectContaining({ message: 'bad port' }) }
  await expect(fetch(url, { method: 'POST' })).rejects.toMatchObject(refused)
  for (const one of BROWSER_BLOCKED_PORTS) await expect(fetch(`http://127.0.0.1:${one}`)).rejects.toMatchObject(refused)
})
