/**
 * Four times an hour: tokens that nobody used for a week are renewed, so that they last, and accounts are marked that their platforms refuse.
 * Apart from the sweeper, because it speaks to platforms: it may change accounts, and nothing else.
 */

import { refreshExpiringTokens } from '../../lib/use-cases/accounts/refresh-expiring-tokens.ts'
import { drainDueIndex } from '../../lib/use-cases/recovery/drain-due-index.ts'

export const handler = (): Promise<{ looked: number; failed: number }> =>
  drainDueIndex((key) => refreshExpiringTokens(key), {
    name: 'renewal',
    lanes: ['tokens'],
    timeLimitSeconds: 120,
    concurrency: 10,
  })
