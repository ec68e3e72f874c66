/**
 * Secrets at rest: sealed under a data key of their own, which KMS wraps (envelope encryption). The one door to KMS. The context,
 * such as the ids of what the secret belongs to, is not secret; whoever opens has to name the same one.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import {
  DecryptCommand,
  GenerateDataKeyCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms'
import { now } from '../clock.ts'
import { env } from '../env.ts'

export type SealingContext = Readonly<Record<string, string>>

/** The text was not sealed here with this context, or is no longer as it was. Patience does not help. */
export class UnsealFailed extends Error {
  override name = 'SealBroken'
}

const kms = new KMSClient({
  // Who opens a secret has a post to make within the life of a function.
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
})

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** `v1.<wrapped key>.<nonce, ciphertext and tag>`, both in base64url. */
const sealedShape = /^v1\.([\w-]+)\.([\w-]+)$/

/** One opaque text. The same text sealed twice is two different ones. */
export async function seal(text: string, context: SealingContext): Promise<string> {
  const { Plaintext, CiphertextBlob } = await kms.send(
    new GenerateDataKeyCommand({ KeyId: env.sealingKeyId(), KeySpec: 'AES_256', EncryptionContext: { ...context } }),
  )
  if (!Plaintext || !CiphertextBlob) throw new Error('KMS answered without a key.')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, Plaintext, nonce).setAAD(Buffer.from(canonicalContext(context)))
  const box = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${Buffer.from(CiphertextBlob).toString('base64url')}.${box.toString('base64url')}`
}

/** @throws SealBroken where the text, the context or the key is not that of the sealing. */
export async function unseal(sealed: string, context: SealingContext): Promise<string> {
  const [, wrappedKey, box] = sealedShape.exec(sealed) ?? []
  if (!wrappedKey || !box) throw new UnsealFailed('The text does not have the shape of a sealed one.')
  const key = await cachedDataKey(wrappedKey, context)
  return decrypt(Buffer.from(box, 'base64url'), key, context)
}

function decrypt(box: Buffer, key: Uint8Array, context: SealingContext): string {
  try {
    const decipher = createDecipheriv(algorithm, key, box.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(canonicalContext(context)))
      .setAuthTag(box.subarray(-tagBytes))
    const text = decipher.update(box.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new UnsealFailed('The sealed text is not as it was.', { cause })
  }
}

interface CachedKey {
  key: Promise<Uint8Array>
  /** In milliseconds since 1970. */
  until: number
}

/** A delivery every second must not pay for KMS every time. Forgotten soon, so that a withdrawn permission takes effect. */
const dataKeyCache = new Map<string, CachedKey>()
const cacheSizeMax = 500
const cacheTtlMs = 5 * 60_000

/** Asked for under the same context only: what one context may open is never given to another. */
function cachedDataKey(wrappedKey: string, context: SealingContext): Promise<Uint8Array> {
  const name = `${wrappedKey} ${canonicalContext(context)}`
  const at = Date.parse(now())
  const known = dataKeyCache.get(name)
  if (known && at < known.until) return known.key
  const key = unwrap(wrappedKey, context)
  dataKeyCache.delete(name)
  dataKeyCache.set(name, { key, until: at + cacheTtlMs })
  // The first is the oldest. A key that was not given is not remembered.
  if (dataKeyCache.size > cacheSizeMax) dataKeyCache.delete(dataKeyCache.keys().next().value!)
  key.catch(() => dataKeyCache.delete(name))
  return key
}

async function unwrap(wrappedKey: string, context: SealingContext): Promise<Uint8Array> {
  try {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: env.sealingKeyId(),
        CiphertextBlob: Buffer.from(wrappedKey, 'base64url'),
        EncryptionContext: { ...context },
      }),
    )
    if (!Plaintext) throw new Error('KMS answered without a key.')
    return Plaintext
  } catch (error) {
    if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException)
      throw new UnsealFailed('KMS does not open this key with this context.', { cause: error })
    throw error
  }
}

const canonicalContext = (context: SealingContext) =>
  JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1)))
