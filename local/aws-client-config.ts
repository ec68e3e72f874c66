// Configuration of the SDK clients that the local run itself uses, and the key pair that its emulators accept.

import { randomBytes } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Key ids of AWS begin with AKIA or ASIA: a developer's own pair is never taken for one of a local run. */
const keyIdPrefix = 'LOCAL'

function inheritedCredentials(): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  return accessKeyId?.startsWith(keyIdPrefix) && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
}

const newCredentials = (): Credentials => ({
  accessKeyId: keyIdPrefix + randomBytes(16).toString('hex').toUpperCase(),
  secretAccessKey: randomBytes(32).toString('hex'),
})

/** Random for each run; its child processes inherit the pair, other processes read it from `runtime.json`. */
export const EMULATOR_CREDENTIALS: Credentials = inheritedCredentials() ?? newCredentials()

export const awsClientConfig = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: EMULATOR_CREDENTIALS,
})
