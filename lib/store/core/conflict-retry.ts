/** What is decided on records that others change meanwhile: who loses a race loads and decides again. */
import { setTimeout as delay } from 'node:timers/promises'
import { WriteConflict } from './write-conflict.ts'

export const conflictAttemptsMax = 8

/** Full jitter up to 50, 100, 200, 400 ms: writers that collided part again. */
export const backOffWithJitter = (race: number): Promise<void> => delay(Math.random() * 50 * 2 ** Math.min(race, 3))

/** Runs what loads, decides and commits, until it has lost no race; throws `LostRace` where it has lost so many. */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result>,
  max = conflictAttemptsMax,
): Promise<Result> {
  for (let race = 0; ; race++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof WriteConflict) || race === max - 1) throw error
      await backOffWithJitter(race)
    }
  }
}
