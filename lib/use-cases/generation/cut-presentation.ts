/**
 * Cuts a presentation into scenes with the director. Called by the generate pipeline, and by the sync job that cuts it
 * again.
 */
import { getJson } from '../../aws/media-bucket.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { deterministicId } from '../../domain/core/id.ts'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { type CaptionWord, cutWord } from '../../domain/generation/captions/captions.ts'
import type { PresentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Video } from '../../domain/records/video.ts'
import { isPresentation } from '../../domain/videos/kind.ts'
import { chooseDirector } from '../../providers/choose/director.ts'
import type { CutInput, CutScene } from '../../providers/director/index.ts'
import type { StorageOwner } from '../../store/storage-usage.ts'
import { storeOnce, storeTimeline } from '../artefacts/store-artefact.ts'

/** Deterministic for a run: a retry returns the same scenes, another run of the video a different look. */
export async function cutPresentation(
  owner: StorageOwner,
  { id, brief, mood, presentationMood }: Video,
  words: readonly TimedWord[],
  runId: string,
): Promise<PresentationScene[]> {
  const input: CutInput = {
    words: words.map((word) => ({ ...word, text: cutWord(word.text) })),
    mood: presentationMood ?? mood,
    tone: brief.presentationTone,
    assets: brief.presentationAssets,
    seed: `${id}/${runId}`,
  }
  const director = await chooseDirector()
  const key = artefactKey(owner, 'plans', [director.id, input], 'json')
  await storeOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await director.cut(input))))
  const scenes = await getJson<CutScene[]>(key)
  return scenes.map((scene, index) => ({ id: deterministicId('psc', runId, String(index)), ...scene }))
}

/** Cuts and stores the scenes of a presentation; returns nothing for any other video. */
export async function storePresentation(
  owner: StorageOwner,
  video: Video,
  words: readonly TimedWord[],
  runId: string,
): Promise<{ presentationScenes?: string }> {
  if (!isPresentation(video)) return {}
  const scenes = await cutPresentation(owner, video, words, runId)
  return { presentationScenes: await storeTimeline(owner, 'presentationScenes', scenes) }
}

export const wordsFromCaptions = (captions: readonly CaptionWord[]): TimedWord[] =>
  captions.map(({ punctuated_word, startMs, endMs }) => ({ text: punctuated_word, startMs, endMs }))
