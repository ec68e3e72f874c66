/** Puts the scenes of an ai video on the record, with their pictures, the sound and the captions of the whole. */
import * as v from 'valibot'
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepTimeline } from '../../../lib/actions/keep.ts'
import { keepCaptions } from '../../../lib/actions/keep-captions.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { now } from '../../../lib/clock.ts'
import { withPictures } from '../../../lib/domain/scene-script.ts'
import type { SpokenScenes } from '../../../lib/domain/soundtrack.ts'
import { completeProcess } from '../../../lib/domain/video-jobs.ts'
import type { MadeVisuals } from '../../../lib/domain/visual-plan.ts'
import { madeVisualsKey } from '../../../lib/domain/visual-plan.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

const visuals = v.object({ ...artefact.entries, spokenKey: v.string() })
const input = v.object({ ...runInput.entries, script: artefact, visuals })

export const handler = step(input, 'visuals-failed', async ({ script, visuals, ...run }) => {
  const video = await videoOfOpenRun(run, 'process')
  const [workspace, { title }, { scenes, soundtrack }, pictures] = await Promise.all([
    getWorkspace(run.workspaceId),
    getJson<Script>(script.key),
    getJson<SpokenScenes>(visuals.spokenKey),
    getJson<MadeVisuals>(madeVisualsKey(visuals.key)),
  ])
  const transcribe = video.process?.wishes.transcribe ?? true
  const owner = { workspace, videoId: video.id }
  const captions = transcribe ? await keepCaptions(owner, soundtrack.words, run.runId, video.mood) : { timelines: {} }
  const scenesKey = await keepTimeline(owner, 'scenes', withPictures(scenes, pictures))
  const made = {
    title,
    durationSeconds: soundtrack.durationMs / 1000,
    audioKey: soundtrack.audioKey,
    ...captions,
    timelines: { ...captions.timelines, scenes: scenesKey },
  }
  await changeVideo(run, (current) => completeProcess(workspace, current, run.runId, made, now()))
})
