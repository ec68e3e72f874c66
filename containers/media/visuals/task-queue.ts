/** Does so many tasks at a time, where a task that waits for somebody else lets another one go on meanwhile. */

/** Goes around a wait inside a task. */
export type ReleaseWhile = <Waited>(wait: () => Promise<Waited>) => Promise<Waited>

type Task = (meanwhile: ReleaseWhile) => Promise<unknown>

/**
 * Does all the tasks in their order. Whoever waits goes on behind those that have not begun, so that all have begun soon. Who finds
 * `noRoom` begins anew when another one is done; the failure counts where no other one is at work. After the first failure that counts
 * none begins; it is thrown when all that began have ended.
 */
export async function runTaskQueue(
  tasks: readonly Task[],
  limit: number,
  isAtCapacity: (failure: unknown) => boolean = () => false,
): Promise<void> {
  const turns = semaphore(limit)
  const failures: unknown[] = []
  const waiting: (() => void)[] = []
  let working = 0
  /** Whether there is nothing left to do for it. */
  const tried = async (task: Task): Promise<boolean> => {
    working += 1
    try {
      await task(turns.meanwhile)
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
    await turns.take()
    while (failures.length === 0 && !(await tried(task)))
      await turns.meanwhile(() => new Promise<void>((resolve) => waiting.push(resolve)))
    turns.give()
    // Where one has failed nobody is to wait any longer.
    for (const next of waiting.splice(0, failures.length > 0 ? waiting.length : 1)) next()
  }
  await Promise.all(tasks.map(work))
  if (failures.length > 0) throw failures[0]
}

function semaphore(limit: number) {
  let free = limit
  const waiting: (() => void)[] = []
  const take = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const give = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const meanwhile: ReleaseWhile = async (wait) => {
    give()
    try {
      return await wait()
    } finally {
      await take()
    }
  }
  return { take, give, meanwhile }
}
