/** Verification of deliveries: only what the service sent, unmodified and at about the current time, is accepted. */
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { VerificationOptions, WebhookHeaders } from '../../lib/contract/verify-webhook.ts'
import { verifyWebhook, WebhookVerificationError } from '../../lib/contract/verify-webhook.ts'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'

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
function refusal(...call: Parameters<typeof verify>): { reason: string; message: string } {
  try {
    verify(...call)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
  return { reason: 'none', message: 'It was accepted.' }
}
const reason = (...call: Parameters<typeof verify>) => refusal(...call).reason

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
  it('is verified and parsed, as text and as bytes', () => {
    expect(verify(body, headers)).toEqual(eventBody)
    expect(verify(Buffer.from(body), headers)).toEqual(eventBody)
    expect(verify(new TextEncoder().encode(body), headers)).toEqual(eventBody)
  })

  it('is verified with any kind of headers object, in any case', () => {
    const entries = Object.entries(headers)
    expect(verify(body, new Headers(headers))).toEqual(eventBody)
    expect(verify(body, Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])))).toEqual(
      eventBody,
    )
    expect(verify(body, Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])))).toEqual(
      eventBody,
    )
    expect(verify(body, Object.fromEntries(entries.map(([name, value]) => [name, [value]])))).toEqual(eventBody)
  })

  it('may have an event type that is unknown to this version', () => {
    const newer = JSON.stringify({ ...eventBody, event: 'video.translated' })
    expect(verify(newer, sign({ body: newer, event: 'video.translated' })).event).toBe('video.translated')
  })

  it('needs no delivery header if it is a test delivery', () => {
    const test = JSON.stringify({ ...eventBody, event: 'webhook.test', sequence: undefined })
    expect(verify(test, sign({ body: test, event: 'webhook.test', deliveryId: null })).event).toBe('webhook.test')
    expect(reason(body, sign({ deliveryId: null }))).toBe('missing-header')
  })
})

describe('Standard Webhooks', () => {
  const library = new Webhook(secret)

  it('accepts signatures from its reference library', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z_0-9]{1,40}$/), (title, id) => {
        const made = JSON.stringify({ ...eventBody, data: { title } })
        const theirs = { 'webhook-signature': library.sign(id, new Date(at), made) }
        const ours = sign({ body: made, deliveryId: id, messageId: id })
        expect(verify(made, { ...ours, ...theirs }).data).toEqual({ title })
      }),
    )
  })

  it('requires one of several signatures to match, and only version 1 counts', () => {
    const right = headers['webhook-signature']!
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`
    const among = (signatures: string) => reason(body, { ...headers, 'webhook-signature': signatures })
    expect(among(`${wrong} ${right}`)).toBe('none')
    expect(among(`${right} ${wrong} v1a,${'A'.repeat(88)}`)).toBe('none')
    expect(among(`${wrong} ${wrong}`)).toBe('bad-signature')
    expect(among(right.replace('v1', 'v2'))).toBe('bad-signature')
    expect(among(right.slice(3))).toBe('bad-signature')
  })
})

describe('tampering is detected', () => {
  it('anywhere in the body', () => {
    const accepted = tampered(body).filter((text) => reason(text, headers) !== 'bad-signature')
    expect(accepted).toEqual([])
  })

  it.each(['X-Service-Signature', 'webhook-signature', 'webhook-id', 'webhook-timestamp', 'X-Service-Event'])(
    'anywhere in %s',
    (name) => {
      const accepted = tampered(headers[name]!).filter(
        (text) => reason(body, { ...headers, [name]: text }) !== 'bad-signature',
      )
      expect(accepted).toEqual([])
    },
  )

  it('anywhere in X-Service-Delivery, so that a replay is not accepted as a new delivery', () => {
    const replayed = tampered('dlv_1').map((id) => reason(body, { ...headers, 'X-Service-Delivery': id }))
    expect(new Set(replayed)).toEqual(new Set(['bad-signature']))
  })

  it.each(['X-Service-Signature', 'webhook-signature'])('even when only %s is changed', (name) => {
    const others = sign({ secret: mintWebhookSecret() })
    expect(reason(body, { ...headers, [name]: others[name] })).toBe('bad-signature')
  })

  it('when a signature is another encoding of the right one', () => {
    const signature = headers['X-Service-Signature']!
    const standard = headers['webhook-signature']!
    const spellings = [
      { 'X-Service-Signature': signature.toUpperCase() },
      { 'X-Service-Signature': [signature, signature] },
      { 'webhook-signature': standard.replace('=', '') },
      { 'webhook-timestamp': `0${headers['webhook-timestamp']}` },
    ]
    expect(spellings.map((given) => reason(body, { ...headers, ...given }))).toEqual(
      spellings.map(() => 'bad-signature'),
    )
  })
})

describe('the secret', () => {
  it('of another endpoint verifies nothing', () => {
    expect(reason(body, headers, mintWebhookSecret())).toBe('bad-signature')
  })

  it('changed anywhere verifies nothing', () => {
    const accepted = tampered(secret).filter((text) => reason(body, headers, text) !== 'bad-signature')
    expect(accepted).toEqual([])
  })

  it('that is malformed is refused, even if the delivery was signed with it', () => {
    const none = ['', 'whsec_', 'whsec_AA==', secret.slice(6), `hook_${secret.slice(6)}`, `${secret} `]
    expect(none.map((text) => reason(body, sign({ secret: text }), text))).toEqual(none.map(() => 'bad-signature'))
    expect(refusal(body, headers, secret.slice(6)).message).toContain('whsec_')
  })
})

describe('the time of the attempt', () => {
  it('may be 300 s away and no more, to prevent later replays', () => {
    const reasons = [-301, -300, 0, 300, 301].map((seconds) => reason(body, headers, secret, secondsLater(seconds)))
    expect(reasons).toEqual(['too-new', 'none', 'none', 'none', 'too-old'])
  })

  it('may be as far away as the caller configures', () => {
    const within = (toleranceSeconds: number) =>
      reason(body, headers, secret, { ...secondsLater(60), toleranceSeconds })
    expect([within(59), within(60)]).toEqual(['too-old', 'none'])
  })

  it('cannot be changed', () => {
    const later = secondsLater(1_000)
    const fresh = sign({ at: '2026-11-02T09:16:40.000Z' })['webhook-timestamp']!
    expect(reason(body, { ...headers, 'webhook-timestamp': fresh }, secret, later)).toBe('bad-signature')
  })

  it('that is not a number is refused, even when signed', () => {
    const timestamp = 'whenever'
    const signature = new Webhook(secret).sign('dlv_1', { getTime: () => Number.NaN } as Date, body)
    const given = { ...headers, 'webhook-timestamp': 'NaN', 'webhook-signature': signature }
    expect(reason(body, given)).toBe('too-old')
    expect(reason(body, { ...given, 'webhook-timestamp': timestamp })).toBe('bad-signature')
  })

  it('is compared with the system clock by default', () => {
    expect(verifyWebhook(body, sign({ at: new Date().toISOString() }), secret)).toEqual(eventBody)
    const old = sign({ at: new Date(Date.now() - 400_000).toISOString() })
    expect(() => verifyWebhook(body, old, secret)).toThrow(WebhookVerificationError)
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

  it.each(signed)('names a missing %s', (name) => {
    const { [name]: _gone, ...rest } = headers
    for (const given of [rest, { ...rest, [name]: '' }, { ...rest, [name]: [] }, { ...rest, [name]: undefined }])
      expect(refusal(body, given)).toMatchObject({ reason: 'missing-header', message: expect.stringContaining(name) })
  })

  it('names a body that was parsed and serialised again', () => {
    const { reason, message } = refusal(JSON.stringify(JSON.parse(body), null, 2), headers)
    expect(reason).toBe('bad-signature')
    expect(message).toContain('raw bytes')
    expect(refusal(body.slice(1), headers).message).not.toContain('raw bytes')
  })

  it('rejects a parsed body without comparing it', () => {
    const given = JSON.parse(body)
    expect(refusal(given, headers)).toMatchObject({
      reason: 'invalid-body',
      message: expect.stringContaining('raw bytes'),
    })
  })

  it.each(['', 'null', '[]', '"text"', '{}', '{"event":"video.created"', '{"event":"a","workspaceId":"b"}'])(
    'rejects a signed body that is not an event: %s',
    (text) => {
      expect(reason(text, sign({ body: text }))).toBe('invalid-body')
    },
  )

  it('shows neither the secret nor a right signature', () => {
    const right = [secret, headers['X-Service-Signature']!, headers['webhook-signature']!.slice(3)]
    const messages = [
      refusal(`${body} `, headers),
      refusal(body, { ...headers, 'webhook-id': 'dlv_2' }),
      refusal(body, headers, `${secret} `),
    ].map(({ message }) => message)
    expect(right.filter((text) => messages.some((message) => message.includes(text)))).toEqual([])
  })
})
