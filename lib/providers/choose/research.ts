/** The research of the deployment: the bundled knowledge, Wikipedia after it, or none. */
import { setTimeout as delay } from 'node:timers/promises'
import { retry } from '../../async.ts'
import { AccountExpired, ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { builtInResearch } from '../research/built-in.ts'
import type { Research } from '../research/index.ts'
import { chosenProviders, keylessSource } from './provider-choice.ts'

/** Before the retry: with the deadlines of the requests below 20 s, since a model has 100 s of the 120 s of the step. */
const pausesMs = [1_000]

export async function chooseResearch(): Promise<Research> {
  const { research } = chosenProviders()
  if (research === 'none') return noResearch
  if (research === 'built-in') return builtInResearch
  const { wikipediaResearch } = await import('../research/wikipedia.ts')
  return withBundledFirst(sparing(wikipediaResearch(keylessSource('wikipedia'))))
}

const noResearch: Research = { id: 'none', find: async () => null }

const withBundledFirst = (second: Research): Research => ({
  id: `${builtInResearch.id}|${second.id}`,
  find: async (input, signal) => (await builtInResearch.find(input, signal)) ?? second.find(input, signal),
})

/** A source that fails costs the facts, not the video: retried while it is busy, then nothing is known. */
const sparing = ({ id, find }: Research): Research => ({
  id,
  find: (input, signal) =>
    retry(() => find(input, signal), {
      pausesMs,
      isRetryable: (error) => error instanceof ProviderBusy,
      beforeRetry: (error) => log.warn('provider.busy', { error }),
      sleep: (ms) => delay(ms / env.timeScale(), undefined, signal && { signal }),
    }).catch((error) => {
      const isProviderFailure = [ProviderBusy, ProviderRejected, AccountExpired].some((kind) => error instanceof kind)
      if (!isProviderFailure) throw error
      log.warn('research.spared', { error })
      return null
    }),
})
