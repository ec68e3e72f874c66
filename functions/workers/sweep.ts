/**
 * Once a minute: whatever waits longer than it should is woken again, and a job past its deadline is ended. It only
 * re-issues wake-ups by their causes, so that running it twice is harmless.
 */

import { dispatch } from '../../lib/actions/dispatch.ts'
import { supervise } from '../../lib/actions/supervise.ts'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/time.ts'
import { log } from '../../lib/log.ts'
import { listDue, postpone } from '../../lib/store/due.ts'
import type { Key } from '../../lib/store/keys.ts'
import { outboxPrefix } from '../../lib/store/keys.ts'
import { turns } from '../../lib/store/turns.ts'

const rowsPerShard = 60

/** Rounds of one tick; what is left waits for the next minute. */
const roundsMax = 10
/** More would stand in line for a connection to a queue until that takes too long. */
const inTurn = turns(25)
/** A row that cannot be done steps back, or enough of them would hide everything behind them. */
const stepBackSeconds = 300

export async function handler(): Promise<{ looked: number; failed: number }> {
  const at = now()
  const told = { looked: 0, failed: 0 }
  for (let round = 0; round < roundsMax; round++) {
    const due = await listDue(at, rowsPerShard)
    const outcomes = await Promise.all(due.map((key) => inTurn(() => look(key))))
    told.looked += due.length
    told.failed += outcomes.filter((well) => !well).length
    if (due.length < rowsPerShard) break
  }
  return told
}

async function look(key: Key): Promise<boolean> {
  try {
    await (key.sk.startsWith(outboxPrefix) ? dispatch(key) : supervise(key))
    return true
  } catch (error) {
    log.error('sweep.failed', { ...key, error: error as Error })
    // One that cannot even step back must not stop the others.
    await postpone(key, secondsAfter(now(), stepBackSeconds)).catch((reason) =>
      log.error('sweep.stuck', { ...key, error: reason as Error }),
    )
    return false
  }
}
