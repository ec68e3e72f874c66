import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { oauthClientOf } from '../../lib/aws/oauth-clients.ts'

const secrets = mockClient(SecretsManagerClient)
const says = (SecretString: string) => secrets.on(GetSecretValueCommand).resolves({ SecretString })
let hours = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  // After the cache of any other test has expired.
  vi.setSystemTime(Date.UTC(2030, 0, 1, ++hours))
  secrets.reset()
})
afterEach(() => void vi.useRealTimers())

describe('the client credentials of a platform', () => {
  it('are those in the secret', async () => {
    says('{"tiktok":{"id":"key","secret":"hidden"}}')
    expect(await oauthClientOf('tiktok')).toEqual({ id: 'key', secret: 'hidden' })
  })

  it('409: the deployment is not registered with the platform', async () => {
    says('{}')
    await expect(oauthClientOf('reddit')).rejects.toMatchObject({
      code: 'warning-publish-not-configured',
      message: 'This deployment is not registered with Reddit.',
    })
  })

  it('are not read for a platform without client registration', async () => {
    expect(await oauthClientOf('bluesky')).toEqual({ id: '', secret: '' })
    expect(secrets.commandCalls(GetSecretValueCommand)).toHaveLength(0)
  })

  it.each(['hidden, and not JSON', '{"tiktok":{"id":"","secret":"hidden"}}'])(
    'that are %s do not appear in the error',
    async (text) => {
      says(text)
      const failure: Error = await oauthClientOf('tiktok').catch((error) => error)
      expect(failure.message).toMatch(/^The secret arn:.* is no JSON object of platforms' clients\.$/)
      expect(failure.message + String(failure.cause)).not.toMatch(/hidden/)
    },
  )
})
