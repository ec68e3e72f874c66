/** Every row that accepts an `Idempotency-Key`: sent first, again, concurrently, with another body, from another workspace. */
import { describe, expect, it } from 'vitest'
import { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import { exampleBody } from '../../support/fuzz/body-fuzzing.ts'
import { fillPath } from '../../support/fuzz/path-ids.ts'
import { hasNoAttemptsMax, pathIdsFor, routeAttemptsMax } from '../../support/fuzz/route-overrides.ts'
import { volume } from '../../support/fuzz/volume.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { type ApiResponse, callApi, newWorld } from '../../support/world.ts'

const keyed = sortedRoutes.filter((whole) => whole.row.idempotent && routeAttemptsMax(whole) > 0)

describe.each(keyed)('$method $path', (whole) => {
  const { row, method, path } = whole
  const body = row.body && JSON.stringify(exampleBody(whole))

  async function given() {
    const world = await newWorld()
    const at = fillPath(path, await pathIdsFor(whole, world))
    const send = (key: string, sent = body) =>
      callApi(method, at, { key: world.apiKey, headers: { 'Idempotency-Key': key }, body: sent })
    const account = async () => (await callApi('GET', '/', { key: world.apiKey })).body.data
    return { send, account }
  }
  const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true'
  const withoutRequest = ({ status, body }: ApiResponse) => ({
    status,
    body: { ...body, error: { ...body.error, requestId: '' } },
  })

  it('400: the key is empty or longer than 255 characters; nothing changes', async () => {
    const { send, account } = await given()
    const before = await account()
    for (const key of ['', 'a'.repeat(256), 'a'.repeat(4_000)]) {
      const answer = await send(key)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
      expect(openApiViolation(method, path, answer)).toBeUndefined()
    }
    expect(await account()).toEqual(before)
  })

  it('replays the first response without a charge; a refusal is not stored', async () => {
    const { send, account } = await given()
    const keys = ['a'.repeat(255), 'a', '8e03978e-40d5-43e8-bc93-6894a57f9324', '"quoted" key/with=signs']
    for (const key of keys.slice(0, Math.min(routeAttemptsMax(whole), volume(2, keys.length)))) {
      const first = await send(key)
      const after = await account()
      const again = await send(key)
      expect(withoutRequest(again)).toEqual(withoutRequest(first))
      expect([isReplayed(first), isReplayed(again)]).toEqual([false, first.status < 300])
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(await account()).toEqual(after)
    }
  })

  it('marks the replay for another body with `Idempotency-Mismatch`', async () => {
    const { send } = await given()
    const first = await send('one')
    const other = await send('one', '{"another": "body"}')
    if (first.status >= 300) return
    expect(other).toMatchObject({ status: first.status, body: first.body })
    expect(other.headers.get('idempotency-mismatch')).toBe('true')
    expect((await send('one')).headers.has('idempotency-mismatch')).toBe(false)
  })

  it('executes concurrent duplicates once, and answers all of them alike', async () => {
    const { send, account } = await given()
    const all = await Promise.all(Array.from({ length: volume(6, 10) }, () => send('twins')))
    // A request that arrives while a synchronous job runs gets `idempotency-in-progress`.
    const answers = all.filter(({ body }) => body.error?.code !== 'idempotency-in-progress')
    expect(new Set(answers.map((answer) => JSON.stringify(withoutRequest(answer)))).size).toBe(1)
    if (hasNoAttemptsMax(whole) && answers[0]!.status < 300)
      expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    const after = await account()
    await send('twins')
    expect(await account()).toEqual(after)
  })

  it('the same key in another workspace is another key', async () => {
    const [here, there] = await Promise.all([given(), given()])
    await here.send('shared')
    expect(isReplayed(await there.send('shared'))).toBe(false)
  })
})
