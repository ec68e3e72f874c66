/**
 * Bounds how many requests of a workspace wait for work at once: each holds a function while it waits. Called by the
 * routes that wait.
 */
import { now } from '../../clock.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { waitsMax } from '../../domain/workspaces/plan.ts'
import { log } from '../../log.ts'
import { acquireWaitPermit, releaseWaitPermit, type WaitPermitHolder } from '../../store/wait-permits.ts'

/** Longer than a function runs: a permit whose function was killed expires. */
const permitSeconds = 60

export interface WaitPermit {
  /** False where the workspace has no permit left. Idempotent. */
  tryAcquire: () => Promise<boolean>
  /** @throws Refusal `rate-limited` where the workspace has no permit left. */
  acquire: () => Promise<void>
}

/** Runs `work`, and releases the permit after it if it was acquired. */
export async function withWaitPermit<Result>(
  workspaceId: string,
  work: (permit: WaitPermit) => Promise<Result>,
): Promise<Result> {
  const at = now()
  const holder: WaitPermitHolder = { id: mintId('run', at), expiresAt: secondsAfter(at, permitSeconds) }
  let isHeld = false
  const tryAcquire = async () => {
    isHeld ||= await acquireWaitPermit(workspaceId, holder, waitsMax, now())
    return isHeld
  }
  const acquire = async () => {
    if (!(await tryAcquire()))
      throw new Refusal(
        'rate-limited',
        `This workspace has ${waitsMax} requests already that wait for work. Retry after the time in \`Retry-After\`.`,
        { headers: { 'Retry-After': '5' } },
      )
  }
  try {
    return await work({ tryAcquire, acquire })
  } finally {
    // The work is done: a permit that could not be released expires.
    if (isHeld)
      await releaseWaitPermit(workspaceId, holder).catch((error) =>
        log.warn('wait-permit.kept', { workspaceId, error }),
      )
  }
}
