/** Has the director cut a presentation, for a generation and for a re-cut alike. */
import { getJson } from '../../aws/media-bucket.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { idFromCause } from '../../domain/core/id.ts'
import type { HeardWord } from '../../domain/core/timeline-item.ts'
import type { CaptionWord } from '../../domain/generation/captions/captions.ts'
import type { PresentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Video } from '../../domain/records/video.ts'
import { isPresentation } from '../../domain/videos/kind.ts'
import { theDirector } from '../../providers/choose/director.ts'
import type { CutScene, CutWish } from '../../providers/director/index.ts'
import type { Owner } from '../artefacts/store-artefact.ts'
import { keepOnce, keepTimeline } from '../artefacts/store-artefact.ts'

/** The scenes that follow these words. Another run of the same video gives another look, a repeat of a run the same one. */
export async function presentationOf(
  owner: Owner,
  { id, brief, mood, presentationMood }: Video,
  words: readonly HeardWord[],
  runId: string,
): Promise<PresentationScene[]> {
  const wish: CutWish = {
    words,
    mood: presentationMood ?? mood,
    tone: brief.presentationTone,
    assets: brief.presentationAssets,
    seed: `${id}/${runId}`,
  }
  const director = await theDirector()
  const key = artefactKey(owner, 'plans', [director.id, wish], 'json')
  await keepOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await director.cut(wish))))
  const scenes = await getJson<CutScene[]>(key)
  return scenes.map((scene, index) => ({ id: idFromCause('psc', runId, String(index)), ...scene }))
}

/** Cuts and keeps the scenes of a video that is a presentation; of any other there are none. */
export async function keepPresentation(
  owner: Owner,
  video: Video,
  words: readonly HeardWord[],
  runId: string,
): Promise<{ presentationScenes?: string }> {
  if (!isPresentation(video)) return {}
  const scenes = await presentationOf(owner, video, words, runId)
  return { presentationScenes: await keepTimeline(owner, 'presentationScenes', scenes) }
}

export const heardIn = (captions: readonly CaptionWord[]): HeardWord[] =>
  captions.map(({ punctuated_word, startMs, endMs }) => ({ text: punctuated_word, startMs, endMs }))
