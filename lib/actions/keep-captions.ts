/** Keeps the words of a narration as captions: the words, the pages, and a subtitle file of them. */
import { artefactKey } from '../domain/artefact.ts'
import { idFromCause } from '../domain/id.ts'
import { captionChecks, type QualityCheck, requirePassed } from '../domain/quality.ts'
import { withEmoji } from '../domain/timelines/caption-emoji.ts'
import type { Captions, HeardWord, KeptCaptions } from '../domain/timelines/captions.ts'
import { pagesOf, webVtt, wordsOf } from '../domain/timelines/captions.ts'
import type { Owner } from './keep.ts'
import { keepObject, keepTimeline } from './keep.ts'

/**
 * `cause` names what the captions are made for: the same gives the same ids. `mood` is the video's, which may ask for emoji. They are
 * measured before they are kept; a `JobFailure` tells what is wrong with them.
 */
export async function keepCaptions(
  owner: Owner,
  words: readonly HeardWord[],
  { cause, mood, videoMs }: { cause: string; mood: string | null; videoMs: number },
): Promise<KeptCaptions & { checks: QualityCheck[] }> {
  const captions = wordsOf(words, (index) => idFromCause('cap', cause, String(index)))
  const pages = pagesOf(captions, (index) => idFromCause('pag', cause, String(index)))
  const captionsPages = withEmoji(pages, captions, mood)
  const checks = requirePassed(captionChecks({ captions, captionsPages }, videoMs), 'transcription-failed')
  return { ...(await keepEditedCaptions(owner, { captions, captionsPages })), checks }
}

/** Words and pages as they are; the file says what both of them say. */
export async function keepEditedCaptions(owner: Owner, { captions, captionsPages }: Captions): Promise<KeptCaptions> {
  const captionsKey = captions.length > 0 ? artefactKey(owner, 'subtitles', [captions, captionsPages], 'vtt') : null
  if (captionsKey)
    await keepObject(owner, captionsKey, Buffer.from(webVtt(captions, captionsPages)), 'text/vtt; charset=utf-8')
  return {
    captionsKey,
    timelines: {
      captions: await keepTimeline(owner, 'captions', captions),
      captionsPages: await keepTimeline(owner, 'captionsPages', captionsPages),
    },
  }
}
