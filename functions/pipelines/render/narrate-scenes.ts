/** Narrates the scenes of an ai video that were edited since, and updates soundtrack, captions and length. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { refuseLongScript, requireVoice } from '../../../lib/domain/generation/narration.ts'
import { applySoundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import { refuseLongVideo } from '../../../lib/domain/workspaces/price.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import {
  countNarrationsToBuy,
  narrateScenes,
  storeSoundtrack,
} from '../../../lib/use-cases/generation/ensure-narration.ts'
import { withSpendLimit } from '../../../lib/use-cases/generation/spend-limit.ts'
import { storeCaptions } from '../../../lib/use-cases/generation/store-captions.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'voice-failed', async (run) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'render')])
  const { scenes } = await getTimelines(video, ['scenes'])
  if (scenes.length === 0) throw new Refusal('warning-source-not-ready', 'This video has no scene that could be shown.')
  const owner = { workspace, videoId: video.id }
  const voice = requireVoice(video.brief, await loadVoices())
  refuseLongScript(video.brief, scenes.map(({ narration }) => narration).join(' '))
  const source = contentOwner(workspace, video)
  const remaining = () => countNarrationsToBuy(owner, scenes, voice, source)
  const narrated = await withSpendLimit(run, 'sounds', remaining, () => narrateScenes(owner, scenes, voice, source))
  const soundtrack = await storeSoundtrack(owner, scenes, narrated, voice)
  refuseLongVideo(workspace, soundtrack.durationMs / 1000)
  const transcribe = video.process?.wishes.transcribe ?? true
  const captions = transcribe
    ? await storeCaptions(owner, soundtrack.words, {
        cause: run.runId,
        mood: video.mood,
        videoMs: soundtrack.durationMs,
      })
    : undefined
  await changeVideo(run, (current) => applySoundtrack(current, video, run.runId, { soundtrack, captions }, now()))
})
