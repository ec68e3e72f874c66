/**
 * Who lets portraits speak for this deployment. What a vendor refuses is not made otherwise: somebody pays for moving lips, and is told
 * instead.
 */

import { movingPortrait } from '../avatars/built-in.ts'
import type { Avatars } from '../avatars/index.ts'
import { patience } from './poll-policy.ts'
import { chosen, vendorAccount } from './provider-choice.ts'

export async function theAvatars(): Promise<Avatars> {
  const { avatars } = chosen()
  if (avatars === 'built-in') return movingPortrait
  const account = await vendorAccount(avatars)
  if (avatars === 'fal') return (await import('../avatars/fal.ts')).falAvatars(account, patience)
  return (await import('../avatars/heygen.ts')).heygenAvatars(account, patience)
}
