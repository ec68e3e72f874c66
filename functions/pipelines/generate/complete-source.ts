/**
 * Commits the facts of a source file: the file that is shown, its sound, its length, and its transcript where there is
 * one.
 */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import type { SourceFacts } from '../../../lib/domain/generation/source.ts'
import { sourceFactsKey } from '../../../lib/domain/generation/source.ts'
import { completeProcess } from '../../../lib/domain/videos/complete-job.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { transcriberIdFor } from '../../../lib/providers/choose/transcriber-id.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeCaptions } from '../../../lib/use-cases/generation/store-captions.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'transcription-failed', async (run) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  const owner = { workspace, videoId: video.id }
  const source = await getJson<SourceFacts>(sourceFactsKey(owner, video.media.sourceKey ?? '', transcriberIdFor(video)))
  // Without a transcript the captions of the client stay.
  const isHeard = video.process?.wishes.transcribe && source.words.length > 0
  const { words, durationMs: videoMs } = source
  const captions = isHeard
    ? await storeCaptions(owner, words, { cause: run.runId, mood: video.mood, videoMs })
    : { timelines: {} }
  await changeVideo(run, (current) => {
    const thumbnailKey = current.media.thumbnailKey ?? source.thumbnailKey
    const result = {
      title: current.title,
      durationSeconds: videoMs / 1000,
      audioKey: source.audioKey,
      ...captions,
      source: { sourceKey: source.sourceKey, thumbnailKey },
    }
    return completeProcess(workspace, current, run.runId, result, now())
  })
})
