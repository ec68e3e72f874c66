/** Permits of a workspace: at most so many holders, whoever asks how often. */
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { acquireWaitPermit, releaseWaitPermit } from '../../lib/store/wait-permits.ts'

const newWorkspaceId = () => mintId('wsp', now())
const holder = (id: string, expiresAt = secondsAfter(now(), 60)) => ({ id, expiresAt })

describe('the permits of waiting requests', () => {
  it('never have more holders than permits, however many ask at once', async () => {
    const workspaceId = newWorkspaceId()
    const ids = Array.from({ length: 40 }, (_, index) => `run_${index}`)
    const held = await Promise.all(ids.map((id) => acquireWaitPermit(workspaceId, holder(id), 5, now())))
    expect(held.filter(Boolean)).toHaveLength(5)
  })

  it('are one for a holder, and a released one goes to the next', async () => {
    const workspaceId = newWorkspaceId()
    const [a, b] = [holder('run_a'), holder('run_b')]
    const acquire = (one: typeof a) => acquireWaitPermit(workspaceId, one, 1, now())
    expect([await acquire(a), await acquire(a), await acquire(b)]).toEqual([true, true, false])
    await releaseWaitPermit(workspaceId, a)
    await releaseWaitPermit(workspaceId, a)
    expect([await acquire(b), await acquire(a)]).toEqual([true, false])
  })

  it('are taken back from a holder that has expired', async () => {
    const workspaceId = newWorkspaceId()
    const at = now()
    const next = holder('b', secondsAfter(at, 600))
    expect(await acquireWaitPermit(workspaceId, holder('a', secondsAfter(at, 60)), 1, at)).toBe(true)
    expect(await acquireWaitPermit(workspaceId, next, 1, secondsAfter(at, 59))).toBe(false)
    expect(await acquireWaitPermit(workspaceId, next, 1, secondsAfter(at, 60))).toBe(true)
  })
})
