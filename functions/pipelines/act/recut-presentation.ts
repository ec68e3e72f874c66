/** Cuts a presentation again from its current transcript and replaces the scenes. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { refuseTranscript } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { refuseNotPresentation } from '../../../lib/domain/videos/kind.ts'
import { step, syncJobInput } from '../../../lib/pipelines/step.ts'
import { claimSyncJobAttempt } from '../../../lib/store/sync-jobs.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { cutPresentation, wordsFromCaptions } from '../../../lib/use-cases/generation/cut-presentation.ts'
import { completeSyncJob } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'

export const handler = step(syncJobInput, 'visuals-failed', async (jobKey) =>
  completeSyncJob(await claimSyncJobAttempt(jobKey, jobKey.runId), async (video) => {
    refuseNotPresentation(video)
    const [workspace, { captions }] = await Promise.all([
      getWorkspace(jobKey.workspaceId),
      getTimelines(video, ['captions']),
    ])
    refuseTranscript(captions)
    const owner = { workspace, videoId: video.id }
    const scenes = await cutPresentation(owner, video, wordsFromCaptions(captions), jobKey.runId)
    const presentationScenes = await storeTimeline(owner, 'presentationScenes', scenes)
    return { decision: replaceTimelines(video, { presentationScenes }, now()), answer: scenes }
  }),
)
