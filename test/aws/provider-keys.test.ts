import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getProviderKeys } from '../../lib/aws/provider-keys.ts'
import { openAiServer } from '../../lib/providers/choose/openai.ts'
import { chosenProviders, vendorCredentials } from '../../lib/providers/choose/provider-choice.ts'

const secrets = mockClient(SecretsManagerClient)
const says = (SecretString: string) => secrets.on(GetSecretValueCommand).resolves({ SecretString })
const reads = () => secrets.commandCalls(GetSecretValueCommand).length
let minutes = 0
/** After the cache of any other test has expired. */
const later = (byMinutes: number) => {
  minutes += byMinutes
  vi.setSystemTime(Date.UTC(2030, 0, 1, 0, minutes))
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  later(60)
  secrets.reset()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('the vendor API keys', () => {
  it('are cached for five minutes, and then a changed key is used', async () => {
    says('{"pexels":"one","other":"ignored"}')
    expect(await getProviderKeys()).toEqual({ pexels: 'one' })
    says('{"pexels":"two"}')
    later(4)
    expect(await getProviderKeys()).toEqual({ pexels: 'one' })
    expect(reads()).toBe(1)
    later(2)
    expect(await getProviderKeys()).toEqual({ pexels: 'two' })
  })

  it('are read again after a failed read', async () => {
    secrets.on(GetSecretValueCommand).rejectsOnce(new Error('down')).resolves({ SecretString: '{}' })
    await expect(getProviderKeys()).rejects.toThrow('down')
    expect(await getProviderKeys()).toEqual({})
  })

  it.each(['not JSON, but secret', '"a word"', '{"pexels":{"key":"secret"}}'])(
    'that are %s do not appear in the error',
    async (text) => {
      says(text)
      const failure: Error = await getProviderKeys().catch((error) => error)
      expect(failure.message).toMatch(/^The secret arn:.* is no JSON object of vendors' keys\.$/)
      expect(failure.message + String(failure.cause)).not.toMatch(/not JSON|a word|pexels/)
    },
  )
})

describe('the credentials of a vendor', () => {
  it('are its key and its URL', async () => {
    says('{"pexels":"mine"}')
    expect(await vendorCredentials('pexels')).toEqual({ url: 'https://api.pexels.com', key: 'mine' })
    vi.stubEnv('VENDOR_URLS', '{"pexels":"http://127.0.0.1:1"}')
    expect(await vendorCredentials('pexels')).toEqual({ url: 'http://127.0.0.1:1', key: 'mine' })
  })

  it('contain a key that is valid in a header, however it was written into the secret', async () => {
    says('{"pexels":" mine\\n"}')
    expect((await vendorCredentials('pexels')).key).toBe('mine')
    later(60)
    says('{"pexels":"mi\\nne"}')
    await expect(vendorCredentials('pexels')).rejects.toMatchObject({ name: 'ProviderBusy' })
  })

  it('are temporarily unavailable when the secret cannot be read', async () => {
    secrets.on(GetSecretValueCommand).rejects(new Error('down'))
    await expect(vendorCredentials('pexels')).rejects.toMatchObject({ name: 'ProviderBusy' })
  })

  it('are missing when the secret has no key, and the vendor is not called', async () => {
    says('{"pexels":""}')
    for (const vendor of ['pexels', 'fal'] as const)
      await expect(vendorCredentials(vendor)).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})

describe('a server with OpenAI’s API', () => {
  const choose = (openai: object) => vi.stubEnv('PROVIDERS', JSON.stringify({ writer: 'openai', openai }))

  it('is OpenAI with its models by default, and needs a key', async () => {
    vi.stubEnv('PROVIDERS', '{"writer":"openai"}')
    says('{"openai":"sk-1"}')
    expect(await openAiServer('text')).toEqual({
      ...{ baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini', apiKey: 'sk-1', allowLocal: true },
    })
    vi.stubEnv('ALLOW_LOCAL_SERVERS', 'false')
    expect(await openAiServer('transcription')).toMatchObject({ model: 'whisper-1', allowLocal: false })
    later(60)
    says('{}')
    await expect(openAiServer('text')).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it('gets the shared key at the shared address only', async () => {
    choose({ text: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen' }, images: { model: 'dall-e-3' } })
    says('{"openai":"sk-1","openaiSpeech":"own"}')
    expect(await openAiServer('text')).not.toHaveProperty('apiKey')
    expect(await openAiServer('images')).toMatchObject({ apiKey: 'sk-1', model: 'dall-e-3' })
    expect(await openAiServer('speech')).toMatchObject({ apiKey: 'own' })
  })

  it('other than OpenAI needs the name of a model', async () => {
    choose({ baseUrl: 'http://127.0.0.1:11434/v1' })
    says('{}')
    await expect(openAiServer('text')).rejects.toThrow('names no model of it')
  })
})

describe('the choice of providers', () => {
  it('defaults to the built-in ones', () => {
    expect(chosenProviders()).toMatchObject({
      writer: 'built-in',
      director: 'built-in',
      expressive: 'none',
      footage: 'built-in',
    })
    vi.stubEnv('PROVIDERS', '{"writer":"bedrock","textModel":"eu.amazon.nova-2-lite-v1:0"}')
    expect(chosenProviders()).toMatchObject({
      writer: 'bedrock',
      textModel: 'eu.amazon.nova-2-lite-v1:0',
      footage: 'built-in',
    })
  })

  it.each(['{"writer":"quill"}', '{"poet":"bedrock"}', 'bedrock'])('rejects %s', (providers) => {
    vi.stubEnv('PROVIDERS', providers)
    expect(chosenProviders).toThrow(expect.objectContaining({ name: 'AccountExpired' }))
  })
})
