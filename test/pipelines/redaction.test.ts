/**
 * A whole run with secrets in every possible place, mostly with failures: its log says what happened and to which
 * tenant it belongs, and contains none of the secrets.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { NewUploadResource, PublicationResource, VideoResource } from '../../lib/contract/resources/index.ts'
import type { NewWebhookResource } from '../../lib/contract/resources/webhooks.ts'
import { platforms } from '../../lib/domain/core/platform.ts'
import { isOpen } from '../../lib/domain/core/states.ts'
import { metrics } from '../../lib/domain/records/metrics.ts'
import { mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { localEnvironment } from '../../local/environment.ts'
import { type FakeVendor, startFakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import {
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
/** Redacted from every log by its pattern. */
const secrets = new Map<string, string>()
const secret = (what: string, value = `${what.replaceAll(' ', '-')}-canary-7f3a`) => {
  secrets.set(what, value)
  return value
}
let service: ServiceProcess
let vendor: FakeVendor

beforeAll(async () => {
  // It echoes the request, as bad services do.
  vendor = await startFakeVendor(({ headers, query, path }) => ({
    status: 400,
    body: { message: `No ${headers.authorization} ${path}?${query}`, headers },
  }))
  service = await startServiceProcess(directory, {
    POWERTOOLS_LOG_LEVEL: 'INFO',
    PROVIDERS: JSON.stringify({ footage: 'pexels' }),
    VENDOR_URLS: JSON.stringify({ pexels: vendor.url }),
    PEXELS_API_KEY: secret('key of a vendor'),
  })
  secret('key of the API', service.runtime.apiKey)
})
afterAll(async () => {
  await service.stop()
  await vendor.stop()
  remove()
})

const request = (path: string, init: RequestInit = {}) =>
  fetch(`${service.runtime.baseUrl}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${service.runtime.apiKey}`, ...init.headers },
  })

/** The lines that the service wrote; the local run writes other lines in between. */
const lines = (): ReturnType<typeof JSON.parse>[] =>
  service
    .output()
    .split('\n')
    .flatMap((line) => {
      const json = /\{"level":.*\}$/.exec(line)
      return json ? [JSON.parse(json[0])] : []
    })
const has = (message: string) => lines().some((line) => line.message === message)

/** Requests that are refused for every possible reason. */
async function refused() {
  await request('/videos', { headers: { Authorization: `Bearer ${secret('key that was mistyped', mintApiKey())}` } })
  await request(`/videos?search=${secret('search')}&key=${secret('query')}`)
  await request('/videos', { method: 'POST', body: `{"prompt": "${secret('body that is no JSON')}"` })
  await request('/videos', { method: 'POST', body: JSON.stringify({ prompt: 7, title: secret('title') }) })
  await request(`/${secret('path')}`)
  const told = new URLSearchParams({ code: secret('code of a consent'), state: secret('state of a consent') })
  await fetch(`${service.runtime.baseUrl}/connections/tiktok/callback?${told}`)
}

/** Events to an endpoint that does not respond, with a secret in its address. */
async function deaf() {
  const url = `http://127.0.0.1:65535/${secret('path of an endpoint')}?token=${secret('query of an endpoint')}`
  const body = { url, events: ['video.created'] }
  const webhook = await callApiOf<NewWebhookResource>(service.runtime, 'POST', '/webhooks', body)
  secret('secret of an endpoint', webhook.secret)
  await request(`/webhooks/${webhook.id}/test`, { method: 'POST' })
}

/** A file that only begins like an image. */
async function upload() {
  const bytes = Buffer.from(`\0\0\0\x18ftypmp42\0\0\0\0mp42isom${secret('file').repeat(20)}`, 'latin1')
  const body = { fileName: `${secret('name of a file')}.mp4`, contentType: 'video/mp4', bytes: bytes.length }
  const { uploadUrl, headers } = await callApiOf<NewUploadResource>(service.runtime, 'POST', '/uploads', body)
  secret('signature', new URL(uploadUrl).searchParams.get('X-Amz-Signature')!)
  await fetch(uploadUrl, { method: 'PUT', headers, body: bytes })
}

async function video(brief: { title: string; imageStyle: string }): Promise<VideoResource> {
  const response = await request('/videos', {
    method: 'POST',
    headers: { 'Idempotency-Key': secret(`idempotency key ${brief.imageStyle}`) },
    body: JSON.stringify({
      text: `${secret('text')} says a calm voice.`,
      process: { render: brief.title === 'One' },
      ...brief,
    }),
  })
  const { data } = (await response.json()) as { data: VideoResource }
  return waitForVideo(service.runtime, data.id, ({ process, render }) => !isOpen(process) && !isOpen(render))
}

/** To accounts whose tokens are known here, on platforms that fail. */
async function published({ id }: VideoResource) {
  const { runtime } = service
  Object.assign(process.env, localEnvironment(runtime.endpoints, runtime))
  // They find their services by the environment that was just set.
  const { connectWithPassword } = await import('../../lib/use-cases/accounts/connect-account.ts')
  const { findAccount } = await import('../../lib/store/profiles.ts')
  const { findTokens } = await import('../../lib/store/tokens.ts')
  const { unsealTokens: openTokens } = await import('../../lib/use-cases/accounts/sealed-tokens.ts')
  for (const { id: platform } of platforms) {
    const account = (await findAccount(runtime.workspaceId, runtime.profileId, platform))!
    const { access, refresh } = await openTokens(account, (await findTokens(account))!)
    secret(`access token of ${platform}`, access)
    if (refresh) secret(`refresh token of ${platform}`, refresh)
  }
  const password = { service: null, identifier: 'nobody.test', password: secret('app password') }
  await connectWithPassword(runtime.workspaceId, runtime.profileId, password).catch(() => {})
  const faults = `${runtime.endpoints.sandbox}/__sandbox/faults`
  for (const [platform, kind] of [
    ['youtube', 'http:500'],
    ['tiktok', 'bad-json'],
    ['twitter', 'reset-before'],
  ])
    for (const op of ['upload', 'init', 'post', 'create', 'status'])
      await fetch(faults, { method: 'POST', body: JSON.stringify({ platform, op, kind }) })
  const body = { platforms: platforms.map((platform) => platform.id), caption: secret('caption') }
  await callApiOf<PublicationResource>(runtime, 'POST', `/videos/${id}/publish`, body)
  // Not of every platform: calls to failing ones are retried for a long time.
  const ended = () => lines().filter(({ message }) => message === 'posting.ended').length
  await vi.waitUntil(() => ended() > 5, { timeout: 60_000 })
}

describe('the log', () => {
  beforeAll(async () => {
    await refused()
    await deaf()
    await upload()
    const [made, spared] = await Promise.all([
      video({ imageStyle: 'ai_image', title: 'One' }),
      video({ imageStyle: 'stock_footage', title: 'Two' }).catch(() => undefined),
    ])
    expect(made.status).toBe('ready')
    const urls = [made, spared].flatMap((one) => Object.entries(one?.media ?? {}))
    for (const [name, url] of urls)
      if (typeof url === 'string' && url.includes('://'))
        secret(`${name} ${url}`, new URL(url).pathname.split('/').at(-1)!)
    await published(made)
    const wanted = ['delivery.attempted', 'task.failed', 'upload.settled']
    await vi.waitUntil(() => wanted.every(has), { timeout: 60_000 })
  })

  it('contains none of the secrets', () => {
    expect(secrets.size).toBeGreaterThan(30)
    const text = lines().map((line) => JSON.stringify(line))
    expect(text.length).toBeGreaterThan(100)
    for (const [what, value] of secrets)
      expect(
        text.filter((line) => line.includes(value)),
        what,
      ).toEqual([])
  })

  it('has the request, or the workspace and the run, in every line', () => {
    const nobodys = lines().filter(
      ({ requestId, workspaceId, voice }) =>
        requestId === undefined && workspaceId === undefined && voice === undefined,
    )
    expect(nobodys).toEqual([])
    const ofRuns = lines().filter(({ message }) => /^(step|task|posting|render)\./.test(String(message)))
    expect(ofRuns.length).toBeGreaterThan(10)
    for (const line of ofRuns)
      expect(line).toMatchObject({
        workspaceId: expect.any(String),
        videoId: expect.any(String),
        runId: expect.any(String),
      })
  })

  it('has metrics in the embedded format: names and units that alarms use, and few dimensions', () => {
    const measured = lines().filter(({ message }) => message === 'measured')
    const seen = new Set<string>()
    for (const line of measured) {
      const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics
      expect(line._aws.Timestamp).toBeTypeOf('number')
      expect(Namespace).toBe('Reelsmith')
      const [{ Name, Unit }] = Metrics
      expect(Unit).toBe(metrics[Name as keyof typeof metrics])
      expect(line[Name]).toBeTypeOf('number')
      for (const name of Dimensions.flat()) {
        expect(['deployment', 'job', 'code', 'what']).toContain(name)
        expect(line[name]).toBeTypeOf('string')
      }
      seen.add(Name)
    }
    for (const name of ['OutboxAge', 'DeliveryLateness', 'JobsEnded', 'JobsFailed']) expect(seen).toContain(name)
  })
})
