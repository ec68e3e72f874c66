/**
 * Once a minute: whatever waits longer than it should is woken again, and a job past its deadline is ended. It only
 * re-issues wake-ups by their causes, so that running it twice is harmless.
 */

import { dispatch } from '../../lib/actions/dispatch.ts'
import { supervise } from '../../lib/actions/supervise.ts'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/time.ts'
import { log, loggedWith } from '../../lib/log.ts'
import { measure } from '../../lib/metrics.ts'
import { listDue, postpone } from '../../lib/store/due.ts'
import type { Key } from '../../lib/store/keys.ts'
import { idsIn, outboxPrefix } from '../../lib/store/keys.ts'
import { turns } from '../../lib/store/turns.ts'

const rowsPerShard = 60

/** A tick takes no new rows after this; what is left waits for the next minute. */
const tickSeconds = 40
/** More would stand in line for a connection to a queue until that takes too long. */
const inTurn = turns(25)
/** A row that cannot be done steps back, or enough of them would hide everything behind them. */
const stepBackSeconds = 300

export async function handler(): Promise<{ looked: number; failed: number }> {
  const at = now()
  const told = { looked: 0, failed: 0 }
  const seen = new Set<string>()
  while (now() < secondsAfter(at, tickSeconds)) {
    // The index lags behind: what was looked at may still be in it.
    const due = (await listDue(at, rowsPerShard)).filter(({ pk, sk }) => !seen.has(pk + sk))
    for (const { pk, sk } of due) seen.add(pk + sk)
    const outcomes = await Promise.all(
      due.map((key) => inTurn(() => loggedWith({ ...idsIn(key), sk: key.sk }, () => look(key)))),
    )
    told.looked += due.length
    told.failed += outcomes.filter((well) => !well).length
    if (due.length === 0) break
  }
  return told
}

async function look(key: Key): Promise<boolean> {
  try {
    await (key.sk.startsWith(outboxPrefix) ? dispatch(key) : supervise(key))
    return true
  } catch (error) {
    log.error('sweep.failed', { error })
    measure({ name: 'Faults', value: 1, by: { what: 'sweep' } })
    // One that cannot even step back must not stop the others.
    await postpone(key, secondsAfter(now(), stepBackSeconds)).catch((reason) =>
      log.error('sweep.stuck', { error: reason }),
    )
    return false
  }
}
