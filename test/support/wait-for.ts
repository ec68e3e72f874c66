/** Waits in tests for what another process or a running service does. */
import { setTimeout as delay } from 'node:timers/promises'

/** The first truthy answer of the condition; fails the test when there is none in time. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 60_000,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  const deadline = Date.now() + withinMs
  // A quick answer is seen at once; a slow one is not delayed by the polling.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.3, 100)) {
    const answer = await condition()
    if (answer) return answer as Exclude<T, undefined | null | false | 0 | ''>
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await delay(pauseMs)
  }
}
