/** Plans what is shown and when; edits of the client to an earlier plan stay. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { deterministicId } from '../../../lib/domain/core/id.ts'
import type { NarrationFacts } from '../../../lib/domain/generation/narration.ts'
import { narrationTailMs } from '../../../lib/domain/generation/narration.ts'
import { type PictureSource, planVisuals, replanVisuals } from '../../../lib/domain/generation/plan-visuals.ts'
import type { VisualPlan } from '../../../lib/domain/generation/visual-media.ts'
import { stageProgress } from '../../../lib/domain/records/jobs.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import { isPresentation } from '../../../lib/domain/videos/kind.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { cutPresentation } from '../../../lib/use-cases/generation/cut-presentation.ts'
import { loadPictureVocabulary } from '../../../lib/use-cases/generation/picture-vocabulary.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

/** Executions of before pass no script. */
const input = v.object({ ...runInput.entries, narration: artefactRef, script: v.optional(artefactRef) })

export const handler = step(input, 'visuals-failed', async ({ narration, script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  await reportProgress(video, 'process', run, { progress: stageProgress.visuals, statusText: 'Planning the visuals' })
  const [facts, pictures] = await Promise.all([
    getJson<NarrationFacts>(narration.key),
    picturesOf(video, script?.key ?? video.scriptKey),
  ])
  const { plan, isNew } = await planOf(video, facts, contentOwner(workspace, video).videoId, pictures)
  const owner = { workspace, videoId: video.id }
  // Before any picture is paid for: the director may refuse. `Complete` reuses the stored cut.
  if (isPresentation(video)) await cutPresentation(owner, video, facts.words, run.runId)
  const key = artefactKey(owner, 'plans', plan, 'json')
  await storeJson(owner, key, plan)
  // `from`: the segments that the plan was made from, for `Complete`.
  return { key, isNew, from: video.timelines.bRolls ?? null }
})

/** What drawn pictures are chosen by: the words that the writer wants to be seen, and the names of objects. */
async function picturesOf({ brief }: Video, scriptKey: string | null | undefined): Promise<PictureSource> {
  const [vocabulary, script] = await Promise.all([
    loadPictureVocabulary(brief.language),
    scriptKey ? getJson<Script>(scriptKey) : undefined,
  ])
  return { vocabulary, title: script?.title ?? '', beats: script?.beats ?? [] }
}

async function planOf(
  video: Video,
  { audioKey, words, durationMs }: NarrationFacts,
  seed: string,
  pictures: PictureSource,
) {
  const { brief, mood, process, timelines, plannedBRolls, media } = video
  const input = {
    words,
    durationMs: durationMs + narrationTailMs,
    brief,
    mood,
    seed,
    addBRolls: process?.wishes.addBRolls ?? true,
    pictures,
    idOf: (index: number) => deterministicId('brl', process!.runId, String(index)),
  }
  if (!timelines.bRolls) return { plan: planVisuals(input) satisfies VisualPlan, isNew: true }
  const { bRolls: segments } = await getTimelines(video, ['bRolls'])
  const edited = timelines.bRolls !== plannedBRolls
  return replanVisuals(input, { segments, edited, sameNarration: audioKey === media.audioKey })
}
