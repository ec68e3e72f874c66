import { DecryptCommand, GenerateDataKeyCommand, KMSClient, KMSInvalidStateException } from '@aws-sdk/client-kms'
import { mockClient } from 'aws-sdk-client-mock'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seal, UnsealFailed, unseal } from '../../lib/aws/sealing.ts'
import { keyArn } from '../../local/emulators/kms.ts'

const context = { purpose: 'webhook', workspaceId: 'wsp_1', webhookId: 'whk_1' }
const text = 'whsec_a secret'

/** The same text with one byte of a part changed: part 1 is the wrapped key, part 2 the ciphertext. */
function tampered(sealed: string, part: 1 | 2, at: number): string {
  const parts = sealed.split('.')
  const bytes = Buffer.from(parts[part]!, 'base64url')
  bytes[at % bytes.length]! ^= 1
  parts[part] = bytes.toString('base64url')
  return parts.join('.')
}

describe('sealing with the KMS of the local run', () => {
  it('round-trips any text', async () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('', 'é'.repeat(100_000)))
    await fc.assert(
      fc.asyncProperty(texts, async (any) => {
        expect(await unseal(await seal(any, context), context)).toBe(any)
      }),
      { numRuns: 50 },
    )
  })

  it('hides the text, and produces a different ciphertext each time, with a separate data key', async () => {
    const [one, other] = [await seal(text, context), await seal(text, context)]
    expect(one).toMatch(/^v1\.[\w-]+\.[\w-]+$/)
    expect(Buffer.from(one.split('.')[2]!, 'base64url').includes('whsec')).toBe(false)
    expect(one.split('.')[1]).not.toBe(other.split('.')[1])
    expect(one.split('.')[2]).not.toBe(other.split('.')[2])
  })

  it('accepts the context in any order', async () => {
    const turned = { webhookId: 'whk_1', workspaceId: 'wsp_1', purpose: 'webhook' }
    expect(await unseal(await seal(text, context), turned)).toBe(text)
  })

  it('opens with no other context, even when the key is cached', async () => {
    const sealed = await seal(text, context)
    expect(await unseal(sealed, context)).toBe(text)
    for (const other of [{ ...context, webhookId: 'whk_2' }, { purpose: 'webhook' }, {}]) {
      await expect(unseal(sealed, other)).rejects.toThrow(UnsealFailed)
    }
  })

  it('opens no text with a changed byte, even when the key is cached', async () => {
    const sealed = await seal(text, context)
    expect(await unseal(sealed, context)).toBe(text)
    const boxBytes = Buffer.from(sealed.split('.')[2]!, 'base64url').length
    for (let at = 0; at < boxBytes; at++) {
      await expect(unseal(tampered(sealed, 2, at), context), `byte ${at}`).rejects.toThrow(UnsealFailed)
    }
    for (const at of [0, 20, 80, 100])
      await expect(unseal(tampered(sealed, 1, at), context)).rejects.toThrow(UnsealFailed)
  })

  it('opens nothing that is not a sealed text', async () => {
    const sealed = await seal(text, context)
    const [, key, box] = sealed.split('.')
    const cutTag = Buffer.from(box!, 'base64url').subarray(0, -8).toString('base64url')
    for (const other of [
      '',
      text,
      `v2.${key}.${box}`,
      `v1.${key}`,
      `v1.${key}.`,
      `v1.${key}.AAAA`,
      `v1.${key}.${cutTag}`,
      `${sealed}.`,
    ]) {
      await expect(unseal(other, context), other).rejects.toThrow(UnsealFailed)
    }
  })

  it('opens nothing that was sealed with another KMS key', async () => {
    const sealed = await seal(text, context)
    // The blob begins with the id of its key: another id stands for another key.
    vi.stubEnv('SEALING_KEY_ID', keyArn('unknown'))
    await expect(unseal(sealed, context)).rejects.toMatchObject({ name: 'NotFoundException' })
    vi.unstubAllEnvs()
  })
})

describe('requests to KMS', () => {
  const mock = () => mockClient(KMSClient)
  let kms: ReturnType<typeof mock>
  const key = { Plaintext: new Uint8Array(32).fill(7), CiphertextBlob: new Uint8Array(40).fill(1) }
  let blob = 0
  /** Each test uses separate wrapped keys, so that tests do not share cache entries. */
  beforeEach(() => {
    kms = mock()
    kms.on(GenerateDataKeyCommand).callsFake(() => ({ ...key, CiphertextBlob: Buffer.from(`blob ${blob++}`) }))
    kms.on(DecryptCommand).resolves(key)
  })
  afterEach(() => {
    kms.restore()
    vi.useRealTimers()
  })

  const asked = () => kms.commandCalls(DecryptCommand).length

  it('name the key and the context, to wrap and to unwrap', async () => {
    await unseal(await seal(text, context), context)
    const named = { KeyId: process.env.SEALING_KEY_ID, EncryptionContext: context }
    expect(kms.commandCalls(GenerateDataKeyCommand)[0]!.args[0].input).toEqual({ ...named, KeySpec: 'AES_256' })
    expect(kms.commandCalls(DecryptCommand)[0]!.args[0].input).toMatchObject(named)
  })

  it('are made once in five minutes, also for concurrent deliveries', async () => {
    vi.useFakeTimers({ now: new Date('2027-01-01T00:00:00Z'), toFake: ['Date'] })
    const sealed = await seal(text, context)
    await Promise.all(Array.from({ length: 20 }, () => unseal(sealed, context)))
    vi.setSystemTime(new Date('2027-01-01T00:04:59Z'))
    await unseal(sealed, context)
    expect(asked()).toBe(1)
    vi.setSystemTime(new Date('2027-01-01T00:05:00Z'))
    await unseal(sealed, context)
    expect(asked()).toBe(2)
  })

  it('leave a copy of the key in the cache: the buffer of a response has 64 KB', async () => {
    const received = { Plaintext: Buffer.from(key.Plaintext) }
    kms.on(DecryptCommand).resolves(received)
    const sealed = await seal(text, context)
    await unseal(sealed, context)
    received.Plaintext.fill(0)
    expect(await unseal(sealed, context)).toBe(text)
    expect(asked()).toBe(1)
  })

  it('are repeated for another context: a cached key is bound to its context', async () => {
    const sealed = await seal(text, context)
    await unseal(sealed, context)
    await expect(unseal(sealed, { ...context, webhookId: 'whk_2' })).rejects.toThrow(UnsealFailed)
    expect(asked()).toBe(2)
  })

  it('are repeated for the oldest of more than 500 keys', async () => {
    const sealed: string[] = []
    for (let at = 0; at < 501; at++) sealed.push(await seal(text, context))
    for (const one of sealed) await unseal(one, context)
    await unseal(sealed.at(-1)!, context)
    expect(asked()).toBe(501)
    await unseal(sealed[0]!, context)
    expect(asked()).toBe(502)
  })

  it('are repeated after a failure, whose error is passed on unchanged', async () => {
    const fault = new KMSInvalidStateException({ message: 'disabled', $metadata: {} })
    kms.on(DecryptCommand).rejectsOnce(fault).resolves(key)
    const sealed = await seal(text, context)
    await expect(unseal(sealed, context)).rejects.toBe(fault)
    expect(await unseal(sealed, context)).toBe(text)
  })
})
