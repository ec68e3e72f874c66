/** Who finds the footage of this deployment. What nobody filmed is generated, and so is what a collection is too busy to give. */
import { now } from '../../clock.ts'
import { eitherId, orElse } from '../../providers/fallback.ts'
import { generatedFootage } from '../../providers/footage/generated.ts'
import type { Footage, Searches } from '../../providers/footage/index.ts'
import { findSearch, putSearch } from '../../store/searches.ts'
import { chosen, vendorAccount } from './choice.ts'
import { noteRefusal } from './refused.ts'

export async function theFootage(): Promise<Footage> {
  if (chosen().footage === 'built-in') return generatedFootage
  const { pexelsFootage } = await import('../../providers/footage/pexels.ts')
  return withFallback(pexelsFootage(await vendorAccount('pexels'), searches), generatedFootage)
}

const searches: Searches = {
  find: (search) => findSearch(search, now()),
  keep: (search, answer) => putSearch(search, answer, now()),
}

const withFallback = (first: Footage, second: Footage): Footage => ({
  id: eitherId(first, second),
  find: orElse(first.find, second.find, noteRefusal('footage')),
  spare: second,
})
