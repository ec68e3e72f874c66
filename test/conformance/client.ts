/** The calls of a client, and what a refusal looks like: for the tests of automations. */
import { type Call, call, type World } from '../support/world.ts'

export const as = (who: World) => ({
  get: (path: string) => call('GET', path, { key: who.apiKey }),
  post: (path: string, body?: unknown, headers: Call['headers'] = {}) =>
    call('POST', path, { key: who.apiKey, headers, body }),
  patch: (path: string, body: unknown) => call('PATCH', path, { key: who.apiKey, body }),
  remove: (path: string) => call('DELETE', path, { key: who.apiKey }),
  account: async () => (await call('GET', '/', { key: who.apiKey })).body.data,
})

export const refused = (status: number, code: string) => ({ status, body: { error: { status, code } } })
export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
export const keyed = (key: string) => ({ 'Idempotency-Key': key })
