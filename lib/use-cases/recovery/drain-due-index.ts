/**
 * Takes up what waits in the due index, for as long as a tick lasts: each row once, so many at a time. What is done for a row is harmless to
 * repeat; a row that fails steps back.
 */
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { log, loggedWith } from '../../log.ts'
import { measure } from '../../metrics.ts'
import { type DueLane, idsIn, type Key } from '../../store/core/keys.ts'
import { turns } from '../../store/core/semaphore.ts'
import { listDue, postpone } from '../../store/due-index.ts'

export interface Tick {
  /** Whose it is, in logs and metrics. */
  name: string
  lanes: readonly DueLane[]
  /** No row is taken up after this; what is left waits for the next tick. */
  seconds: number
  atOnce: number
  /** A row that cannot be done steps back, or enough of them would hide everything behind them. Absent where it does so before it is looked at. */
  stepBackSeconds?: number
}

const rowsPerShard = 60

export async function lookAtDue(
  look: (key: Key) => Promise<void>,
  tick: Tick,
): Promise<{ looked: number; failed: number }> {
  const at = now()
  const isOver = () => now() >= secondsAfter(at, tick.seconds)
  const told = { looked: 0, failed: 0 }
  const inTurn = turns(tick.atOnce)
  const seen = new Set<string>()
  const lookInTurn = (key: Key) =>
    inTurn(async () => {
      if (isOver()) return
      told.looked++
      const isDone = await loggedWith({ ...idsIn(key), sk: key.sk }, () => lookOrStepBack(key, look, tick))
      if (!isDone) told.failed++
    })
  while (!isOver()) {
    // The index lags behind: what was looked at may still be in it.
    const due = (await listDue(at, rowsPerShard, tick.lanes)).filter(({ pk, sk }) => !seen.has(pk + sk))
    if (due.length === 0) break
    for (const { pk, sk } of due) seen.add(pk + sk)
    await Promise.all(due.map(lookInTurn))
  }
  return told
}

async function lookOrStepBack(key: Key, look: (key: Key) => Promise<void>, tick: Tick): Promise<boolean> {
  try {
    await look(key)
    return true
  } catch (error) {
    log.error(`${tick.name}.failed`, { error })
    measure({ name: 'Faults', value: 1, by: { what: tick.name } })
    if (tick.stepBackSeconds) await stepBack(key, secondsAfter(now(), tick.stepBackSeconds), tick)
    return false
  }
}

/** One that cannot even step back must not stop the others. */
const stepBack = (key: Key, at: string, { name }: Tick) =>
  postpone(key, at).catch((error) => log.error(`${name}.stuck`, { error }))
