/**
 * Who lets portraits speak for this deployment. What a vendor refuses is not made otherwise: somebody pays for moving lips, and is told
 * instead.
 */
import type { Avatars } from '../../providers/avatars/index.ts'
import { movingPortrait } from '../../providers/avatars/portrait.ts'
import { chosen, vendorAccount } from './choice.ts'
import { patience } from './patience.ts'

export async function theAvatars(): Promise<Avatars> {
  const { avatars } = chosen()
  if (avatars === 'built-in') return movingPortrait
  const account = await vendorAccount(avatars)
  if (avatars === 'fal') return (await import('../../providers/avatars/fal.ts')).falAvatars(account, patience)
  return (await import('../../providers/avatars/heygen.ts')).heygenAvatars(account, patience)
}
