/** Signatures of deliveries: any Standard Webhooks library and the vectors of the manual must agree with them. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { isWellFormedWebhookSecret, mintWebhookSecret, signedHeaders } from '../../../lib/domain/webhooks/signature.ts'

const attempt = {
  secret: mintWebhookSecret(),
  body: '{"event":"video.created","data":{"video":{"title":"Ænglisc 🐈"}}}',
  event: 'video.created',
  deliveryId: 'dlv_1',
  messageId: 'dlv_1',
  at: new Date().toISOString(),
}

describe('a secret', () => {
  it('is whsec_ and the base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 1_000 }, mintWebhookSecret)
    expect(new Set(secrets).size).toBe(1_000)
    for (const secret of secrets) {
      expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64').toString('base64')).toBe(secret.slice(6))
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(secrets.filter((secret) => !isWellFormedWebhookSecret(secret))).toEqual([])
  })

  it('rejects texts that would make a weaker key', () => {
    const secret = mintWebhookSecret()
    const wrong = ['', 'whsec_', 'whsec_AA==', 'undefined', secret.slice(6), secret.slice(0, -1), `${secret}\n`]
    expect(wrong.filter(isWellFormedWebhookSecret)).toEqual([])
  })
})

describe('the headers of an attempt', () => {
  it('are the eight of every delivery', () => {
    expect(signedHeaders({ ...attempt, at: '2026-11-02T09:00:00.999Z' })).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Reelsmith-Webhooks',
      'X-Service-Event': 'video.created',
      'X-Service-Delivery': 'dlv_1',
      'X-Service-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'webhook-id': 'dlv_1',
      'webhook-timestamp': '1793610000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
  })

  it('of a test delivery have an id to sign, and no delivery id', () => {
    const headers = signedHeaders({ ...attempt, event: 'webhook.test', deliveryId: null, messageId: 'dlv_2' })
    expect(headers).not.toHaveProperty('X-Service-Delivery')
    expect(headers).toMatchObject({ 'X-Service-Event': 'webhook.test', 'webhook-id': 'dlv_2' })
  })

  it('sign text and its UTF-8 bytes alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        expect(signedHeaders({ ...attempt, body })).toEqual(signedHeaders({ ...attempt, body: Buffer.from(body) }))
      }),
    )
  })

  it('differ between attempts only in the time and its signature', () => {
    const [first, second] = ['2026-11-02T09:00:00.000Z', '2026-11-02T09:00:04.000Z'].map((at) =>
      signedHeaders({ ...attempt, at }),
    )
    const changed = Object.keys(first!).filter((name) => first![name] !== second![name])
    expect(changed).toEqual(['webhook-timestamp', 'webhook-signature'])
  })

  it('are verified by the reference library of Standard Webhooks, for any body', () => {
    const library = new Webhook(attempt.secret)
    fc.assert(
      fc.property(fc.json(), (body) => {
        expect(library.verify(body, signedHeaders({ ...attempt, body }))).toEqual(JSON.parse(body))
      }),
    )
    const headers = signedHeaders(attempt)
    expect(() => library.verify(`${attempt.body} `, headers)).toThrow('No matching signature')
    expect(() => library.verify(attempt.body, { ...headers, 'webhook-id': 'dlv_2' })).toThrow('No matching signature')
  })
})

describe('docs/guides/webhooks.md', () => {
  const page = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const vectors = [...page.matchAll(/^```vector\n([\s\S]*?)^```$/gm)].map(([, lines]) =>
    Object.fromEntries(
      lines!
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +(.*)/).slice(0, 2)),
    ),
  ) as Record<string, string>[]

  it('has two test vectors', () => expect(vectors).toHaveLength(2))

  it.each(vectors)('has the right signature for $webhook-id', ({ secret, body, ...headers }) => {
    const id = headers['webhook-id']!
    const { event } = JSON.parse(body!)
    const at = new Date(Number(headers['webhook-timestamp']) * 1000).toISOString()
    const computed = signedHeaders({ secret: secret!, body: body!, event, deliveryId: id, messageId: id, at })
    expect(Object.keys(headers)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'X-Service-Signature',
      'webhook-signature',
    ])
    expect(computed).toMatchObject(headers)
  })
})
