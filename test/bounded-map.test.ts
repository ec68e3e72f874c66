/** What an instance remembers has a limit. */
import { expect, it } from 'vitest'
import { setNewest } from '../lib/bounded-map.ts'

it('forgets the entry that was set the longest time ago, and none at its limit', () => {
  const map = new Map<string, number>()
  for (const key of ['a', 'b', 'a', 'c']) setNewest(map, key, 1, 3)
  expect([...map.keys()]).toEqual(['b', 'a', 'c'])
  setNewest(map, 'd', 2, 3)
  expect([...map]).toEqual([
    ['a', 1],
    ['c', 1],
    ['d', 2],
  ])
})
