/** What the deployment chose, and what a vendor needs to be asked. One file of this folder for each capability makes its provider of it. */
import * as v from 'valibot'
import { type ProviderChoice, type ProviderKeys, providerChoice, vendorUrls } from '../../domain/provider-choice.ts'
import { env } from '../../env.ts'
import { AccountExpired } from '../../providers/failures.ts'

/** Throws where the deployment chose what does not exist, naming it. */
export const chosen = (): ProviderChoice => v.parse(v.pipe(v.string(), v.parseJson(), providerChoice), env.providers())

/** The address and the key of a vendor. Throws `AccountExpired` where the deployment chose one without giving its key. */
export async function vendorAccount(vendor: keyof ProviderKeys): Promise<{ url: string; key: string }> {
  // Only where a vendor is asked: every start of a function would load it for nothing.
  const { getProviderKeys } = await import('../../aws/provider-keys.ts')
  const key = (await getProviderKeys())[vendor]
  if (!key) throw new AccountExpired(`This deployment has chosen ${vendor} and has no key for it.`)
  const urls = v.parse(v.pipe(v.string(), v.parseJson(), vendorUrls), env.vendorUrls())
  return { url: urls[vendor], key }
}
