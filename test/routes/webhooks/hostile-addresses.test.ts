/**
 * Addresses that no delivery may reach, through the product: at save, and where an older version has saved them. A canary on
 * loopback stands for everything private; where the operator allows loopback it is reached, so its silence means something.
 */
import { connect as dial } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { now } from '../../../lib/clock.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { EgressDeps } from '../../../lib/egress/request.ts'
import { getDelivery } from '../../../lib/store/deliveries.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { testWebhook } from '../../../lib/use-cases/webhooks/test-webhook.ts'
import { type Reelsmith, startReelsmith } from '../../../local/reelsmith.ts'
import { dialsCanary, startCanary } from '../../egress/canary.ts'
import { ssrfDnsAnswers, ssrfUrls } from '../../egress/ssrf-addresses.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { givenDelivery, updateWebhook } from '../../support/given/webhooks.ts'
import { mapConcurrently } from '../../support/map-concurrently.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { newWorld, type World } from '../../support/world.ts'
import { givenEndpoint } from '../../workers/support/run-workers.ts'

let service: Reelsmith
const directory = temporaryDirectoryOfFile({ memory: true })
beforeAll(async () => {
  service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
})
afterAll(() => service.stop())
// As in the deployed stack.
beforeEach(() => {
  vi.stubEnv('ALLOW_LOOPBACK', 'false')
  return () => vi.unstubAllEnvs()
})

async function ask(method: string, path: string, { apiKey }: World, body?: unknown) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> }
}

/** The table with the canary's port, in both schemes: plain http is refused for itself. */
const tableAt = (port: number) => [
  ...new Set(
    ssrfUrls
      .flatMap((url) => [url, url.replace(/^http:(?=.*@port)/, 'https:')])
      .map((url) => url.replaceAll('@port', String(port))),
  ),
]

/** Those that lead to this machine without any help of a test. */
const isHere = (url: string) =>
  /^(?:\[::1?\]|0\.0\.0\.0|127\.[\d.]+|(?:.+\.)?localhost)$/.test(URL.parse(url)?.hostname ?? '')

/** A workspace with one endpoint, which is written into the table whatever its address. */
async function newTarget(url: string) {
  const world = await newWorld()
  const { workspaceId } = world
  const { id: webhookId } = await givenEndpoint(workspaceId, 'https://example.com/')
  const move = (to: string) => updateWebhook(world, webhookId, { url: to, failureCount: 0 })
  await move(url)
  const attempt = async (id: string, doors?: EgressDeps): Promise<Delivery> => {
    await attemptDelivery({ workspaceId, deliveryId: id, attempt: 0, isReserved: true }, doors)
    return getDelivery(workspaceId, id, now())
  }
  return {
    world,
    webhookId,
    move,
    /** The one attempt that each way of posting makes: what became of it. */
    delivered: async (doors?: EgressDeps) => attempt((await givenDelivery(world, webhookId)).id, doors),
    resent: async (doors?: EgressDeps) => {
      const { id } = await givenDelivery(world, webhookId, 'video.created', { status: 'failed', dueAt: null })
      const { status, body } = await ask('POST', `/webhooks/deliveries/${id}/resend`, world)
      expect(status).toBe(201)
      return attempt(body.data.id, doors)
    },
    tested: async (doors?: EgressDeps) => testWebhook(await getWebhook(workspaceId, webhookId), now(), doors),
    testedByRoute: async () => (await ask('POST', `/webhooks/${webhookId}/test`, world)).body.data,
  }
}

type Target = Awaited<ReturnType<typeof newTarget>>

/** A refusal of ours: it was not tried and found wanting. */
const refusal = expect.stringMatching(/^(?!The connection|The TLS|The answer|The endpoint|There was).{1,400}$/)
const refusedRow = { status: 'pending', attempts: 1, responseStatus: null, lastError: refusal }
const refusedTest = { delivered: false, responseStatus: null, error: refusal }

const ways = ['delivered', 'resent', 'tested'] as const

/** Posts in every way there is, or in those that are named, and expects each to be refused. */
async function expectRefused(
  target: Target,
  doors: EgressDeps,
  { error = refusal, by = ways as readonly (typeof ways)[number][] } = {},
): Promise<void> {
  for (const way of by) {
    const refused = way === 'tested' ? { ...refusedTest, error } : { ...refusedRow, lastError: error }
    expect(await target[way](doors)).toMatchObject(refused)
  }
}

/** Goes through a table in parts, each with an endpoint of its own. */
async function throughTargets<Row>(
  rows: readonly Row[],
  run: (target: Target, row: Row) => Promise<void>,
): Promise<void> {
  const parts = Array.from({ length: 8 }, (_, part) => rows.filter((_row, index) => index % 8 === part))
  await mapConcurrently(parts.length, parts, async (part) => {
    const target = await newTarget('https://example.com/')
    for (const row of part) await run(target, row)
  })
}

describe('the canary', () => {
  it('is reached by every kind of delivery where the operator allows loopback', async () => {
    vi.stubEnv('ALLOW_LOOPBACK', 'true')
    const canary = await startCanary()
    const target = await newTarget(`http://127.1:${canary.port}/`)
    expect(await target.delivered()).toMatchObject({ status: 'delivered', responseStatus: 200 })
    expect(await target.resent()).toMatchObject({ status: 'delivered', responseStatus: 200 })
    expect(await target.tested()).toMatchObject({ delivered: true, responseStatus: 200 })
    expect(await target.testedByRoute()).toMatchObject({ delivered: true, responseStatus: 200 })
    const { doors } = dialsCanary(canary.port, () => ['127.0.0.1'])
    await target.move('http://hooks.example.com/')
    expect(await target.delivered(doors)).toMatchObject({ status: 'delivered' })
    expect(canary.hits).toBe(5)
  })
})

describe('a hostile spelling', () => {
  it('400: is refused by POST /webhooks and PATCH /webhooks/{id}, which change nothing', async () => {
    const canary = await startCanary()
    const table = tableAt(canary.port)
    expect(table.length).toBeGreaterThan(200)
    const target = await newTarget('https://example.com/')
    const path = `/webhooks/${target.webhookId}`
    const { webhooksUsed } = await getWorkspace(target.world.workspaceId)
    const routes = [
      (url: string) => ask('POST', '/webhooks', target.world, { url, events: ['video.created'] }),
      (url: string) => ask('PATCH', path, target.world, { url }),
    ]
    await mapConcurrently(8, table, async (url) => {
      // One route each, in turn.
      for (const route of rotatingSample(routes, table.indexOf(url), routes.length)) {
        const refused = { status: 400, body: { error: { code: 'invalid-request', details: [{ path: 'body.url' }] } } }
        expect({ url, ...(await route(url)) }).toMatchObject({ url, ...refused })
      }
    })
    expect((await getWebhook(target.world.workspaceId, target.webhookId)).url).toBe('https://example.com/')
    expect((await getWorkspace(target.world.workspaceId)).webhooksUsed).toBe(webhooksUsed)
    expect(canary.hits).toBe(0)
  })

  it('is not posted to by a delivery, a resend or a test, even where it is stored', async () => {
    const canary = await startCanary()
    const { doors, dialled } = dialsCanary(canary.port, () => ['127.0.0.1'])
    // All of them were refused above, by the same rule.
    const table = rotatingSample(tableAt(canary.port), 0, 2)
    await throughTargets(table, async (target, url) => {
      await target.move(url)
      // One way each, in turn.
      await expectRefused(target, doors, { by: rotatingSample(ways, table.indexOf(url), ways.length) })
      if (!isHere(url)) return
      // These lead to the canary by themselves, so the route may try.
      expect(await target.testedByRoute()).toMatchObject(refusedTest)
      expect(await target.delivered()).toMatchObject(refusedRow)
    })
    expect([dialled, canary.hits]).toEqual([[], 0])
  })
})

describe('a name', () => {
  const notPublic = expect.stringMatching(/^hooks\.example\.com leads to an address that is not public\.$/)
  const url = 'https://hooks.example.com/'

  it('that resolves to a non-public address, alone or among others, is stored but never posted to', async () => {
    const canary = await startCanary()
    await throughTargets(ssrfDnsAnswers, async (target, answers) => {
      const { doors, dialled } = dialsCanary(canary.port, () => answers)
      const edit = await ask('PATCH', `/webhooks/${target.webhookId}`, target.world, { url })
      expect(edit.status).toBe(200)
      await updateWebhook(target.world, target.webhookId, { failureCount: 0 })
      const by = rotatingSample(ways, ssrfDnsAnswers.indexOf(answers), ways.length)
      await expectRefused(target, doors, { error: notPublic, by })
      expect(dialled).toEqual([])
    })
    expect(canary.hits).toBe(0)
  })

  it('that resolves differently after the check is not followed', async () => {
    const canary = await startCanary()
    const target = await newTarget(url)
    let asked = 0
    const { doors, dialled } = dialsCanary(canary.port, () => (asked++ % 2 === 0 ? ['93.184.216.34'] : ['127.0.0.1']))
    const outcomes = [await target.delivered(doors), await target.delivered(doors), await target.delivered(doors)]
    // Asked once for each attempt: the second answer belongs to the second attempt, and refuses it.
    expect(asked).toBe(3)
    expect(dialled).toEqual([['93.184.216.34'], ['93.184.216.34']])
    expect(outcomes[1]).toMatchObject({ ...refusedRow, lastError: notPublic })
    expect(canary.hits).toBe(0)
  })

  it('whose public address connects to this machine receives no byte', async () => {
    const canary = await startCanary()
    const doors: EgressDeps = {
      resolve: async () => ['93.184.216.34'],
      connect: () => dial({ host: '127.0.0.1', port: canary.port }),
    }
    await expectRefused(await newTarget(url), doors, { error: notPublic })
    expect(canary.bytes).toBe(0)
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is a failed attempt and is not followed', async (status) => {
    vi.stubEnv('ALLOW_LOOPBACK', 'true')
    const canary = await startCanary()
    const redirect = await startCanary(`HTTP/1.1 ${status} Go\r\nLocation: ${canary.url}\r\nContent-Length: 0\r\n\r\n`)
    const target = await newTarget(redirect.url)
    const lastError = `The endpoint answered ${status}: redirects are not followed.`
    const row = { status: 'pending', attempts: 1, responseStatus: status, lastError }
    expect(await target.delivered()).toMatchObject(row)
    expect(await target.resent()).toMatchObject(row)
    const test = { delivered: false, responseStatus: status, error: lastError }
    expect(await target.tested()).toMatchObject(test)
    expect(await target.testedByRoute()).toMatchObject(test)
    expect([redirect.hits, canary.hits]).toEqual([4, 0])
  })
})
