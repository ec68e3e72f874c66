/** Reads the secrets of the deployment from Secrets Manager. They must not get into variables, logs or templates. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as v from 'valibot'
import { now } from '../clock.ts'

const secrets = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
})

/** A changed secret takes effect within this time. */
const cacheTtlMs = 5 * 60_000

/**
 * A reader of one secret, a JSON object, cached for five minutes. `what` names its content in the error for an invalid
 * one, which quotes no part of the secret.
 */
export function secretReader<Schema extends v.GenericSchema>(idOf: () => string, schema: Schema, what: string) {
  let cached: { content: Promise<v.InferOutput<Schema>>; until: number } | undefined

  async function read(): Promise<v.InferOutput<Schema>> {
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: idOf() }))
    const given = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), SecretString)
    if (!given.success) throw new Error(`The secret ${idOf()} is no JSON object of ${what}.`)
    return given.output
  }

  return (): Promise<v.InferOutput<Schema>> => {
    const at = Date.parse(now())
    if (cached && at < cached.until) return cached.content
    const content = read()
    cached = { content, until: at + cacheTtlMs }
    content.catch(() => (cached = undefined))
    return content
  }
}
