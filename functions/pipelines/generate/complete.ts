/** Commits the result of a generation: captions in the timing of the voice, b-roll segments with their media. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import type { NarrationFacts } from '../../../lib/domain/generation/narration.ts'
import { narrationTailMs } from '../../../lib/domain/generation/narration.ts'
import { pictureCheck, requirePassed, segmentChecks } from '../../../lib/domain/generation/quality/checks.ts'
import type { ResolvedVisuals } from '../../../lib/domain/generation/visual-media.ts'
import { mergeResolvedMedia, visualsResultKey } from '../../../lib/domain/generation/visual-media.ts'
import { creditsOf } from '../../../lib/domain/records/attribution.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeProcess } from '../../../lib/domain/videos/complete-job.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { storePresentation } from '../../../lib/use-cases/generation/cut-presentation.ts'
import { checkExistingCaptions, storeCaptions } from '../../../lib/use-cases/generation/store-captions.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const visuals = v.object({ ...artefactRef.entries, isNew: v.boolean(), from: v.nullable(v.string()) })
const input = v.object({ ...runInput.entries, script: artefactRef, narration: artefactRef, visuals })

export const handler = step(input, 'visuals-failed', async ({ script, narration, visuals, ...run }) => {
  const video = await loadOpenRunVideo(run, 'process')
  const [workspace, { title, writtenBy, sources }, { audioKey, durationMs, words, checks = [] }, bRolls] =
    await Promise.all([
      getWorkspace(run.workspaceId),
      getJson<Script>(script.key),
      getJson<NarrationFacts>(narration.key),
      getJson<ResolvedVisuals>(visualsResultKey(visuals.key)),
    ])
  const transcribe = video.process?.wishes.transcribe ?? true
  const owner = { workspace, videoId: video.id }
  const videoMs = durationMs + narrationTailMs
  const captions = transcribe
    ? await storeCaptions(owner, words, { cause: run.runId, mood: video.mood, videoMs })
    : { timelines: {}, checks: await checkExistingCaptions(video, audioKey, videoMs) }
  const bRollChecks = segmentChecks(bRolls, videoMs)
  // Segments that the client edited are only reported, not refused.
  if (visuals.isNew) requirePassed(bRollChecks, 'visuals-failed')
  const bRollsKey = await storeTimeline(owner, 'bRolls', bRolls)
  const result = {
    title,
    script: { key: script.key, writtenBy },
    durationSeconds: videoMs / 1000,
    audioKey,
    ...captions,
    // Each picture was checked before it was stored.
    checks: [...checks, ...captions.checks, ...bRollChecks, pictureCheck(0)],
    credits: creditsOf(sources, bRolls),
    ...(visuals.isNew ? { plannedBRolls: bRollsKey } : {}),
    timelines: {
      ...captions.timelines,
      bRolls: bRollsKey,
      ...(await storePresentation(owner, video, words, run.runId)),
    },
  }
  await changeVideo(run, async (current) => {
    const isEdited = (current.timelines.bRolls ?? null) !== visuals.from
    const edited = isEdited ? { bRolls: await storeEdited(owner, current, bRolls) } : {}
    const timelines = { ...result.timelines, ...edited }
    return completeProcess(workspace, current, run.runId, { ...result, timelines }, now())
  })
})

/** Segments that the client edited while their pictures were made are newer than the plan and stay. */
async function storeEdited(owner: StorageOwner, video: Video, resolved: ResolvedVisuals): Promise<string> {
  const { bRolls } = await getTimelines(video, ['bRolls'])
  return storeTimeline(owner, 'bRolls', mergeResolvedMedia(bRolls, resolved))
}
