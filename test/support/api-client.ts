/** The requests of one client, for tests that send many. */
import { type ApiRequest, callApi, type World } from './world.ts'

export const apiClientOf = (who: World) => ({
  get: (path: string) => callApi('GET', path, { key: who.apiKey }),
  post: (path: string, body?: unknown, headers: ApiRequest['headers'] = {}) =>
    callApi('POST', path, { key: who.apiKey, headers, body }),
  patch: (path: string, body: unknown) => callApi('PATCH', path, { key: who.apiKey, body }),
  remove: (path: string) => callApi('DELETE', path, { key: who.apiKey }),
  account: async () => (await callApi('GET', '/', { key: who.apiKey })).body.data,
})

export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
export const idempotencyKeyHeader = (key: string) => ({ 'Idempotency-Key': key })
