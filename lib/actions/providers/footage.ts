/** Who finds the footage of this deployment. What nobody filmed is generated. */
import { eitherId, orElse } from '../../providers/fallback.ts'
import { generatedFootage } from '../../providers/footage/generated.ts'
import type { Footage } from '../../providers/footage/index.ts'
import { chosen, vendorAccount } from './choice.ts'
import { noteRefusal } from './refused.ts'

export async function theFootage(): Promise<Footage> {
  if (chosen().footage === 'built-in') return generatedFootage
  const { pexelsFootage } = await import('../../providers/footage/pexels.ts')
  return withFallback(pexelsFootage(await vendorAccount('pexels')), generatedFootage)
}

const withFallback = (first: Footage, second: Footage): Footage => ({
  id: eitherId(first, second),
  find: orElse(first.find, second.find, noteRefusal('footage')),
})
