/**
 * The voices that a brief can name: those of the vendors that the deployment chose, then the built-in ones, which every deployment has.
 * A vendor is asked once a day, by whoever needs the list first; while it does not answer, what it offered before holds, and one that
 * never answered offers nothing: the other voices speak.
 */
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { builtInVoices, type Voice, type VoiceVendorName } from '../../domain/videos/voices.ts'
import { log } from '../../log.ts'
import { type CachedVoices, cacheVoices, findCachedVoices } from '../../store/voice-cache.ts'
import type { VoiceVendor } from '../narrator/index.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

const daySeconds = 24 * 60 * 60
/** A vendor that did not answer is not asked by every request. */
const retryAfterSeconds = 60

/** Where lists are kept, and who gives them. */
export interface VoiceCatalogueDeps {
  vendors: () => VoiceVendorName[]
  open: (name: VoiceVendorName) => Promise<VoiceVendor>
  find: (name: VoiceVendorName) => Promise<CachedVoices | undefined>
  put: (name: VoiceVendorName, offered: CachedVoices) => Promise<void>
  now: () => string
}

interface CacheEntry {
  voices: readonly Voice[]
  until: string
}

export function createVoiceCatalogue({
  vendors,
  open,
  find,
  put,
  now,
}: VoiceCatalogueDeps): () => Promise<readonly Voice[]> {
  const remembered = new Map<VoiceVendorName, CacheEntry>()

  async function offeredBy(name: VoiceVendorName): Promise<readonly Voice[]> {
    const known = remembered.get(name)
    if (known && now() < known.until) return known.voices
    const next = await freshFrom(name)
    remembered.set(name, next)
    return next.voices
  }

  async function freshFrom(name: VoiceVendorName): Promise<CacheEntry> {
    const stored = await find(name)
    const until = stored && secondsAfter(stored.askedAt, daySeconds)
    if (stored && until && now() < until) return { voices: stored.voices, until }
    const voices = await listed(name)
    if (!voices) return { voices: stored?.voices ?? [], until: secondsAfter(now(), retryAfterSeconds) }
    const askedAt = now()
    await put(name, { voices, askedAt })
    return { voices, until: secondsAfter(askedAt, daySeconds) }
  }

  /** Undefined where the vendor gives no list, also where it has expired or has no key: a brief can then name the others. */
  async function listed(name: VoiceVendorName): Promise<Voice[] | undefined> {
    try {
      return await (await open(name)).list()
    } catch (error) {
      log.error('voices.unknown', { vendor: name, error: error as Error })
      return undefined
    }
  }

  return async () => {
    const names = vendors()
    if (names.length === 0) return builtInVoices
    return [...(await Promise.all(names.map(offeredBy))).flat(), ...builtInVoices]
  }
}

/** The vendors of voices that this deployment chose. */
function chosenVendors(): VoiceVendorName[] {
  const { narrator, expressive } = chosenProviders()
  return [...(narrator === 'polly' ? ['polly' as const] : []), ...(expressive === 'elevenlabs' ? [expressive] : [])]
}

/** What asking a vendor takes is loaded when it is asked: once a day. */
export async function voiceVendor(name: VoiceVendorName): Promise<VoiceVendor> {
  if (name === 'polly') return (await import('../narrator/polly-voices.ts')).pollyVoices()
  const { elevenLabsVoices } = await import('../narrator/elevenlabs-voices.ts')
  return elevenLabsVoices(await vendorCredentials(name))
}

export const loadVoices = createVoiceCatalogue({
  vendors: chosenVendors,
  open: voiceVendor,
  find: findCachedVoices,
  put: cacheVoices,
  now,
})
