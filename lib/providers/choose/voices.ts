/**
 * The voices that a brief can name: those of the configured vendors, then the built-in ones. A vendor's list is cached
 * for a day. While the vendor does not respond, the last list is used; without one the vendor contributes no voices.
 */
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { openAiAddress } from '../../domain/generation/provider-choice.ts'
import { builtInVoices, offerable, type Voice, type VoiceVendorName } from '../../domain/videos/voices.ts'
import { log } from '../../log.ts'
import { type CachedVoices, cacheVoices, findCachedVoices } from '../../store/voice-cache.ts'
import type { VoiceVendor } from '../narrator/index.ts'
import { openAiServer } from './openai.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

const daySeconds = 24 * 60 * 60
/** Until the next attempt after a failure. */
const retryAfterSeconds = 60

export interface VoiceCatalogueDeps {
  vendors: () => VoiceVendorName[]
  open: (name: VoiceVendorName) => Promise<VoiceVendor>
  find: (name: VoiceVendorName) => Promise<CachedVoices | undefined>
  put: (name: VoiceVendorName, offered: CachedVoices) => Promise<void>
  /** What a list depends on beside the vendor: a list of another configuration is not used. */
  configurationOf?: (name: VoiceVendorName) => string | undefined
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
  configurationOf = () => undefined,
  now,
}: VoiceCatalogueDeps): () => Promise<readonly Voice[]> {
  const cached = new Map<VoiceVendorName, CacheEntry>()

  async function voicesOf(name: VoiceVendorName): Promise<readonly Voice[]> {
    const known = cached.get(name)
    if (known && now() < known.until) return known.voices
    const next = await loadEntry(name)
    cached.set(name, next)
    return next.voices
  }

  async function loadEntry(name: VoiceVendorName): Promise<CacheEntry> {
    const configuration = configurationOf(name)
    const found = await find(name)
    const stored = found?.configuration === configuration ? found : undefined
    const until = stored && secondsAfter(stored.askedAt, daySeconds)
    if (stored && until && now() < until) return { voices: offerable(stored.voices), until }
    const voices = await listVoices(name)
    if (!voices) return { voices: offerable(stored?.voices ?? []), until: secondsAfter(now(), retryAfterSeconds) }
    const askedAt = now()
    await put(name, { voices, askedAt, ...(configuration && { configuration }) })
    return { voices, until: secondsAfter(askedAt, daySeconds) }
  }

  /** Undefined after any failure, a missing or expired key included: a brief can then name the other voices. */
  async function listVoices(name: VoiceVendorName): Promise<Voice[] | undefined> {
    try {
      return offerable(await (await open(name)).list())
    } catch (error) {
      log.error('voices.unknown', { vendor: name, error: error as Error })
      return undefined
    }
  }

  return async () => {
    const names = vendors()
    if (names.length === 0) return builtInVoices
    return [...(await Promise.all(names.map(voicesOf))).flat(), ...builtInVoices]
  }
}

/** The voice vendors in the configuration. */
function chosenVendors(): VoiceVendorName[] {
  const { narrator, expressive } = chosenProviders()
  const names = [narrator, expressive].filter((name) => name !== 'built-in' && name !== 'none')
  return [...new Set(names)]
}

/** The tiers of the OpenAI-compatible voices. */
function openAiTiers(): Voice['provider'][] {
  const { narrator, expressive } = chosenProviders()
  return [
    ...(narrator === 'openai' ? ['standard' as const] : []),
    ...(expressive === 'openai' ? ['expressive' as const] : []),
  ]
}

/** An operator changes the server between two starts; its voices have other names. */
const configurationOf = (name: VoiceVendorName): string | undefined =>
  name === 'openai'
    ? JSON.stringify([openAiAddress(chosenProviders(), 'speech'), openAiVoiceNames(), openAiTiers()])
    : undefined

const openAiVoiceNames = () => chosenProviders().openai?.speech.voices

/** Loads the client of a vendor on use, which is once a day. */
export async function voiceVendor(name: VoiceVendorName): Promise<VoiceVendor> {
  if (name === 'polly') return (await import('../narrator/polly-voices.ts')).pollyVoices()
  if (name === 'openai') {
    const { openAiVoices } = await import('../narrator/openai-voices.ts')
    return openAiVoices(await openAiServer('speech'), { tiers: openAiTiers(), names: openAiVoiceNames() })
  }
  const { elevenLabsVoices } = await import('../narrator/elevenlabs-voices.ts')
  return elevenLabsVoices(await vendorCredentials(name))
}

export const loadVoices = createVoiceCatalogue({
  vendors: chosenVendors,
  open: voiceVendor,
  find: findCachedVoices,
  put: cacheVoices,
  configurationOf,
  now,
})
