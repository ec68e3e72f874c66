/**
 * Narrates the script, unless the video has that narration already; stores the timing of the words beside the sound.
 */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import type { NarrationFacts } from '../../../lib/domain/generation/narration.ts'
import {
  narrationFactsKey,
  narrationKey,
  refuseLongNarration,
  refuseLongScript,
  requireVoice,
} from '../../../lib/domain/generation/narration.ts'
import { stageProgress } from '../../../lib/domain/records/jobs.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { reportPaidStep, reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { ensureNarration } from '../../../lib/use-cases/generation/ensure-narration.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefactRef })

export const handler = step(input, 'voice-failed', async ({ script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  await reportProgress(video, 'process', run, { progress: stageProgress.voice, statusText: 'Speaking the script' })
  const { text } = await getJson<Script>(script.key)
  const key = await narrationFactsFor(workspace, video, text)
  // The narration that the video has was paid for by an earlier generation.
  if (!isNarrationOf(video, key)) await reportPaidStep(video, run, 'voice')
  const { durationMs } = await getJson<NarrationFacts>(key)
  refuseLongNarration(workspace, video.brief, durationMs / 1000)
  return { key }
})

const isNarrationOf = ({ media }: Video, factsKey: string) =>
  media.audioKey !== null && narrationFactsKey(media.audioKey) === factsKey

/** The key of the facts of the narration. */
async function narrationFactsFor(workspace: Workspace, video: Video, text: string): Promise<string> {
  const key = narrationKey(contentOwner(workspace, video), text, video.brief.voiceId)
  if (isNarrationOf(video, key)) return key
  refuseLongScript(video.brief, text)
  return ensureNarration({ workspace, videoId: video.id }, text, requireVoice(video.brief, await loadVoices()))
}
