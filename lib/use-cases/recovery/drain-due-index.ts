/**
 * Takes up what waits in the due index, for as long as a tick lasts: each row once, so many at a time. What is done for a row is harmless to
 * repeat; a row that fails steps back.
 */

import { limit } from '../../async.ts'
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { log, withLogFields } from '../../log.ts'
import { emitMetric } from '../../metrics.ts'
import { type DueLane, idsFromKey, type Key } from '../../store/core/keys.ts'
import { listDue, postpone } from '../../store/due-index.ts'

export interface DrainOptions {
  /** Whose it is, in logs and metrics. */
  name: string
  lanes: readonly DueLane[]
  /** No row is taken up after this; what is left waits for the next tick. */
  timeLimitSeconds: number
  concurrency: number
  /** A row that cannot be done steps back, or enough of them would hide everything behind them. Absent where it does so before it is looked at. */
  backoffSeconds?: number
}

const rowsPerShard = 60

export async function drainDueIndex(
  process: (key: Key) => Promise<void>,
  tick: DrainOptions,
): Promise<{ looked: number; failed: number }> {
  const at = now()
  const isOver = () => now() >= secondsAfter(at, tick.timeLimitSeconds)
  const counts = { looked: 0, failed: 0 }
  const inTurn = limit(tick.concurrency)
  const seen = new Set<string>()
  const processLimited = (key: Key) =>
    inTurn(async () => {
      if (isOver()) return
      counts.looked++
      const isDone = await withLogFields({ ...idsFromKey(key), sk: key.sk }, () => processOrBackOff(key, process, tick))
      if (!isDone) counts.failed++
    })
  while (!isOver()) {
    // The index lags behind: what was looked at may still be in it.
    const due = (await listDue(at, rowsPerShard, tick.lanes)).filter(({ pk, sk }) => !seen.has(pk + sk))
    if (due.length === 0) break
    for (const { pk, sk } of due) seen.add(pk + sk)
    await Promise.all(due.map(processLimited))
  }
  return counts
}

async function processOrBackOff(key: Key, process: (key: Key) => Promise<void>, tick: DrainOptions): Promise<boolean> {
  try {
    await process(key)
    return true
  } catch (error) {
    log.error(`${tick.name}.failed`, { error })
    emitMetric({ name: 'Faults', value: 1, by: { what: tick.name } })
    if (tick.backoffSeconds) await backOff(key, secondsAfter(now(), tick.backoffSeconds), tick)
    return false
  }
}

/** One that cannot even step back must not stop the others. */
const backOff = (key: Key, at: string, { name }: DrainOptions) =>
  postpone(key, at).catch((error) => log.error(`${name}.stuck`, { error }))
