/** Makes the segments of a converted video from its scenes, each where it is in the film, and turns the record over. */
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepTimeline } from '../../../lib/actions/keep.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { completeConversion } from '../../../lib/domain/conversion.ts'
import { narrationFactsKey } from '../../../lib/domain/narration.ts'
import type { Soundtrack } from '../../../lib/domain/soundtrack.ts'
import { segmentsOf } from '../../../lib/domain/timelines/scenes.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'visuals-failed', async (run) => {
  await videoOfOpenRun(run, 'process')
  const workspace = await getWorkspace(run.workspaceId)
  await changeVideo(run, async (video) => {
    const { audioKey } = video.media
    if (!audioKey) throw new Error(`The ai video ${video.id} has no sound.`)
    const [{ scenes }, { places }] = await Promise.all([
      getTimelines(video, ['scenes']),
      getJson<Soundtrack>(narrationFactsKey(audioKey)),
    ])
    const segments = segmentsOf(scenes, places)
    const key = await keepTimeline({ workspace, videoId: video.id }, 'bRolls', segments)
    return completeConversion(video, run.runId, key, now())
  })
})
