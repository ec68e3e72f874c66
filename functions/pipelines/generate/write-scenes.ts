/** Tells the script of an ai video in scenes: what is spoken and what is seen in each. Scenes that a client edited stay. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { idFromCause } from '../../../lib/domain/core/id.ts'
import { stageProgress } from '../../../lib/domain/generation/failure-stage.ts'
import { narratorOf } from '../../../lib/domain/generation/narration.ts'
import type { Staged, WrittenScenes } from '../../../lib/domain/generation/scenes/scene-script.ts'
import {
  keepsScenes,
  narrationsOf,
  scenesOf,
  stagedByRule,
  stagedWithPerson,
} from '../../../lib/domain/generation/scenes/scene-script.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugc } from '../../../lib/domain/videos/kind.ts'
import { artefact, runInput, step } from '../../../lib/pipelines/step.ts'
import { theVoices } from '../../../lib/providers/choose/voices.ts'
import { theWriter } from '../../../lib/providers/choose/writer.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepJson, keepOnce, type Owner } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { videoOfOpenRun } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefact })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: stageProgress.scenes, statusText: 'Writing the scenes' })
  const owner = { workspace, videoId: video.id }
  const written = await scenesFor(owner, video, script.key)
  const key = artefactKey(owner, 'plans', written, 'json')
  await keepJson(owner, key, written)
  return { key }
})

async function scenesFor(owner: Owner, video: Video, scriptKey: string): Promise<WrittenScenes> {
  const before = keepsScenes(video, scriptKey) ? (await getTimelines(video, ['scenes'])).scenes : []
  if (before.length > 0) return { scenes: before, isNew: false }
  const script = await getJson<Script>(scriptKey)
  const narrations = narrationsOf(script.text)
  const staged = await stage(owner, video, script.title, narrations)
  // The same script has the same scenes, so that a client finds them again after a requeue.
  const scenes = scenesOf(narrations, staged, video, (index) => idFromCause('scn', scriptKey, String(index)))
  return { scenes, isNew: true }
}

/** By a writer that can, and once; else by rules. In a ugc video there is nothing to see but who speaks. */
async function stage(owner: Owner, video: Video, title: string, narrations: string[]): Promise<Staged[]> {
  const { mood, brief, subType } = video
  if (subType === ugc) return stagedWithPerson(narrations, video, narratorOf(brief, await theVoices()))
  const byRule = stagedByRule(title, narrations, video)
  const writer = await theWriter()
  if (!writer.stage) return byRule
  const wish = { title, narrations, mood, character: brief.characterDescription, style: brief.customStyleText }
  const key = artefactKey(owner, 'scripts', [writer.id, 'staged', wish], 'json')
  await keepOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await writer.stage!(wish))))
  const written = await getJson<(Staged | null)[]>(key)
  return byRule.map((ruled, index) => written[index] ?? ruled)
}
