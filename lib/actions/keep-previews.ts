/** Clips to hear the voices of vendors: where the vendor has none of a voice, the voice itself says a sentence, once for all. */
import { hasObject, putObject } from '../aws/media.ts'
import { greetingOf, previewKey, type Voice, type VoiceVendorName, vendorOf } from '../domain/voice.ts'
import { log } from '../log.ts'
import type { VoiceVendor } from '../providers/narrator/index.ts'

/** Polly takes eight orders a second for neural voices (https://docs.aws.amazon.com/polly/latest/dg/limits.html). */
const atOnce = 4
/** Somebody waits for the list; whoever asks next has the rest made. */
const patienceMs = 15_000

type Open = (name: VoiceVendorName) => Promise<VoiceVendor>

/** Objects never vanish from there. */
const kept = new Set<string>()

/**
 * The voices that can be heard, in their order. One whose clip cannot be made at the moment is left out of this answer: a list with
 * an address at which nothing plays would be wrong.
 */
export async function audibleVoices(voices: readonly Voice[], open: Open): Promise<Voice[]> {
  const tooLate = AbortSignal.timeout(patienceMs)
  const waiting = voices.filter(needsClip)
  const work = async () => {
    for (let voice = waiting.shift(); voice && !tooLate.aborted; voice = waiting.shift()) await keepPreview(voice, open)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return voices.filter((voice) => !needsClip(voice))
}

const needsClip = (voice: Voice) => vendorOf(voice) && !voice.previewUrl && !kept.has(previewKey(voice))

async function keepPreview(voice: Voice, open: Open): Promise<void> {
  const vendor = vendorOf(voice)
  if (!vendor) return
  const key = previewKey(voice)
  try {
    if (!(await hasObject(key)))
      await putObject(key, await (await open(vendor)).greet(voice, greetingOf(voice)), 'audio/mpeg')
    kept.add(key)
  } catch (error) {
    log.error('voice.preview', { voice: voice.id, error: error as Error })
  }
}
