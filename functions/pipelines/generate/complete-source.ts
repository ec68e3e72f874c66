/** Puts a source file on the record: the file that is shown, its sound, its length, and what is said in it where that is known. */
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepCaptions } from '../../../lib/actions/keep-captions.ts'
import { transcriberIdFor } from '../../../lib/actions/providers/transcriber-id.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { now } from '../../../lib/clock.ts'
import type { SourceFacts } from '../../../lib/domain/source.ts'
import { sourceFactsKey } from '../../../lib/domain/source.ts'
import { completeProcess } from '../../../lib/domain/video-jobs.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'transcription-failed', async (run) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  const owner = { workspace, videoId: video.id }
  const source = await getJson<SourceFacts>(sourceFactsKey(owner, video.media.sourceKey ?? '', transcriberIdFor(video)))
  // Captions that a client wrote are worth more than none.
  const isHeard = video.process?.wishes.transcribe && source.words.length > 0
  const { words, durationMs: videoMs } = source
  const captions = isHeard
    ? await keepCaptions(owner, words, { cause: run.runId, mood: video.mood, videoMs })
    : { timelines: {} }
  await changeVideo(run, (current) => {
    const thumbnailKey = current.media.thumbnailKey ?? source.thumbnailKey
    const made = {
      title: current.title,
      durationSeconds: videoMs / 1000,
      audioKey: source.audioKey,
      ...captions,
      source: { sourceKey: source.sourceKey, thumbnailKey },
    }
    return completeProcess(workspace, current, run.runId, made, now())
  })
})
