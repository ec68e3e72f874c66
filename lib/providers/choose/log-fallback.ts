/** What a vendor refused and a built-in maker makes instead: worth a line, since nobody is told of it otherwise. */
import { log } from '../../log.ts'
import type { ProviderRejected } from '../failures.ts'

export const logFallback =
  (capability: string) =>
  (error: ProviderRejected): void =>
    log.warn('provider.refused', { capability, error })
