/** Logs each fallback to a built-in maker: no other place records it. */
import type { ProviderRejected } from '../../domain/core/failures.ts'
import { log } from '../../log.ts'

export const logFallback =
  (capability: string) =>
  (error: ProviderRejected): void =>
    log.warn('provider.refused', { capability, error })
