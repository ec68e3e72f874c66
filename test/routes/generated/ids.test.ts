/** Every route with every kind of id: a record that is not the workspace's own is not found. */
import { beforeAll, describe, expect, it } from 'vitest'
import { authenticatedRoutes } from '../../../lib/contract/openapi/document.ts'
import { exampleBody, minimalBody } from '../../support/fuzz/body-fuzzing.ts'
import { fillPath } from '../../support/fuzz/path-ids.ts'
import { pathIdsFor, routeAttemptsMax } from '../../support/fuzz/route-overrides.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { type ApiResponse, callApi, newWorld, type World } from '../../support/world.ts'

let own: World
let other: World
beforeAll(async () => {
  ;[own, other] = await Promise.all([newWorld(), newWorld()])
})

type Ids = Record<string, string>
const withPrefix = (prefix: string, id: string) => id.replace(/^[a-z]+/, prefix)

/** Ids that could be some record's, made from one that is. */
const plausible: [kind: string, from: (id: string) => string][] = [
  ['one that never was', (id) => `${id.split('_')[0]}_00000000000000000000000000`],
  ['the workspace', () => own.workspaceId],
  ['the key', () => own.keyId],
]
/** A key is a record of the routes of keys. */
const plausibleOn = (path: string) =>
  path.startsWith('/keys/') ? plausible.filter(([kind]) => kind !== 'the key') : plausible
/** Modified ids, and names that every object has. */
const changed: [kind: string, from: (id: string) => string][] = [
  ['in capitals', (id) => id.toUpperCase()],
  ['cut short', (id) => id.slice(0, -1)],
  ['64 long', () => 'a'.repeat(64)],
  ['a name of every object', () => 'constructor'],
  ['its parent', () => '__proto__'],
]
/** An id under the name of another kind. */
const renamed = ['vid', 'prf', 'whk', 'dlv', 'upl', 'evt', 'run', 'scn', 'brl'].map(
  (prefix): [kind: string, from: (id: string) => string] => [
    `the own one as ${prefix}_`,
    (id) => (id.startsWith(`${prefix}_`) ? withPrefix('other', id) : withPrefix(prefix, id)),
  ],
)
/** Texts that are no id at all, as they stand in an address. */
const impossible: [kind: string, from: (id: string) => string][] = [
  ['65 long', () => 'a'.repeat(65)],
  ['far too long', () => 'a'.repeat(3_000)],
  ['a zero byte', () => '%00'],
  ['a character of another script', (id) => `${id}%F0%9F%98%80`],
  ['a path', (id) => `..%2F${id}`],
  ['with a space', (id) => `${id}%20`],
  ['with a key separator', (id) => `${id}%23VIDEO`],
  ['a quoted one', (id) => `%22${id}%22`],
  ['a star', () => '*'],
]

const notFound = { status: 404, body: { error: { status: 404, code: 'not-found' } } }
const withId = authenticatedRoutes.filter(({ path }) => path.includes('{'))

describe.each(withId)('$method $path', (whole) => {
  const { row, method, path } = whole
  const place = withId.indexOf(whole)
  const foreignKinds = [...plausibleOn(path), ...rotatingSample([...changed, ...renamed], place, 5)]
  const body = row.body && exampleBody(whole)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!)
  const send = (ids: Ids, sent: unknown = body) => callApi(method, fillPath(path, ids), { key: own.apiKey, body: sent })
  const masked = ({ status, body }: Awaited<ReturnType<typeof callApi>>) =>
    JSON.stringify({ status, error: { ...body.error, requestId: '' } })

  // What is not found is not changed.
  let ids: Ids
  let foreign: Ids
  beforeAll(async () => {
    ;[ids, foreign] = await Promise.all([pathIdsFor(whole, own), pathIdsFor(whole, other)])
  })

  it('404: the same response for a foreign id, an unknown id and an id of another kind', async () => {
    const problems: string[] = []
    expect(await send(foreign)).toMatchObject(notFound)
    for (const id of names) {
      const expected = await send({ ...ids, [id]: foreign[id]! })
      expect(expected).toMatchObject(notFound)
      for (const [kind, from] of foreignKinds) {
        const answer = await send({ ...ids, [id]: from(ids[id]!) })
        if (masked(answer) !== masked(expected)) problems.push(`${id} is ${kind}: ${masked(answer)}`)
        const difference = openApiViolation(method, path, answer)
        if (difference) problems.push(`${id} is ${kind}: ${difference}`)
      }
    }
    expect(problems.slice(0, 20)).toEqual([])
  })

  it('404: the id is malformed', async () => {
    for (const id of names)
      for (const [kind, from] of rotatingSample(impossible, place, 5))
        expect(await send({ ...ids, [id]: from(ids[id]!) }), `${id} is ${kind}`).toMatchObject(notFound)
  })

  it('404 or 400: an invalid request reveals nothing about a foreign record', async () => {
    if (!row.body && !row.idempotent) return
    const missing = Object.fromEntries(names.map((id) => [id, plausible[0]![1](foreign[id]!)]))
    for (const sent of rotatingSample(['{', '[1]', '{"captionsFontSize": "x", "title": 5}'], place, 5))
      expect(masked(await send(foreign, row.body && sent))).toBe(masked(await send(missing, row.body && sent)))
  })

  it.skipIf(routeAttemptsMax(whole) === 0)('does not answer 404 for an id of the workspace itself', async () => {
    // The example may name a record that is not there, the least body may be too little for this one.
    const answers: ApiResponse[] = []
    for (const sent of row.body ? [exampleBody(whole), minimalBody(whole)] : [undefined])
      answers.push(await send(await pathIdsFor(whole, own), sent))
    // 503: on a busy machine the work takes longer than the request waits.
    const isKnown = ({ status }: ApiResponse) => status === 503 || (status < 500 && ![400, 401, 404].includes(status))
    expect(answers.filter(isKnown)).not.toEqual([])
    expect(answers.map((answer) => openApiViolation(method, path, answer)).filter(Boolean)).toEqual([])
  })
})
