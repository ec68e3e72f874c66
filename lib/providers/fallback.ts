/** Combines two makers: the second one makes what the first one rejects permanently. */
import { ProviderRejected } from '../domain/core/failures.ts'

/** Names both: a result stored under it was made by the first maker, or by the second one after a rejection. */
export const fallbackId = (first: { id: string }, second: { id: string }) => `${first.id}|${second.id}`

/** Falls back on `ProviderRejected` only: `ProviderBusy` is retried, and `AccountExpired` is for the operator. */
export const callWithFallback =
  <Args extends unknown[], Result>(
    first: (...args: Args) => Promise<Result>,
    second: (...args: Args) => Promise<Result>,
    onFallback: (rejection: ProviderRejected) => void,
  ) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await first(...args)
    } catch (error) {
      if (!(error instanceof ProviderRejected)) throw error
      onFallback(error)
      return second(...args)
    }
  }
