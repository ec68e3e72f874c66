/** What a vendor refused and a built-in maker makes instead: worth a line, since nobody is told of it otherwise. */

import type { ProviderRejected } from '../../domain/core/failures.ts'
import { log } from '../../log.ts'

export const logFallback =
  (capability: string) =>
  (error: ProviderRejected): void =>
    log.warn('provider.refused', { capability, error })
