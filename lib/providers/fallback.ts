/** Two makers as one: what the first refuses for good, the second makes. */
import { ProviderRejected } from '../domain/core/failures.ts'

/** Names both: what is kept under it was made by the first, or by the second where that refused. */
export const fallbackId = (first: { id: string }, second: { id: string }) => `${first.id}|${second.id}`

/** Only a refusal goes on to the second. Being busy passes, and an account is for its owner to look after. */
export const callWithFallback =
  <Asked extends unknown[], Made>(
    first: (...asked: Asked) => Promise<Made>,
    second: (...asked: Asked) => Promise<Made>,
    onFallback: (refusal: ProviderRejected) => void,
  ) =>
  async (...asked: Asked): Promise<Made> => {
    try {
      return await first(...asked)
    } catch (error) {
      if (!(error instanceof ProviderRejected)) throw error
      onFallback(error)
      return second(...asked)
    }
  }
