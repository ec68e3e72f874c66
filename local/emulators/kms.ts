// KMS: the operations of the AWS wire protocol (AWS JSON 1.1) that sealing needs. All keys are derived from a master key in a file, so
// that secrets sealed before a restart can be opened after it.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listen, type RunningServer } from '../listen.ts'
import { withClientGuard } from '../loopback-guard.ts'
import { namedError } from './named-error.ts'

interface KmsOptions {
  readonly port: number
  /** Holds `kms.key`. */
  readonly directory: string
  /** Names of the keys. */
  readonly keys: readonly string[]
}

type Keys = ReadonlyMap<string, Buffer>
type Context = Readonly<Record<string, string>>

interface Request {
  readonly KeyId?: string
  readonly KeySpec?: string
  readonly CiphertextBlob?: string
  readonly EncryptionContext?: Context
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The ARN of a key. */
export const keyArn = (name: string): string => `arn:aws:kms:us-east-1:000000000000:key/${name}`

export async function startKms({ port, directory, keys }: KmsOptions): Promise<RunningServer> {
  const master = masterKey(join(directory, 'kms.key'))
  const byArn: Keys = new Map(keys.map((name) => [keyArn(name), derivedKey(master, name)]))
  const listener: RequestListener = async (request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    try {
      response.end(JSON.stringify(await answer(request, byArn)))
    } catch (error) {
      const { name, message } = error as Error
      response.statusCode = name.endsWith('Exception') ? 400 : 500
      response.end(JSON.stringify({ __type: name, message }))
    }
  }
  return listen(createServer(withClientGuard(listener)), port)
}

/** Created if missing, and renamed into place: a kill leaves a complete key or none. */
function masterKey(file: string): Buffer {
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, randomBytes(KEY_BYTES), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes.`)
  return key
}

const derivedKey = (master: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', name, KEY_BYTES))

async function answer(request: IncomingMessage, keys: Keys): Promise<object> {
  const input: Request = JSON.parse(await text(request))
  switch (request.headers['x-amz-target']) {
    case 'TrentService.GenerateDataKey':
      return generateDataKey(input, keys)
    case 'TrentService.Decrypt':
      return decrypt(input, keys)
    default:
      throw namedError('ValidationException', `The local KMS does not support ${request.headers['x-amz-target']}.`)
  }
}

// https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateDataKey.html
function generateDataKey({ KeyId, KeySpec, EncryptionContext = {} }: Request, keys: Keys): object {
  if (!KeyId) throw namedError('ValidationException', 'KeyId is missing.')
  if (KeySpec !== 'AES_256') throw namedError('ValidationException', 'The local KMS supports KeySpec AES_256 only.')
  const wrapping = find(keys, KeyId)
  const dataKey = randomBytes(KEY_BYTES)
  const blob = wrap(dataKey, KeyId, wrapping, EncryptionContext)
  return { KeyId, Plaintext: dataKey.toString('base64'), CiphertextBlob: blob.toString('base64') }
}

// https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
function decrypt({ KeyId, CiphertextBlob, EncryptionContext = {} }: Request, keys: Keys): object {
  if (!CiphertextBlob) throw namedError('ValidationException', 'CiphertextBlob is missing.')
  const { wrappedBy, sealed } = parse(Buffer.from(CiphertextBlob, 'base64'))
  if (!keys.has(wrappedBy)) throw invalidCiphertext()
  const wrapping = find(keys, KeyId ?? wrappedBy)
  if (KeyId && KeyId !== wrappedBy) throw namedError('IncorrectKeyException', `${KeyId} did not encrypt this.`)
  const dataKey = unwrap(sealed, wrappedBy, wrapping, EncryptionContext)
  return { KeyId: wrappedBy, Plaintext: dataKey.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
}

function find(keys: Keys, arn: string): Buffer {
  const key = keys.get(arn)
  if (!key) throw namedError('NotFoundException', `Key '${arn}' does not exist`)
  return key
}

/** Format: length of the ARN, ARN, nonce, ciphertext, tag. */
function wrap(dataKey: Buffer, arn: string, wrapping: Buffer, context: Context): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce).setAAD(bound(arn, context))
  const name = Buffer.from(arn)
  return Buffer.concat([
    Buffer.of(name.length),
    name,
    nonce,
    cipher.update(dataKey),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function parse(blob: Buffer): { wrappedBy: string; sealed: Buffer } {
  const nameEnd = 1 + (blob[0] ?? 0)
  const sealed = blob.subarray(nameEnd)
  if (sealed.length !== NONCE_BYTES + KEY_BYTES + TAG_BYTES) throw invalidCiphertext()
  return { wrappedBy: blob.subarray(1, nameEnd).toString(), sealed }
}

function unwrap(sealed: Buffer, arn: string, wrapping: Buffer, context: Context): Buffer {
  const [nonce, tag] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(-TAG_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', wrapping, nonce).setAAD(bound(arn, context)).setAuthTag(tag)
  const dataKey = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    throw invalidCiphertext()
  }
  return dataKey
}

/** Authenticated data of a blob. The order of the pairs in a context does not matter. */
const bound = (arn: string, context: Context): Buffer =>
  Buffer.from(JSON.stringify([arn, Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))]))

/** Without a message, as in KMS. */
const invalidCiphertext = () => namedError('InvalidCiphertextException', '')
