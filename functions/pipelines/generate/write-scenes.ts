/** Tells the script of an ai video in scenes: what is spoken and what is seen in each. */
import * as v from 'valibot'
import { videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepJson } from '../../../lib/actions/keep.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { idFromCause } from '../../../lib/domain/id.ts'
import { stageProgress } from '../../../lib/domain/job-stage.ts'
import { narrationsOf, scenesOf } from '../../../lib/domain/scene-script.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

const input = v.object({ ...runInput.entries, script: artefact })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: stageProgress.scenes, statusText: 'Writing the scenes' })
  const { text } = await getJson<Script>(script.key)
  const scenes = scenesOf(narrationsOf(text), video, (index) => idFromCause('scn', run.runId, String(index)))
  const owner = { workspace, videoId: video.id }
  const key = artefactKey(owner, 'plans', scenes, 'json')
  await keepJson(owner, key, scenes)
  return { key }
})
