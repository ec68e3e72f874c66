/** What the deployment chose, and what a vendor needs to be asked. One file of this folder for each capability makes its provider of it. */
import * as v from 'valibot'
import { AccountExpired, ProviderBusy } from '../../domain/core/failures.ts'
import {
  type ProviderChoice,
  type ProviderKeys,
  providerChoice,
  vendorUrls,
} from '../../domain/generation/provider-choice.ts'
import { env } from '../../env.ts'

/** Throws `AccountExpired` where the deployment chose what does not exist: only its operator can change that. */
export function chosenProviders(): ProviderChoice {
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), providerChoice), env.providers())
  if (given.success) return given.output
  throw new AccountExpired('This deployment has chosen providers that do not exist.', {
    cause: new v.ValiError(given.issues),
  })
}

/**
 * The address and the key of a vendor. Throws `AccountExpired` where the deployment chose one without giving its key, `ProviderBusy`
 * where nobody can read the keys now.
 */
export async function vendorCredentials(vendor: keyof ProviderKeys): Promise<{ url: string; key: string }> {
  // Only where a vendor is asked: every start of a function would load it for nothing.
  const { getProviderKeys } = await import('../../aws/provider-keys.ts')
  const keys = await getProviderKeys().catch((error) => {
    throw new ProviderBusy('The keys of this deployment cannot be read.', { cause: error })
  })
  const key = keys[vendor]
  if (!key) throw new AccountExpired(`This deployment has chosen ${vendor} and has no key for it.`)
  const urls = v.parse(v.pipe(v.string(), v.parseJson(), vendorUrls), env.vendorUrls())
  return { url: urls[vendor], key }
}
