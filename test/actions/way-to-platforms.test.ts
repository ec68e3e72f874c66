/** How long platforms are waited for. */
import { describe, expect, it } from 'vitest'
import { hurriedWay } from '../../lib/actions/way-to-platforms.ts'
import { NoAnswer } from '../../lib/publishers/failures.ts'
import { receiver } from '../egress/support.ts'

describe('a hurried request', () => {
  it('is over after its time, also where it wishes for more, and without a time of its own', async () => {
    for (const more of [{ deadlineMs: 60_000 }, {}]) {
      const silent = await receiver(() => {})
      const asked = hurriedWay(50)({ method: 'GET', url: silent.url, ...more })
      await expect(asked).rejects.toThrow(NoAnswer)
    }
  })
})
