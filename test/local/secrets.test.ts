import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { secretArn, startSecretsManager } from '../../local/emulators/secrets-manager.ts'
import { builtInProviderConfig, providerConfigFrom, providerKeysSecret } from '../../local/provider-config.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { freePort, stopAfterTest } from './support/fixtures.ts'

test('a secret is found by its name and its ARN, with its current value', async () => {
  let says = 'one'
  const port = await freePort(temporaryDirectory())
  const { url } = await stopAfterTest(startSecretsManager({ port, secrets: { keys: () => says } }))
  const client = new SecretsManagerClient({ ...awsClientConfig(url), maxAttempts: 1 })
  const read = (SecretId: string) => client.send(new GetSecretValueCommand({ SecretId }))
  expect((await read('keys')).SecretString).toBe('one')
  says = 'two'
  expect((await read(secretArn('keys'))).SecretString).toBe('two')
  await expect(read('others')).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }))
  await expect(client.send(new ListSecretsCommand())).rejects.toThrow(
    expect.objectContaining({ name: 'InvalidRequestException' }),
  )
})

test('all providers are built in by default', () => {
  expect(providerConfigFrom({})).toEqual(builtInProviderConfig)
  expect(providerKeysSecret(temporaryDirectory(), builtInProviderConfig)).toBe('{}')
})

test('a developer chooses vendors, and the environment overrides their keys', () => {
  const directory = temporaryDirectory()
  const vendors = providerConfigFrom({ PROVIDERS: '{"footage":"pexels"}', PEXELS_API_KEY: 'mine', FAL_KEY: '' })
  expect(vendors.providers).toBe('{"footage":"pexels"}')
  writeFileSync(join(directory, 'provider-keys.json'), '{"pexels":"old","fal":"stored"}')
  expect(JSON.parse(providerKeysSecret(directory, vendors))).toEqual({ pexels: 'mine', fal: 'stored' })
})

test('a choice of an unknown provider is refused before anything starts', () => {
  expect(() => providerConfigFrom({ PROVIDERS: '{"writer":"quill"}' })).toThrow('PROVIDERS is not valid at writer')
  expect(() => providerConfigFrom({ PROVIDERS: 'bedrock' })).toThrow('PROVIDERS is not valid')
})
