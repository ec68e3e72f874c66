/**
 * The providers that the deployment has configured, and the credentials of vendors. Each capability has one file beside
 * this one.
 */
import * as v from 'valibot'
import { AccountExpired, ProviderBusy } from '../../domain/core/failures.ts'
import {
  type KeyedVendor,
  type KeylessVendor,
  type ProviderChoice,
  type ProviderKeys,
  providerChoice,
  vendorUrls,
} from '../../domain/generation/provider-choice.ts'
import { env } from '../../env.ts'
import type { KeylessSource } from '../vendor.ts'

/** Throws `AccountExpired` for an invalid configuration: only the operator can change it. */
export function chosenProviders(): ProviderChoice {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), providerChoice), env.providers())
  if (parsed.success) return parsed.output
  throw new AccountExpired('The provider configuration of this deployment is invalid.', {
    cause: new v.ValiError(parsed.issues),
  })
}

/**
 * Base URL and key of a vendor. Throws `AccountExpired` where the key is missing, `ProviderBusy` where the keys cannot
 * be read.
 */
export async function vendorCredentials(vendor: KeyedVendor): Promise<{ url: string; key: string }> {
  const key = (await readProviderKeys())[vendor]
  if (!key) throw new AccountExpired(`This deployment uses ${vendor} and has no key for it.`)
  return { url: parseVendorUrls()[vendor], key }
}

const parseVendorUrls = () => v.parse(v.pipe(v.string(), v.parseJson(), vendorUrls), env.vendorUrls())

/** Base URL of a source without a key, and the User-Agent that it requires. */
export function keylessSource(vendor: KeylessVendor): KeylessSource {
  const contact = chosenProviders().contact ?? 'no contact configured'
  return { url: parseVendorUrls()[vendor], userAgent: `Reelsmith/1.0 (${contact}) node/${process.versions.node}` }
}

/** Throws `ProviderBusy` where the keys cannot be read. */
export async function readProviderKeys(): Promise<ProviderKeys> {
  // Loaded on use: functions that call no vendor start faster without it.
  const { getProviderKeys } = await import('../../aws/provider-keys.ts')
  return getProviderKeys().catch((error) => {
    throw new ProviderBusy('The vendor keys of this deployment cannot be read.', { cause: error })
  })
}
