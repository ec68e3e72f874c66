/** The keys of the vendors, from Secrets Manager: in no variable, no log and no template. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as v from 'valibot'
import { now } from '../clock.ts'
import { type ProviderKeys, providerKeys } from '../domain/provider-choice.ts'
import { env } from '../env.ts'

const secrets = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
})

/** A key that was changed is used after so long at the latest. */
const rememberedMs = 5 * 60_000
let remembered: { keys: Promise<ProviderKeys>; until: number } | undefined

/** Whole, and remembered for five minutes. A secret that is not what it should be is an error that names no part of it. */
export function getProviderKeys(): Promise<ProviderKeys> {
  const at = Date.parse(now())
  if (remembered && at < remembered.until) return remembered.keys
  const keys = read()
  remembered = { keys, until: at + rememberedMs }
  keys.catch(() => (remembered = undefined))
  return keys
}

async function read(): Promise<ProviderKeys> {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: env.providerKeysId() }))
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), providerKeys), SecretString)
  if (!given.success) throw new Error(`The secret ${env.providerKeysId()} is no JSON object of vendors' keys.`)
  return given.output
}
