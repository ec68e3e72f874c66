/** Which requests of the local run share a turn: a client cannot become many. */
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { expect, test } from 'vitest'
import { knownClients, unknownClient } from '../../local/emulators/api-gateway/clients.ts'
import { startHttpApi } from '../../local/emulators/api-gateway/http-api.ts'
import { memoryLog, stopAfterTest } from './support/fixtures.ts'

const keys = ['Bearer rs_one', 'Bearer rs_two', 'Bearer rs_organization']

/** A gateway that knows three keys, and `owners`: the clients whose turn its requests took. */
async function given() {
  const owners: string[] = []
  const authenticated = async ({ headers, queryStringParameters: query }: APIGatewayProxyEventV2) => {
    const isKnown = keys.includes(headers.authorization ?? `Bearer ${query?.key}`)
    const mayAct = headers['x-service-workspace'] === undefined || headers['x-service-workspace'] === 'wsp_child'
    return { statusCode: isKnown && mayAct ? 200 : 401 }
  }
  const { url } = await stopAfterTest(
    startHttpApi({
      port: 0,
      basePath: '/v1',
      routes: [
        { signature: 'GET /videos', handler: authenticated },
        { signature: 'GET /missing', handler: async () => ({ statusCode: 404 }) },
        { signature: 'GET /page', handler: async () => ({ statusCode: 200 }), isPublic: true },
      ],
      fallback: async () => ({ statusCode: 404 }),
      schedule: (client, run) => {
        owners.push(client)
        return run()
      },
      log: memoryLog().log,
    }),
  )
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { status } = await fetch(`${url}/v1${path}`, { headers })
    return { status, owner: owners.at(-1)! }
  }
  const ownersOf = async (requests: readonly [string, Record<string, string>?][]) => {
    const found = new Set<string>()
    for (const [path, headers] of requests) found.add((await get(path, headers)).owner)
    return found
  }
  return { get, ownersOf }
}

test('all requests without a valid key are of one client, whatever they name', async () => {
  const { ownersOf } = await given()
  const invented = [1, 2, 3].flatMap((n): [string, Record<string, string>?][] => [
    ['/videos', { authorization: `Bearer rs_${n}` }],
    ['/videos', { authorization: 'Bearer rs_one', 'x-service-workspace': `wsp_${n}` }],
    [`/videos?key=${n}`],
    [`/page?key=${n}`],
    ['/page', { authorization: `Bearer rs_${n}` }],
    ['/missing', { authorization: `Bearer rs_${n}` }],
  ])
  expect(await ownersOf([...invented, ...invented])).toEqual(new Set(['unknown']))
})

test('a valid key is a client of its own after its first success, also in the URL', async () => {
  const { get } = await given()
  const first = await get('/videos', { authorization: keys[0]! })
  expect(first).toEqual({ status: 200, owner: 'unknown' })
  const { owner } = await get('/missing', { authorization: keys[0]! })
  expect(owner).not.toBe('unknown')
  expect((await get('/videos?key=rs_one')).owner).toBe(owner)
  await get('/videos', { authorization: keys[1]! })
  expect(['unknown', owner]).not.toContain((await get('/videos', { authorization: keys[1]! })).owner)
})

test('a valid key stays one client, however it is written and whatever is sent beside it', async () => {
  const { ownersOf } = await given()
  const spellings = ['a', 'b'].flatMap((n): [string, Record<string, string>?][] => [
    [`/videos?x=${n}&workspaceId=${n}`, { authorization: keys[0]! }],
    [`/videos?key=${n}`, { authorization: keys[0]! }],
    [`/missing?x=${n}`, { authorization: 'bearer   rs_one' }],
    [`/videos?key=rs_one&x=${n}`],
  ])
  await ownersOf([['/videos', { authorization: keys[0]! }]])
  expect((await ownersOf(spellings)).size).toBe(1)
})

test('the key of an organization is a client for each workspace that it may act for', async () => {
  const { get } = await given()
  const authorization = keys[2]!
  const child = { authorization, 'x-service-workspace': 'wsp_child' }
  for (const headers of [{ authorization }, child]) await get('/videos', headers)
  const [own, ofChild] = [await get('/videos', { authorization }), await get('/videos', child)]
  expect(new Set([own.owner, ofChild.owner, 'unknown']).size).toBe(3)
  expect((await get('/videos', { authorization, 'x-service-workspace': 'wsp_other' })).owner).toBe('unknown')
})

test('a key that is revoked is unknown after the refusal, and no more clients are remembered than the maximum', () => {
  const clients = knownClients(2)
  const request = (key: string) =>
    ({ url: '/v1/videos', headers: { authorization: `Bearer ${key}` } }) as IncomingMessage
  const reply = { status: 200, headers: {}, body: new Uint8Array(), isAuthenticated: true } as const
  for (const key of ['a', 'b', 'a', 'c']) clients.learn(request(key), reply)
  const areKnown = () => ['a', 'b', 'c'].map((key) => clients.of(request(key)) !== unknownClient)
  expect(areKnown()).toEqual([true, false, true])
  clients.learn(request('c'), { status: 401, headers: {}, body: new Uint8Array() })
  expect(areKnown()).toEqual([true, false, false])
})
