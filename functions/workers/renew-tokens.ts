/**
 * Four times an hour: tokens that nobody used for a week are renewed, so that they last, and accounts are marked that their platforms refuse.
 * Apart from the sweeper, because it speaks to platforms: it may change accounts, and nothing else.
 */
import { lookAtDue } from '../../lib/actions/look-at-due.ts'
import { renewInTime } from '../../lib/actions/renew-in-time.ts'

export const handler = (): Promise<{ looked: number; failed: number }> =>
  lookAtDue((key) => renewInTime(key), {
    name: 'renewal',
    lanes: ['tokens'],
    seconds: 120,
    atOnce: 10,
  })
