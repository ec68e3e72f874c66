/**
 * Commits the scenes of an ai video with their pictures, the soundtrack and the captions. Where they are not made yet, a
 * task has left an order that a vendor still processes.
 */
import * as v from 'valibot'
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { pictureCheck } from '../../../lib/domain/generation/quality/checks.ts'
import { scenesResultKey } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { creditsOf } from '../../../lib/domain/records/attribution.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import { completeProcess } from '../../../lib/domain/videos/complete-job.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { checkExistingCaptions, storeCaptions } from '../../../lib/use-cases/generation/store-captions.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefactRef, visuals: artefactRef })

export const handler = step(input, 'visuals-failed', async ({ script, visuals, ...run }) => {
  const video = await loadOpenRunVideo(run, 'process')
  if (!(await hasObject(scenesResultKey(visuals.key)))) return { outcome: 'pending' }
  const [workspace, { title, writtenBy, sources }, { soundtrack, isNew }, scenes] = await Promise.all([
    getWorkspace(run.workspaceId),
    getJson<Script>(script.key),
    getJson<SpokenScenes>(visuals.key),
    getJson<StoredScene[]>(scenesResultKey(visuals.key)),
  ])
  const transcribe = video.process?.wishes.transcribe ?? true
  const owner = { workspace, videoId: video.id }
  const { durationMs: videoMs, words, checks = [] } = soundtrack
  const captions = transcribe
    ? await storeCaptions(owner, words, { cause: run.runId, mood: video.mood, videoMs })
    : { timelines: {}, checks: await checkExistingCaptions(video, soundtrack.audioKey, videoMs) }
  const scenesKey = await storeTimeline(owner, 'scenes', scenes)
  const result = {
    title,
    script: { key: script.key, writtenBy },
    durationSeconds: videoMs / 1000,
    audioKey: soundtrack.audioKey,
    ...captions,
    // Each picture was checked before it was stored.
    checks: [...checks, ...captions.checks, pictureCheck(0)],
    // The pictures of scenes are made, not found.
    credits: creditsOf(sources),
    ...(isNew ? { plannedScenes: { scenes: scenesKey, script: script.key } } : {}),
    timelines: { ...captions.timelines, scenes: scenesKey },
  }
  await changeVideo(run, (current) => completeProcess(workspace, current, run.runId, result, now()))
  return { outcome: 'done' }
})
