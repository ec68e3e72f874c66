/** How connectors handle responses that the sandbox never returns. */
import { describe, expect, it } from 'vitest'
import { authorizationCodeRefused, GrantRefused } from '../../../lib/platforms/connect-failures.ts'
import type { ConsentConnector } from '../../../lib/platforms/connector.ts'
import { connectorWithUrls } from '../../../lib/platforms/connectors.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import type { PlatformResponse } from '../../../lib/platforms/publisher.ts'

const tokens = { access: 'old', accessEndsAt: null, refresh: 'refresh', refreshEndsAt: null }

function blueskyRenewed(status: number, error: string) {
  const http = async () => ({ status, headers: {}, body: Buffer.from(JSON.stringify({ error, message: 'No.' })) })
  const context = { client: { id: '', secret: '' }, http, now: '2026-11-20T12:00:00.000Z' }
  return connectorWithUrls('bluesky', {}).refresh(context, tokens, {})
}

describe('a Bluesky renewal', () => {
  it('is refused by an error about the session, and not by any other server error', async () => {
    expect(await blueskyRenewed(400, 'ExpiredToken')).toEqual({ kind: 'refused' })
    expect(await blueskyRenewed(401, 'AccountTakedown')).toEqual({ kind: 'refused' })
    expect(await blueskyRenewed(400, 'InvalidRequest')).toEqual({ kind: 'refused' })
    await expect(blueskyRenewed(404, 'Not Found')).rejects.toThrow(/refuses to refresh a session: Not Found/)
    await expect(blueskyRenewed(403, 'Forbidden')).rejects.toThrow(/refuses to refresh/)
  })
})

function renewed(answer: Partial<Omit<PlatformResponse, 'body'>> & { body: unknown }) {
  const body = Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  const http = async () => ({ status: 200, headers: {}, ...answer, body })
  const context = { client: { id: 'i', secret: 's' }, http, now: '2026-11-20T12:00:00.000Z' }
  return (connectorWithUrls('twitter', {}) as ConsentConnector).refresh(context, tokens, {})
}

describe('a Threads renewal', () => {
  const answered = (status: number, code: number) => {
    const body = Buffer.from(JSON.stringify({ error: { message: 'No.', type: 'OAuthException', code } }))
    const http = async () => ({ status, headers: {}, body })
    const context = { client: { id: 'i', secret: 's' }, http, now: '2026-11-20T12:00:00.000Z' }
    return (connectorWithUrls('threads', {}) as ConsentConnector).refresh(context, tokens, {})
  }

  it("is refused by Meta's error about the token, not by outages, rate limits or an unknown client", async () => {
    expect(await answered(400, 190)).toEqual({ kind: 'refused' })
    await expect(answered(400, 2)).rejects.toThrow(NoResponse)
    await expect(answered(500, 190)).rejects.toThrow(NoResponse)
    await expect(answered(400, 4)).rejects.toThrow(NotSent)
    for (const code of [1, 101, 191, 368])
      await expect(answered(400, code)).rejects.toThrow(/client of this deployment/)
  })
})

describe('a renewal', () => {
  it('counts the token lifetime from now, also when it is returned as text', async () => {
    const body = { access_token: 'new', token_type: 'Bearer', expires_in: '7200', refresh_token: 'next' }
    expect(await renewed({ body })).toEqual({
      kind: 'renewed',
      tokens: { access: 'new', accessEndsAt: '2026-11-20T14:00:00.000Z', refresh: 'next', refreshEndsAt: null },
    })
  })

  it('with an undocumented response has an unknown result, and its error contains no token', async () => {
    for (const body of ['<html>', 'null', {}, { access_token: 'secret-token', expires_in: {} }]) {
      const failure: unknown = await renewed({ body }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(NoResponse)
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret-token')
    }
  })

  it("is refused only by the platform's documented errors, not by those of an intermediary", async () => {
    expect(await renewed({ status: 400, body: { error: 'invalid_grant' } })).toEqual({ kind: 'refused' })
    expect(await renewed({ status: 200, body: { error: 'invalid_grant' } })).toEqual({ kind: 'refused' })
    await expect(renewed({ status: 403, body: '<html>Blocked</html>' })).rejects.toThrow(NoResponse)
    await expect(renewed({ status: 400, body: { error: 'temporarily_unavailable' } })).rejects.toThrow(NoResponse)
    await expect(renewed({ status: 502, body: { error: 'invalid_grant' } })).rejects.toThrow(NoResponse)
  })

  it('is refused by the error numbers of Reddit and Pinterest only with their documented status', async () => {
    for (const body of [
      { message: 'Bad Request', error: 400 },
      { code: 283, message: 'Your refresh token is invalid.' },
    ])
      expect(await renewed({ status: 400, body })).toEqual({ kind: 'refused' })
    const body = { code: 283, message: 'The authorization grant is invalid' }
    expect(await renewed({ status: 401, body })).toEqual({ kind: 'refused' })
    for (const status of [401, 403, 404])
      await expect(renewed({ status, body: { message: 'No.', error: status } })).rejects.toThrow(/client of this depl/)
  })

  it('that is rate limited was not executed', async () => {
    await expect(renewed({ status: 429, body: {} })).rejects.toThrow(NotSent)
  })

  it('ends no connection when the client is refused', async () => {
    for (const error of ['invalid_client', 'unauthorized_client', 'deleted_client', 'Not Found'])
      await expect(renewed({ status: 400, body: { error } })).rejects.toThrow(/client of this deployment/)
  })
})

it("a platform's error message about a code is quoted and truncated", () => {
  const { code, message } = authorizationCodeRefused('reddit', new GrantRefused('No. '.repeat(10_000)))
  expect([code, message.length]).toEqual(['warning-publish-auth', 500])
  expect(message).toMatch(/^Reddit refuses to connect the account: No\. No\./)
})
