/** Narrates each scene separately; new scenes get the durations of their narrations. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { hasSpeech } from '../../../lib/domain/core/text.ts'
import { refuseLongNarration, refuseLongScript, requireVoice } from '../../../lib/domain/generation/narration.ts'
import { type WrittenScenes, withDurations } from '../../../lib/domain/generation/scenes/scene-script.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { stageProgress } from '../../../lib/domain/records/jobs.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { reportPaidStep, reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import {
  narrateScenes,
  narrationDurationsMs,
  storeSoundtrack,
} from '../../../lib/use-cases/generation/ensure-narration.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, scenes: artefactRef })

export const handler = step(input, 'voice-failed', async ({ scenes: { key: scenesKey }, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  await reportProgress(video, 'process', run, { progress: stageProgress.voice, statusText: 'Speaking the scenes' })
  const owner = { workspace, videoId: video.id }
  const voice = requireVoice(video.brief, await loadVoices())
  const { scenes: written, isNew } = await getJson<WrittenScenes>(scenesKey)
  if (!written.some(({ narration }) => hasSpeech(narration)))
    throw new JobFailure('voice-failed', 'The text holds nothing that can be spoken.')
  refuseLongScript(video.brief, written.map(({ narration }) => narration).join(' '))
  const narrated = await narrateScenes(owner, written, voice, contentOwner(workspace, video))
  const scenes = isNew ? withDurations(written, narrationDurationsMs(narrated)) : written
  const soundtrack = await storeSoundtrack(owner, scenes, narrated, voice)
  if (soundtrack.audioKey !== video.media.audioKey) await reportPaidStep(video, run, 'voice')
  refuseLongNarration(workspace, video.brief, soundtrack.durationMs / 1000)
  const spokenScenes: SpokenScenes = { scenes, soundtrack, isNew }
  const key = artefactKey(owner, 'plans', spokenScenes, 'json')
  await storeJson(owner, key, spokenScenes)
  return { key }
})
