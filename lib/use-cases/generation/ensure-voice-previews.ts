/** Clips to hear the voices of vendors: where the vendor has none of a voice, the voice itself says a sentence, once for all. */
import { hasObject, putObject } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { previewText, type Voice, type VoiceVendorName, vendorOf, voicePreviewKey } from '../../domain/videos/voices.ts'
import { log } from '../../log.ts'
import { voiceVendor } from '../../providers/choose/voices.ts'
import type { VoiceVendor } from '../../providers/narrator/index.ts'

/** Polly takes eight orders a second for neural voices (https://docs.aws.amazon.com/polly/latest/dg/limits.html). */
const atOnce = 4
/** A voice that could not be heard may have been paid for, and will hardly be a minute later. */
const pauseSeconds = 60 * 60

/** Where clips are kept, and who speaks them. */
export interface VoicePreviewDeps {
  open: (name: VoiceVendorName) => Promise<VoiceVendor>
  has: (key: string) => Promise<boolean>
  put: (key: string, clip: Uint8Array) => Promise<void>
  now: () => string
  /** Somebody waits for the list; whoever asks next has the rest made. */
  timeoutMs: number
}

/** Answers which of these voices can be heard now. What is still being made when its time is up goes on, and is not ordered again. */
export function createVoicePreviews(
  sources: VoicePreviewDeps,
): (voices: readonly Voice[]) => Promise<(voice: Voice) => boolean> {
  const { open, has, put, now, timeoutMs: patienceMs } = sources
  /** Objects never vanish from there. */
  const kept = new Set<string>()
  const notBefore = new Map<string, string>()
  const making = new Map<string, Promise<void>>()

  const isAudible = (voice: Voice) => !vendorOf(voice) || Boolean(voice.previewUrl) || kept.has(voicePreviewKey(voice))
  const isDue = (voice: Voice) => !isAudible(voice) && now() >= (notBefore.get(voice.id) ?? '')

  async function make(voice: Voice, vendor: VoiceVendorName): Promise<void> {
    const key = voicePreviewKey(voice)
    try {
      if (!(await has(key))) await put(key, await (await open(vendor)).speakSample(voice, previewText(voice)))
      kept.add(key)
    } catch (error) {
      notBefore.set(voice.id, secondsAfter(now(), pauseSeconds))
      log.error('voice.preview', { voice: voice.id, error: error as Error })
    } finally {
      making.delete(voice.id)
    }
  }

  function makeOnce(voice: Voice): Promise<void> {
    const vendor = vendorOf(voice)
    if (!vendor) return Promise.resolve()
    const clip = making.get(voice.id) ?? make(voice, vendor)
    making.set(voice.id, clip)
    return clip
  }

  return async (voices) => {
    const waiting = voices.filter(isDue)
    if (waiting.length === 0) return isAudible
    const tooLate = AbortSignal.timeout(patienceMs)
    const work = async () => {
      for (let voice = waiting.shift(); voice && !tooLate.aborted; voice = waiting.shift()) await makeOnce(voice)
    }
    const late = new Promise((resolve) => tooLate.addEventListener('abort', resolve, { once: true }))
    await Promise.race([Promise.all(Array.from({ length: atOnce }, work)), late])
    return isAudible
  }
}

export const ensureVoicePreviews = createVoicePreviews({
  open: voiceVendor,
  has: hasObject,
  put: (key, clip) => putObject(key, clip, 'audio/mpeg'),
  now,
  timeoutMs: 15_000,
})
