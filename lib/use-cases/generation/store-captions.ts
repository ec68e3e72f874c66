/** Keeps the words of a narration as captions: the words, the pages, and a subtitle file of them. */
import { getObject } from '../../aws/media-bucket.ts'
import { getTimelines } from '../../aws/timelines.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { deterministicId } from '../../domain/core/id.ts'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { Captions, StoredCaptions } from '../../domain/generation/captions/captions.ts'
import { paginateCaptions, toCaptionWords, webVtt } from '../../domain/generation/captions/captions.ts'
import { withEmoji } from '../../domain/generation/captions/emoji.ts'
import { captionChecks, requirePassed, timingChecks } from '../../domain/generation/quality/checks.ts'
import type { QualityCheck } from '../../domain/records/quality.ts'
import type { Video } from '../../domain/records/video.ts'
import { analyseSound } from '../../render/sound/sound-analysis.ts'
import { parseWav } from '../../render/sound/wav.ts'
import type { StorageOwner } from '../artefacts/store-artefact.ts'
import { storeArtefact, storeTimeline } from '../artefacts/store-artefact.ts'

/**
 * `cause` names what the captions are made for: the same gives the same ids. `mood` is the video's, which may ask for emoji. They are
 * measured before they are kept; a `JobFailure` tells what is wrong with them.
 */
export async function storeCaptions(
  owner: StorageOwner,
  words: readonly TimedWord[],
  { cause, mood, videoMs }: { cause: string; mood: string | null; videoMs: number },
): Promise<StoredCaptions & { checks: QualityCheck[] }> {
  const captions = toCaptionWords(words, (index) => deterministicId('cap', cause, String(index)))
  const pages = paginateCaptions(captions, (index) => deterministicId('pag', cause, String(index)))
  const captionsPages = withEmoji(pages, captions, mood)
  const checks = requirePassed(captionChecks({ captions, captionsPages }, videoMs), 'transcription-failed')
  return { ...(await storeEditedCaptions(owner, { captions, captionsPages })), checks }
}

/** How well captions that the client chose to keep fit the voice, which may be a new one. It is told, and fails nothing. */
export async function checkExistingCaptions(video: Video, audioKey: string, videoMs: number): Promise<QualityCheck[]> {
  const { captions, captionsPages } = await getTimelines(video, ['captions', 'captionsPages'])
  if (captions.length === 0) return []
  const hearing = analyseSound(parseWav(await getObject(audioKey)))
  return [...timingChecks(captions, hearing), ...captionChecks({ captions, captionsPages }, videoMs)]
}

/** Words and pages as they are; the file says what both of them say. */
export async function storeEditedCaptions(
  owner: StorageOwner,
  { captions, captionsPages }: Captions,
): Promise<StoredCaptions> {
  const captionsKey = captions.length > 0 ? artefactKey(owner, 'subtitles', [captions, captionsPages], 'vtt') : null
  if (captionsKey)
    await storeArtefact(owner, captionsKey, Buffer.from(webVtt(captions, captionsPages)), 'text/vtt; charset=utf-8')
  return {
    captionsKey,
    timelines: {
      captions: await storeTimeline(owner, 'captions', captions),
      captionsPages: await storeTimeline(owner, 'captionsPages', captionsPages),
    },
  }
}
