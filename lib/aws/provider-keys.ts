/** The API keys of the providers, from Secrets Manager. */
import { type ProviderKeys, providerKeys } from '../domain/generation/provider-choice.ts'
import { env } from '../env.ts'
import { secretReader } from './secrets.ts'

export const getProviderKeys: () => Promise<ProviderKeys> = secretReader(
  env.providerKeysId,
  providerKeys,
  "vendors' keys",
)
