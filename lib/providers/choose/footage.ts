/** Who finds the footage of this deployment. What nobody filmed is generated, and so is what a collection is too busy to give. */
import { now } from '../../clock.ts'
import { findSearch, putSearch } from '../../store/search-cache.ts'
import { eitherId, orElse } from '../fallback.ts'
import { generatedFootage } from '../footage/built-in.ts'
import type { Footage, Searches } from '../footage/index.ts'
import { noteRefusal } from './log-fallback.ts'
import { chosen, vendorAccount } from './provider-choice.ts'

export async function theFootage(): Promise<Footage> {
  if (chosen().footage === 'built-in') return generatedFootage
  const { pexelsFootage } = await import('../footage/pexels.ts')
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
