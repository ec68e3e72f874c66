/**
 * Secrets at rest: envelope encryption with one data key per secret, wrapped by KMS. The only client of KMS. The
 * encryption context, such as the ids of the owner, is not secret; unsealing needs the same context.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  DecryptCommand,
  GenerateDataKeyCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms'
import { setNewest } from '../bounded-map.ts'
import { now } from '../clock.ts'
import { env } from '../env.ts'

type SealingContext = Readonly<Record<string, string>>

/** The text was not sealed with this key and context, or was altered. Not retryable. */
export class UnsealFailed extends Error {
  override name = 'SealBroken'
}

const kms = new KMSClient({
  // Short, since unsealing precedes a request within the timeout of a function.
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
})

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** `v1.<wrapped key>.<nonce, ciphertext and tag>`, both in base64url. */
const sealedShape = /^v1\.([\w-]+)\.([\w-]+)$/

/** Encrypts a text; each call returns a different ciphertext. */
export async function seal(text: string, context: SealingContext): Promise<string> {
  const { Plaintext, CiphertextBlob } = await kms.send(
    new GenerateDataKeyCommand({ KeyId: env.sealingKeyId(), KeySpec: 'AES_256', EncryptionContext: { ...context } }),
  )
  if (!Plaintext || !CiphertextBlob) throw new Error('KMS returned no key.')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, Plaintext, nonce).setAAD(Buffer.from(canonicalContext(context)))
  const box = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${Buffer.from(CiphertextBlob).toString('base64url')}.${box.toString('base64url')}`
}

/** Decrypts; throws `UnsealFailed` if the text, the context or the key does not match. */
export async function unseal(sealed: string, context: SealingContext): Promise<string> {
  const [, wrappedKey, box] = sealedShape.exec(sealed) ?? []
  if (!wrappedKey || !box) throw new UnsealFailed('The sealed text has no valid format.')
  const key = await cachedDataKey(wrappedKey, context)
  return decrypt(Buffer.from(box, 'base64url'), key, context)
}

function decrypt(box: Buffer, key: KeyObject, context: SealingContext): string {
  try {
    const decipher = createDecipheriv(algorithm, key, box.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(canonicalContext(context)))
      .setAuthTag(box.subarray(-tagBytes))
    const text = decipher.update(box.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new UnsealFailed('The sealed text was altered.', { cause })
  }
}

interface CachedKey {
  key: Promise<KeyObject>
  /** In milliseconds since 1970. */
  until: number
}

/** Saves a KMS call per delivery. The TTL is short, so that a revoked permission takes effect. */
const dataKeyCache = new Map<string, CachedKey>()
const cacheSizeMax = 500
const cacheTtlMs = 5 * 60_000

/** Cached by key and context: a key unwrapped with one context is never used with another. */
function cachedDataKey(wrappedKey: string, context: SealingContext): Promise<KeyObject> {
  const name = `${wrappedKey} ${canonicalContext(context)}`
  const at = Date.parse(now())
  const known = dataKeyCache.get(name)
  if (known && at < known.until) return known.key
  const key = unwrap(wrappedKey, context)
  setNewest(dataKeyCache, name, { key, until: at + cacheTtlMs }, cacheSizeMax)
  // Failures are not cached.
  key.catch(() => dataKeyCache.delete(name))
  return key
}

async function unwrap(wrappedKey: string, context: SealingContext): Promise<KeyObject> {
  try {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: env.sealingKeyId(),
        CiphertextBlob: Buffer.from(wrappedKey, 'base64url'),
        EncryptionContext: { ...context },
      }),
    )
    if (!Plaintext) throw new Error('KMS returned no key.')
    // A copy: the bytes of a response are a view of a buffer of 64 KB, which a cached key would keep.
    return createSecretKey(Plaintext)
  } catch (error) {
    if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException)
      throw new UnsealFailed('KMS cannot unwrap this key with this context.', { cause: error })
    throw error
  }
}

const canonicalContext = (context: SealingContext) =>
  JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1)))
