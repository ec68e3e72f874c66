/** Permits of a workspace: at most so many holders, whoever asks how often. */
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { acquirePermit, releasePermit } from '../../lib/store/semaphores.ts'

const newSemaphore = () => ({ workspaceId: mintId('wsp', now()), name: 'runs' as const })
const holder = (id: string, expiresAt: string | null = null) => ({ id, expiresAt })

describe('a semaphore', () => {
  it('never has more holders than permits, however many ask at once', async () => {
    const semaphore = newSemaphore()
    const ids = Array.from({ length: 40 }, (_, index) => `run_${index}`)
    const held = await Promise.all(ids.map((id) => acquirePermit(semaphore, holder(id), 5, now())))
    expect(held.filter(Boolean)).toHaveLength(5)
  })

  it('gives a holder one permit, and a released one to the next', async () => {
    const semaphore = newSemaphore()
    const acquire = (id: string) => acquirePermit(semaphore, holder(id), 1, now())
    expect([await acquire('run_a'), await acquire('run_a'), await acquire('run_b')]).toEqual([true, true, false])
    await releasePermit(semaphore, holder('run_a'))
    await releasePermit(semaphore, holder('run_a'))
    expect([await acquire('run_b'), await acquire('run_a')]).toEqual([true, false])
  })

  it('takes the permit of an expired holder back', async () => {
    const semaphore = newSemaphore()
    const at = now()
    expect(await acquirePermit(semaphore, holder('a', secondsAfter(at, 60)), 1, at)).toBe(true)
    expect(await acquirePermit(semaphore, holder('b'), 1, secondsAfter(at, 59))).toBe(false)
    expect(await acquirePermit(semaphore, holder('b'), 1, secondsAfter(at, 60))).toBe(true)
  })
})
