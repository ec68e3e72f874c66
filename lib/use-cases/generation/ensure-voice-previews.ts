/**
 * Ensures that every voice has a preview: where a vendor has no sample, the voice speaks one sentence, which is stored
 * for the whole deployment. Called by the route that lists voices.
 */
import { parallelLimit } from '../../async.ts'
import { hasObject, putObject } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { previewText, type Voice, type VoiceVendorName, vendorOf, voicePreviewKey } from '../../domain/videos/voices.ts'
import { log } from '../../log.ts'
import { voiceVendor } from '../../providers/choose/voices.ts'
import type { VoiceVendor } from '../../providers/narrator/index.ts'

/** Polly allows eight requests a second for neural voices (https://docs.aws.amazon.com/polly/latest/dg/limits.html). */
const concurrency = 4
/** The pause after a failure: it may have been charged, and an immediate retry would fail again. */
const cooldownSeconds = 60 * 60

/** Storage and vendors; injected by tests. */
export interface VoicePreviewDeps {
  open: (name: VoiceVendorName) => Promise<VoiceVendor>
  has: (key: string) => Promise<boolean>
  put: (key: string, preview: Uint8Array) => Promise<void>
  now: () => string
  /** The time limit of one call: a request waits for it. The next call makes the rest. */
  timeoutMs: number
}

/**
 * Returns a test of which voices have a preview now. A preview that is still being made at the time limit is finished,
 * and not ordered again.
 */
export function createVoicePreviews({
  open,
  has,
  put,
  now,
  timeoutMs,
}: VoicePreviewDeps): (voices: readonly Voice[]) => Promise<(voice: Voice) => boolean> {
  /** Stored previews; they are never deleted. */
  const stored = new Set<string>()
  const notBefore = new Map<string, string>()
  const making = new Map<string, Promise<void>>()

  const isAudible = (voice: Voice) =>
    !vendorOf(voice) || Boolean(voice.previewUrl) || stored.has(voicePreviewKey(voice))
  const isDue = (voice: Voice) => !isAudible(voice) && now() >= (notBefore.get(voice.id) ?? '')

  async function make(voice: Voice, vendor: VoiceVendorName): Promise<void> {
    const key = voicePreviewKey(voice)
    try {
      if (!(await has(key))) await put(key, await (await open(vendor)).speakSample(voice, previewText(voice)))
      stored.add(key)
    } catch (error) {
      notBefore.set(voice.id, secondsAfter(now(), cooldownSeconds))
      log.error('voice.preview', { voice: voice.id, error: error as Error })
    } finally {
      making.delete(voice.id)
    }
  }

  function makeOnce(voice: Voice): Promise<void> {
    const vendor = vendorOf(voice)
    if (!vendor) return Promise.resolve()
    const preview = making.get(voice.id) ?? make(voice, vendor)
    making.set(voice.id, preview)
    return preview
  }

  return async (voices) => {
    const missing = voices.filter(isDue)
    if (missing.length === 0) return isAudible
    const timeout = AbortSignal.timeout(timeoutMs)
    const timedOut = new Promise((resolve) => timeout.addEventListener('abort', resolve, { once: true }))
    const makeAll = parallelLimit(
      missing.map((voice) => () => makeOnce(voice)),
      concurrency,
      timeout,
    )
    await Promise.race([makeAll, timedOut])
    return isAudible
  }
}

export const ensureVoicePreviews = createVoicePreviews({
  open: voiceVendor,
  has: hasObject,
  put: (key, preview) => putObject(key, preview, 'audio/mpeg'),
  now,
  timeoutMs: 15_000,
})
