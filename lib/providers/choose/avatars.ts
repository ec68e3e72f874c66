/**
 * The maker of speaking portraits of the deployment. No fallback: a client who pays for moving lips gets an error
 * without them.
 */
import { builtInAvatars } from '../avatars/built-in.ts'
import type { Avatars } from '../avatars/index.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

export async function chooseAvatars(): Promise<Avatars> {
  const { avatars } = chosenProviders()
  if (avatars === 'built-in') return builtInAvatars
  const account = await vendorCredentials(avatars)
  if (avatars === 'fal') return (await import('../avatars/fal.ts')).falAvatars(account)
  return (await import('../avatars/heygen.ts')).heygenAvatars(account)
}
