/** What the adapter of all handlers adds to them: here its time limit and the level of its log lines. */
import { describe, expect, it, vi } from 'vitest'
import type { Route } from '../../lib/contract/route.ts'
import { createVideo, editVideo } from '../../lib/contract/routes/videos.ts'
import { getAccount } from '../../lib/contract/routes/workspace.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { log } from '../../lib/log.ts'
import { apiEvent, noContext } from '../support/api-event.ts'
import { newWorld } from '../support/world.ts'

async function callHandler(run: Parameters<typeof endpoint<typeof getAccount>>[1], remainingMs = 30_000, prefer = '') {
  const { apiKey } = await newWorld()
  const context = { ...noContext, getRemainingTimeInMillis: () => remainingMs }
  const event = apiEvent('GET', '/v1', { authorization: `Bearer ${apiKey}`, prefer })
  const [warn, error] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')]
  const { statusCode, headers, body } = await endpoint(getAccount, run)(event, context)
  const lines = { warn: warn.mock.calls.length, error: error.mock.calls.length }
  vi.restoreAllMocks()
  return { statusCode, headers, body: JSON.parse(body!), lines }
}

describe('a handler', () => {
  it('503: that works for longer than the function may is answered in time, in the envelope', async () => {
    const { statusCode, headers, body } = await callHandler(() => new Promise(() => {}), 1_600)
    expect(statusCode).toBe(503)
    expect(headers).toMatchObject({ 'Retry-After': '5', 'X-Request-Id': 'req_test' })
    expect(body.error).toMatchObject({ status: 503, code: 'unavailable', requestId: 'req_test' })
  })

  it('that refuses logs the code and the place, and nothing that was sent', async () => {
    const { apiKey } = await newWorld()
    const info = vi.spyOn(log, 'info')
    const refusedBody = async (row: Route, body: object) => {
      const [method = '', path = ''] = row.signature.split(' ')
      const event = apiEvent(method, `/v1${path}`, { authorization: `Bearer ${apiKey}` }, JSON.stringify(body))
      await endpoint(row, async () => expect.fail('It is not called.'))(event, noContext)
      return info.mock.calls.find(([message]) => message === 'request')![1]
    }
    const line = await refusedBody(createVideo, { prompt: 'canary', inputMode: 'canary' })
    expect(line).toMatchObject({ status: 400, code: 'invalid-request', path: 'body.inputMode' })
    expect(JSON.stringify(line)).not.toContain('canary')
    info.mockClear()
    expect(await refusedBody(editVideo, { 'a canary': 1 })).toMatchObject({ status: 400, path: 'body.…' })
    vi.restoreAllMocks()
  })

  it('that refuses writes no line above INFO; one that asks for a retry a WARN; a fault an ERROR', async () => {
    const refuse = (code: 'conflict' | 'unavailable') => async () => {
      throw new Refusal(code, 'No.')
    }
    expect((await callHandler(refuse('conflict'))).lines).toEqual({ warn: 0, error: 0 })
    expect((await callHandler(refuse('unavailable'))).lines).toEqual({ warn: 1, error: 0 })
    const fault = async () => {
      throw new TypeError('x is not a function')
    }
    expect((await callHandler(fault)).lines).toEqual({ warn: 0, error: 1 })
  })

  it.each([
    ['25', 20],
    ['0', 0],
  ])('waits no longer for a job than the deployment allows: %s s', async (waitSecondsMax, seconds) => {
    vi.stubEnv('WAIT_SECONDS_MAX', waitSecondsMax)
    const waits: number[] = []
    await callHandler(
      async ({ waitSeconds }) => {
        waits.push(waitSeconds)
        throw new Refusal('conflict', 'No.')
      },
      30_000,
      'wait=20',
    )
    vi.unstubAllEnvs()
    expect(waits).toEqual([seconds])
  })
})
