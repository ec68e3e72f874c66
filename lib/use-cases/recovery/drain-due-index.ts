/**
 * Drains the due index: processes each due row once, with limited concurrency and time. Called by the sweeper and by
 * the worker `refresh-tokens`. Processing is idempotent; a row that fails is retried after a backoff.
 */

import { limit } from '../../async.ts'
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { log, withLogFields } from '../../log.ts'
import { emitMetric } from '../../metrics.ts'
import { type DueLane, idsFromKey, type Key } from '../../store/core/keys.ts'
import { listDue, postpone } from '../../store/due-index.ts'

export interface DrainOptions {
  /** The name in logs and metrics. */
  name: string
  lanes: readonly DueLane[]
  /** No row is started after this; the rest is left to the next call. */
  timeLimitSeconds: number
  concurrency: number
  /**
   * The backoff of a failed row: without one, enough failing rows would block all others. Omitted where `process` sets
   * it first.
   */
  backoffSeconds?: number
}

const rowsPerShard = 60

export async function drainDueIndex(
  process: (key: Key) => Promise<void>,
  options: DrainOptions,
): Promise<{ looked: number; failed: number }> {
  const at = now()
  const isOver = () => now() >= secondsAfter(at, options.timeLimitSeconds)
  const counts = { looked: 0, failed: 0 }
  const limited = limit(options.concurrency)
  const seen = new Set<string>()
  const processLimited = (key: Key) =>
    limited(async () => {
      if (isOver()) return
      counts.looked++
      const isDone = await withLogFields({ ...idsFromKey(key), sk: key.sk }, () =>
        processOrBackOff(key, process, options),
      )
      if (!isDone) counts.failed++
    })
  while (!isOver()) {
    // The index is eventually consistent: processed rows may still be in it.
    const due = (await listDue(at, rowsPerShard, options.lanes)).filter(({ pk, sk }) => !seen.has(pk + sk))
    if (due.length === 0) break
    for (const { pk, sk } of due) seen.add(pk + sk)
    await Promise.all(due.map(processLimited))
  }
  return counts
}

async function processOrBackOff(
  key: Key,
  process: (key: Key) => Promise<void>,
  options: DrainOptions,
): Promise<boolean> {
  try {
    await process(key)
    return true
  } catch (error) {
    log.error(`${options.name}.failed`, { error })
    emitMetric({ name: 'Faults', value: 1, by: { what: options.name } })
    if (options.backoffSeconds) await backOff(key, secondsAfter(now(), options.backoffSeconds), options)
    return false
  }
}

/** A row that cannot be postponed must not stop the others. */
const backOff = (key: Key, at: string, { name }: DrainOptions) =>
  postpone(key, at).catch((error) => log.error(`${name}.stuck`, { error }))
