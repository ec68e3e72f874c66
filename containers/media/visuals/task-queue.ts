/** A concurrency limit whose tasks can release their slot while they wait for a vendor. */

/** Wraps a wait inside a task: the slot is released during the wait and acquired again after it. */
export type ReleaseWhile = <Waited>(wait: () => Promise<Waited>) => Promise<Waited>

type Task = (releaseWhile: ReleaseWhile) => Promise<unknown>

/**
 * Runs the tasks in order, at most `limit` at a time. A task that waits resumes after those that have not started, so
 * that all start early. A task that fails because the vendor is at capacity is run again after another one has ended;
 * with no other task running, its failure counts. After the first failure that counts, no task is started; it is thrown
 * once all running tasks have ended.
 */
export async function runTaskQueue(
  tasks: readonly Task[],
  limit: number,
  isAtCapacity: (failure: unknown) => boolean = () => false,
): Promise<void> {
  const slots = semaphore(limit)
  const failures: unknown[] = []
  const waiting: (() => void)[] = []
  let working = 0
  /** Runs the task once. Returns whether it needs no further attempt. */
  const attempt = async (task: Task): Promise<boolean> => {
    working += 1
    try {
      await task(slots.releaseWhile)
      return true
    } catch (failure) {
      if (working > 1 && isAtCapacity(failure)) return false
      failures.push(failure)
      return true
    } finally {
      working -= 1
    }
  }
  const work = async (task: Task) => {
    await slots.acquire()
    while (failures.length === 0 && !(await attempt(task)))
      await slots.releaseWhile(() => new Promise<void>((resolve) => waiting.push(resolve)))
    slots.release()
    // After a failure, all that wait are woken to end.
    for (const next of waiting.splice(0, failures.length > 0 ? waiting.length : 1)) next()
  }
  await Promise.all(tasks.map(work))
  if (failures.length > 0) throw failures[0]
}

function semaphore(limit: number) {
  let free = limit
  const waiting: (() => void)[] = []
  const acquire = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const releaseWhile: ReleaseWhile = async (wait) => {
    release()
    try {
      return await wait()
    } finally {
      await acquire()
    }
  }
  return { acquire, release, releaseWhile }
}
