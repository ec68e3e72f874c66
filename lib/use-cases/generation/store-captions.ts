/**
 * Stores the words of a narration as captions: words, pages and a subtitle file. Called by the last steps of the
 * generate pipeline, by the narration step of the render pipeline and by the route that replaces captions.
 */
import { getObject } from '../../aws/media-bucket.ts'
import { getTimelines } from '../../aws/timelines.ts'
import { artefactKeyOfJson } from '../../domain/core/artefact.ts'
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
import type { StorageOwner } from '../../store/storage-usage.ts'
import { jsonArtefact, storeArtefacts, timelineKey } from '../artefacts/store-artefact.ts'

/**
 * `cause`: the same cause gives the same ids. `mood`: the video's, which may add emoji.
 * @throws JobFailure where the captions fail their checks; nothing is stored then.
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
  return { ...(await storeDecidedCaptions(owner, { captions, captionsPages }, (keys) => keys)), checks }
}

/**
 * Checks captions that the client kept against the voice, which may be new. The result is reported and fails nothing.
 */
export async function checkExistingCaptions(video: Video, audioKey: string, videoMs: number): Promise<QualityCheck[]> {
  const { captions, captionsPages } = await getTimelines(video, ['captions', 'captionsPages'])
  if (captions.length === 0) return []
  const sound = analyseSound(parseWav(await getObject(audioKey)))
  return [...timingChecks(captions, sound), ...captionChecks({ captions, captionsPages }, videoMs)]
}

/** The keys of words and pages, both in JSON, and of their subtitle file. */
const captionKeys = (owner: StorageOwner, json: Record<keyof Captions, string>): StoredCaptions => ({
  captionsKey:
    json.captions === '[]'
      ? null
      : artefactKeyOfJson(owner, 'subtitles', `[${json.captions},${json.captionsPages}]`, 'vtt'),
  timelines: {
    captions: timelineKey(owner, 'captions', json.captions),
    captionsPages: timelineKey(owner, 'captionsPages', json.captionsPages),
  },
})

/**
 * Stores words and pages unchanged, with a subtitle file of both, once `decide` has accepted their keys: where it
 * refuses, nothing is stored. Returns the decision.
 */
export async function storeDecidedCaptions<Result>(
  owner: StorageOwner,
  edited: Captions,
  decide: (keys: StoredCaptions) => Result,
): Promise<Result> {
  const { captions, captionsPages } = edited
  const json = { captions: JSON.stringify(captions), captionsPages: JSON.stringify(captionsPages) }
  const keys = captionKeys(owner, json)
  const decision = decide(keys)
  const { captionsKey: key, timelines } = keys
  const body = Buffer.from(webVtt(captions, captionsPages))
  await storeArtefacts(owner, [
    ...(key ? [{ key, body, contentType: 'text/vtt; charset=utf-8' }] : []),
    jsonArtefact(timelines.captions, json.captions),
    jsonArtefact(timelines.captionsPages, json.captionsPages),
  ])
  return decision
}
