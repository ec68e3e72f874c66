/** Speaks each scene by itself, and gives new ones the time that they take. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { isSpoken } from '../../../lib/domain/core/text.ts'
import { stageProgress } from '../../../lib/domain/generation/failure-stage.ts'
import { narratorOf, refuseLongNarration, refuseLongText } from '../../../lib/domain/generation/narration.ts'
import { timed, type WrittenScenes } from '../../../lib/domain/generation/scenes/scene-script.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import { artefact, runInput, step } from '../../../lib/pipelines/step.ts'
import { theVoices } from '../../../lib/providers/choose/voices.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { keepSoundtrack, speakScenes, spokenMs } from '../../../lib/use-cases/generation/ensure-narration.ts'
import { videoOfOpenRun } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, scenes: artefact })

export const handler = step(input, 'voice-failed', async ({ scenes: { key: scenesKey }, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: stageProgress.voice, statusText: 'Speaking the scenes' })
  const owner = { workspace, videoId: video.id }
  const voice = narratorOf(video.brief, await theVoices())
  const { scenes: written, isNew } = await getJson<WrittenScenes>(scenesKey)
  if (!written.some(({ narration }) => isSpoken(narration)))
    throw new JobFailure('voice-failed', 'The text holds nothing that can be spoken.')
  refuseLongText(video.brief, written.map(({ narration }) => narration).join(' '))
  const spoken = await speakScenes(owner, written, voice, contentOwner(workspace, video))
  const scenes = isNew ? timed(written, spokenMs(spoken)) : written
  const soundtrack = await keepSoundtrack(owner, scenes, spoken, voice)
  refuseLongNarration(workspace, video.brief, soundtrack.durationMs / 1000)
  const told: SpokenScenes = { scenes, soundtrack, isNew }
  const key = artefactKey(owner, 'plans', told, 'json')
  await keepJson(owner, key, told)
  return { key }
})
