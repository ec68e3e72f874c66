/** The cache of searches of the deployment. */
import { now } from '../../clock.ts'
import { cacheSearch, findCachedSearch } from '../../store/search-cache.ts'
import type { SearchCache } from '../search-cache.ts'

export const searches: SearchCache = {
  find: (search) => findCachedSearch(search, now()),
  put: (search, answer) => cacheSearch(search, answer, now()),
}
