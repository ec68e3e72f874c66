/**
 * Four times an hour: refreshes tokens that were unused for a week and marks accounts that their platforms refuse.
 * Separate from the sweeper because it calls platforms: its role may change accounts only.
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
