/**
 * Splits the script of an ai video into scenes with narrations and picture prompts. Scenes that the client edited stay.
 */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { deterministicId } from '../../../lib/domain/core/id.ts'
import { requireVoice } from '../../../lib/domain/generation/narration.ts'
import type { ScenePrompts, WrittenScenes } from '../../../lib/domain/generation/scenes/scene-script.ts'
import {
  buildScenes,
  canReuseScenes,
  rulePrompts,
  splitIntoNarrations,
  ugcPrompts,
} from '../../../lib/domain/generation/scenes/scene-script.ts'
import { stageProgress } from '../../../lib/domain/records/jobs.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugcSubType } from '../../../lib/domain/videos/kind.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { chooseWriter } from '../../../lib/providers/choose/writer.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefactRef })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  await reportProgress(video, 'process', run, { progress: stageProgress.scenes, statusText: 'Writing the scenes' })
  const owner = { workspace, videoId: video.id }
  const written = await scenesFor(owner, video, script.key)
  const key = artefactKey(owner, 'plans', written, 'json')
  await storeJson(owner, key, written)
  return { key }
})

async function scenesFor(owner: StorageOwner, video: Video, scriptKey: string): Promise<WrittenScenes> {
  const before = canReuseScenes(video, scriptKey) ? (await getTimelines(video, ['scenes'])).scenes : []
  if (before.length > 0) return { scenes: before, isNew: false }
  const script = await getJson<Script>(scriptKey)
  const narrations = splitIntoNarrations(script.text)
  const prompts = await promptsFor(owner, video, script.title, narrations)
  // Deterministic ids: the same script has the same scenes after a requeue.
  const scenes = buildScenes(narrations, prompts, video, (index) => deterministicId('scn', scriptKey, String(index)))
  return { scenes, isNew: true }
}

/** By the writer where it supports this, once; else by rules. A ugc video shows the speaker only. */
async function promptsFor(
  owner: StorageOwner,
  video: Video,
  title: string,
  narrations: string[],
): Promise<ScenePrompts[]> {
  const { mood, brief, subType } = video
  if (subType === ugcSubType) return ugcPrompts(narrations, video, requireVoice(brief, await loadVoices()))
  const byRule = rulePrompts(title, narrations, video)
  const writer = await chooseWriter()
  if (!writer.writeScenePrompts) return byRule
  const input = { title, narrations, mood, character: brief.characterDescription, style: brief.customStyleText }
  const key = artefactKey(owner, 'scripts', [writer.id, 'staged', input], 'json')
  await storeOnce(owner, key, 'application/json', async () =>
    Buffer.from(JSON.stringify(await writer.writeScenePrompts!(input))),
  )
  const written = await getJson<(ScenePrompts | null)[]>(key)
  return byRule.map((ruled, index) => written[index] ?? ruled)
}
