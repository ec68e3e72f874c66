/** The footage source of the deployment. Generates footage where the stock library has none or stays busy. */
import { now } from '../../clock.ts'
import { cacheSearch, findCachedSearch } from '../../store/search-cache.ts'
import { callWithFallback, fallbackId } from '../fallback.ts'
import { builtInFootage } from '../footage/built-in.ts'
import type { Footage, SearchCache } from '../footage/index.ts'
import { logFallback } from './log-fallback.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

export async function chooseFootage(): Promise<Footage> {
  if (chosenProviders().footage === 'built-in') return builtInFootage
  const { pexelsFootage } = await import('../footage/pexels.ts')
  return withFallback(pexelsFootage(await vendorCredentials('pexels'), searches), builtInFootage)
}

const searches: SearchCache = {
  find: (search) => findCachedSearch(search, now()),
  put: (search, answer) => cacheSearch(search, answer, now()),
}

const withFallback = (first: Footage, second: Footage): Footage => ({
  id: fallbackId(first, second),
  find: callWithFallback(first.find, second.find, logFallback('footage')),
  fallback: second,
})
