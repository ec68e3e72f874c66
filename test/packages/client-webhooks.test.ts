/** Verification of deliveries: only what the service sent, unmodified and at about the current time, is accepted. */
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'
import type { VerificationOptions, WebhookHeaders } from '../../packages/client/webhooks.js'
import { verifyWebhook, WebhookVerificationError } from '../../packages/client/webhooks.js'

const secret = mintWebhookSecret()
const at = '2026-11-02T09:00:00.000Z'
const eventBody = {
  event: 'video.created',
  workspaceId: 'wsp_1',
  createdAt: '2026-11-02T08:59:59.000Z',
  sequence: 7,
  data: { video: { id: 'vid_1', title: 'Ænglisc 🐈' } },
}
const body = JSON.stringify(eventBody)
const sign = (changes: Partial<Parameters<typeof signedHeaders>[0]> = {}) =>
  signedHeaders({ secret, body, event: eventBody.event, deliveryId: 'dlv_1', messageId: 'dlv_1', at, ...changes })
const headers = sign()

const secondsLater = (seconds: number): VerificationOptions => ({ now: () => Date.parse(at) + seconds * 1000 })
const verify = (rawBody: string | Uint8Array, given: WebhookHeaders, key = secret, options = secondsLater(1)) =>
  verifyWebhook(rawBody, given, key, options)

/** Why it was refused; throws if it was not, or for any other error. */
async function refusal(...call: Parameters<typeof verify>): Promise<{ reason: string; message: string }> {
  try {
    await verify(...call)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
  return { reason: 'none', message: 'It was accepted.' }
}
const reason = async (...call: Parameters<typeof verify>) => (await refusal(...call)).reason
const reasons = <Item>(items: Item[], verifyItem: (item: Item) => Promise<string>): Promise<string[]> =>
  Promise.all(items.map(verifyItem))
/** Why any of them was refused: one reason where all were refused for the same one. */
const distinctReasons = async (...call: Parameters<typeof reasons<string>>) => [...new Set(await reasons(...call))]

/** The text with each of its characters changed, one at a time, and with one removed or added. */
const tampered = (text: string) => [
  ...Array.from(text, (character, index) => {
    const other = character === '0' ? '1' : '0'
    return text.slice(0, index) + other + text.slice(index + character.length)
  }),
  text.slice(0, -1),
  `${text}0`,
]

describe('a delivery', () => {
  it('is verified and parsed, as text and as bytes', async () => {
    expect(await verify(body, headers)).toEqual(eventBody)
    expect(await verify(Buffer.from(body), headers)).toEqual(eventBody)
    expect(await verify(new TextEncoder().encode(body), headers)).toEqual(eventBody)
  })

  it('is verified with any kind of headers object, in any case', async () => {
    const entries = Object.entries(headers)
    expect(await verify(body, new Headers(headers))).toEqual(eventBody)
    expect(await verify(body, Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])))).toEqual(
      eventBody,
    )
    expect(await verify(body, Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])))).toEqual(
      eventBody,
    )
    expect(await verify(body, Object.fromEntries(entries.map(([name, value]) => [name, [value]])))).toEqual(eventBody)
  })

  it('may have an event type that is unknown to this version', async () => {
    const newer = JSON.stringify({ ...eventBody, event: 'video.translated' })
    expect((await verify(newer, sign({ body: newer, event: 'video.translated' }))).event).toBe('video.translated')
  })

  it('needs no delivery header if it is a test delivery', async () => {
    const test = JSON.stringify({ ...eventBody, event: 'webhook.test', sequence: undefined })
    expect((await verify(test, sign({ body: test, event: 'webhook.test', deliveryId: null }))).event).toBe(
      'webhook.test',
    )
    expect(await reason(body, sign({ deliveryId: null }))).toBe('missing-header')
  })
})

describe('Standard Webhooks', () => {
  const library = new Webhook(secret)

  it('accepts signatures from its reference library', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z_0-9]{1,40}$/), async (title, id) => {
        const made = JSON.stringify({ ...eventBody, data: { title } })
        const theirs = { 'webhook-signature': library.sign(id, new Date(at), made) }
        const ours = sign({ body: made, deliveryId: id, messageId: id })
        expect((await verify(made, { ...ours, ...theirs })).data).toEqual({ title })
      }),
    )
  })

  it('requires one of several signatures to match, and only version 1 counts', async () => {
    const right = headers['webhook-signature']!
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`
    const among = (signatures: string) => reason(body, { ...headers, 'webhook-signature': signatures })
    expect(await among(`${wrong} ${right}`)).toBe('none')
    expect(await among(`${right} ${wrong} v1a,${'A'.repeat(88)}`)).toBe('none')
    expect(await among(`${wrong} ${wrong}`)).toBe('bad-signature')
    expect(await among(right.replace('v1', 'v2'))).toBe('bad-signature')
    expect(await among(right.slice(3))).toBe('bad-signature')
  })
})

describe('tampering is detected', () => {
  it('anywhere in the body', async () => {
    expect(await distinctReasons(tampered(body), (text) => reason(text, headers))).toEqual(['bad-signature'])
  })

  it.each(['X-Service-Signature', 'webhook-signature', 'webhook-id', 'webhook-timestamp', 'X-Service-Event'])(
    'anywhere in %s',
    async (name) => {
      const found = distinctReasons(tampered(headers[name]!), (text) => reason(body, { ...headers, [name]: text }))
      expect(await found).toEqual(['bad-signature'])
    },
  )

  it('anywhere in X-Service-Delivery, so that a replay is not accepted as a new delivery', async () => {
    const found = distinctReasons(tampered('dlv_1'), (id) => reason(body, { ...headers, 'X-Service-Delivery': id }))
    expect(await found).toEqual(['bad-signature'])
  })

  it.each(['X-Service-Signature', 'webhook-signature'])('even when only %s is changed', async (name) => {
    const others = sign({ secret: mintWebhookSecret() })
    expect(await reason(body, { ...headers, [name]: others[name] })).toBe('bad-signature')
  })

  it('when a signature is another encoding of the right one', async () => {
    const signature = headers['X-Service-Signature']!
    const standard = headers['webhook-signature']!
    const spellings = [
      { 'X-Service-Signature': signature.toUpperCase() },
      { 'X-Service-Signature': [signature, signature] },
      { 'webhook-signature': standard.replace('=', '') },
      { 'webhook-timestamp': `0${headers['webhook-timestamp']}` },
    ]
    expect(await reasons<object>(spellings, (given) => reason(body, { ...headers, ...given }))).toEqual(
      spellings.map(() => 'bad-signature'),
    )
  })
})

describe('the secret', () => {
  it('of another endpoint verifies nothing', async () => {
    expect(await reason(body, headers, mintWebhookSecret())).toBe('bad-signature')
  })

  it('changed anywhere verifies nothing', async () => {
    expect(await distinctReasons(tampered(secret), (text) => reason(body, headers, text))).toEqual(['bad-signature'])
  })

  it('that is malformed is refused, even if the delivery was signed with it', async () => {
    const none = ['', 'whsec_', 'whsec_AA==', secret.slice(6), `hook_${secret.slice(6)}`, `${secret} `]
    const found = distinctReasons(none, (text) => reason(body, sign({ secret: text }), text))
    expect(await found).toEqual(['bad-signature'])
    expect((await refusal(body, headers, secret.slice(6))).message).toContain('whsec_')
  })
})

describe('the time of the attempt', () => {
  it('may be 300 s away and no more, to prevent later replays', async () => {
    const at = (seconds: number) => reason(body, headers, secret, secondsLater(seconds))
    expect(await reasons([-301, -300, 0, 300, 301], at)).toEqual(['too-new', 'none', 'none', 'none', 'too-old'])
  })

  it('may be as far away as the caller configures', async () => {
    const within = (toleranceSeconds: number) =>
      reason(body, headers, secret, { ...secondsLater(60), toleranceSeconds })
    expect(await reasons([59, 60], within)).toEqual(['too-old', 'none'])
  })

  it('cannot be changed', async () => {
    const later = secondsLater(1_000)
    const fresh = sign({ at: '2026-11-02T09:16:40.000Z' })['webhook-timestamp']!
    expect(await reason(body, { ...headers, 'webhook-timestamp': fresh }, secret, later)).toBe('bad-signature')
  })

  it('that is not a number is refused, even when signed', async () => {
    const timestamp = 'whenever'
    const signature = new Webhook(secret).sign('dlv_1', { getTime: () => Number.NaN } as Date, body)
    const given = { ...headers, 'webhook-timestamp': 'NaN', 'webhook-signature': signature }
    expect(await reason(body, given)).toBe('too-old')
    expect(await reason(body, { ...given, 'webhook-timestamp': timestamp })).toBe('bad-signature')
  })

  it('is compared with the system clock by default', async () => {
    expect(await verifyWebhook(body, sign({ at: new Date().toISOString() }), secret)).toEqual(eventBody)
    const old = sign({ at: new Date(Date.now() - 400_000).toISOString() })
    await expect(verifyWebhook(body, old, secret)).rejects.toThrow(WebhookVerificationError)
  })
})

describe('a verification error', () => {
  const signed = [
    'X-Service-Event',
    'X-Service-Delivery',
    'X-Service-Signature',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]

  it.each(signed)('names a missing %s', async (name) => {
    const { [name]: _gone, ...rest } = headers
    for (const given of [rest, { ...rest, [name]: '' }, { ...rest, [name]: [] }, { ...rest, [name]: undefined }])
      expect(await refusal(body, given)).toMatchObject({
        reason: 'missing-header',
        message: expect.stringContaining(name),
      })
  })

  it('names a body that was parsed and serialised again', async () => {
    const { reason, message } = await refusal(JSON.stringify(JSON.parse(body), null, 2), headers)
    expect(reason).toBe('bad-signature')
    expect(message).toContain('raw bytes')
    expect((await refusal(body.slice(1), headers)).message).not.toContain('raw bytes')
  })

  it('rejects a parsed body without comparing it', async () => {
    const given = JSON.parse(body)
    expect(await refusal(given, headers)).toMatchObject({
      reason: 'invalid-body',
      message: expect.stringContaining('raw bytes'),
    })
  })

  it.each(['', 'null', '[]', '"text"', '{}', '{"event":"video.created"', '{"event":"a","workspaceId":"b"}'])(
    'rejects a signed body that is not an event: %s',
    async (text) => {
      expect(await reason(text, sign({ body: text }))).toBe('invalid-body')
    },
  )

  it('shows neither the secret nor a right signature', async () => {
    const right = [secret, headers['X-Service-Signature']!, headers['webhook-signature']!.slice(3)]
    const refusals = await Promise.all([
      refusal(`${body} `, headers),
      refusal(body, { ...headers, 'webhook-id': 'dlv_2' }),
      refusal(body, headers, `${secret} `),
    ])
    const messages = refusals.map(({ message }) => message)
    expect(right.filter((text) => messages.some((message) => message.includes(text)))).toEqual([])
  })
})
