/** The footage source of the deployment. Generates footage where the stock library has none or stays busy. */
import { callWithFallback, fallbackId } from '../fallback.ts'
import { builtInFootage } from '../footage/built-in.ts'
import type { Footage } from '../footage/index.ts'
import { logFallback } from './log-fallback.ts'
import { chosenProviders, keylessSource, vendorCredentials } from './provider-choice.ts'
import { searches } from './searches.ts'

export async function chooseFootage(): Promise<Footage> {
  const { footage } = chosenProviders()
  if (footage === 'built-in') return builtInFootage
  if (footage === 'wikimedia') {
    const { wikimediaFootage } = await import('../footage/wikimedia.ts')
    return withFallback(wikimediaFootage(keylessSource('wikimedia'), searches), builtInFootage)
  }
  const { pexelsFootage } = await import('../footage/pexels.ts')
  return withFallback(pexelsFootage(await vendorCredentials('pexels'), searches), builtInFootage)
}

const withFallback = (first: Footage, second: Footage): Footage => ({
  id: fallbackId(first, second),
  find: callWithFallback(first.find, second.find, logFallback('footage')),
  fallback: second,
})
