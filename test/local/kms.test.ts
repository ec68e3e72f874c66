import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DecryptCommand, DescribeKeyCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { expect, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { keyArn, startKms } from '../../local/emulators/kms.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { freePort, stopAfterTest } from './support/fixtures.ts'

const KeyId = keyArn('sealing')
const EncryptionContext = { purpose: 'webhook', webhookId: 'whk_1' }

const start = async (directory = temporaryDirectory(), keys = ['sealing', 'other']) => {
  const kms = await stopAfterTest(startKms({ directory, keys, port: await freePort(directory) }))
  const client = new KMSClient({ ...awsClientConfig(kms.url), maxAttempts: 1 })
  const generate = (input: object = {}) =>
    client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext, ...input }))
  const decrypt = (CiphertextBlob: Uint8Array | undefined, input: object = {}) =>
    client.send(new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext, ...input }))
  return { directory, kms, client, generate, decrypt }
}

test('a data key is 32 new bytes, and its blob is decrypted with the same context, in any order', async () => {
  const { generate, decrypt } = await start()
  const [one, other] = [await generate(), await generate()]
  expect(one.Plaintext).toHaveLength(32)
  expect(one.Plaintext).not.toEqual(other.Plaintext)
  expect(one.KeyId).toBe(KeyId)
  expect((await decrypt(one.CiphertextBlob)).Plaintext).toEqual(one.Plaintext)
  const turned = { webhookId: 'whk_1', purpose: 'webhook' }
  expect((await decrypt(one.CiphertextBlob, { EncryptionContext: turned })).Plaintext).toEqual(one.Plaintext)
  expect((await decrypt(one.CiphertextBlob, { KeyId: undefined })).KeyId).toBe(KeyId)
})

test('a restart decrypts earlier blobs, with a key file that only its owner can read; another directory does not', async () => {
  const { directory, kms, generate } = await start()
  const { Plaintext, CiphertextBlob } = await generate()
  await kms.stop()
  expect(statSync(join(directory, 'kms.key'))).toMatchObject({ size: 32 })
  expect(statSync(join(directory, 'kms.key')).mode & 0o777).toBe(0o600)
  const again = await start(directory)
  expect((await again.decrypt(CiphertextBlob)).Plaintext).toEqual(Plaintext)
  const elsewhere = await start()
  await expect(elsewhere.decrypt(CiphertextBlob)).rejects.toMatchObject({ name: 'InvalidCiphertextException' })
})

test('InvalidCiphertextException: another context, or a blob with any byte changed', async () => {
  const { generate, decrypt } = await start()
  const { CiphertextBlob = new Uint8Array() } = await generate()
  for (const context of [undefined, {}, { ...EncryptionContext, webhookId: 'whk_2' }, { purpose: 'webhook' }]) {
    await expect(decrypt(CiphertextBlob, { EncryptionContext: context })).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    })
  }
  for (const at of CiphertextBlob.keys()) {
    const tampered = CiphertextBlob.map((byte, index) => (index === at ? byte ^ 1 : byte))
    await expect(decrypt(tampered), `byte ${at}`).rejects.toMatchObject({ name: 'InvalidCiphertextException' })
  }
  await expect(decrypt(CiphertextBlob.subarray(0, -1))).rejects.toMatchObject({ name: 'InvalidCiphertextException' })
})

test('IncorrectKeyException: a key other than the one that wrapped', async () => {
  const { generate, decrypt } = await start()
  const { CiphertextBlob } = await generate({ KeyId: keyArn('other') })
  await expect(decrypt(CiphertextBlob)).rejects.toMatchObject({ name: 'IncorrectKeyException' })
})

test('NotFoundException: an unknown key', async () => {
  const { generate, decrypt } = await start()
  const { CiphertextBlob } = await generate()
  const missing = { KeyId: keyArn('missing') }
  await expect(generate(missing)).rejects.toMatchObject({ name: 'NotFoundException' })
  await expect(decrypt(CiphertextBlob, missing)).rejects.toMatchObject({ name: 'NotFoundException' })
})

test('ValidationException: unsupported parameters', async () => {
  const { client, generate, decrypt } = await start()
  const invalid = { name: 'ValidationException' }
  await expect(generate({ KeySpec: 'AES_128' })).rejects.toMatchObject(invalid)
  await expect(generate({ KeyId: undefined })).rejects.toMatchObject(invalid)
  await expect(decrypt(undefined)).rejects.toMatchObject(invalid)
  await expect(client.send(new DescribeKeyCommand({ KeyId }))).rejects.toMatchObject(invalid)
})
