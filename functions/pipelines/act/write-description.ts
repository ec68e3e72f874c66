/** Writes the caption of a video and stores it with its prompt. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { withCredits } from '../../../lib/domain/records/attribution.ts'
import { freeTextLengthMax } from '../../../lib/domain/records/brief.ts'
import { setDescription } from '../../../lib/domain/videos/edits.ts'
import { step, syncJobInput } from '../../../lib/pipelines/step.ts'
import { chooseWriter } from '../../../lib/providers/choose/writer.ts'
import { claimSyncJobAttempt } from '../../../lib/store/sync-jobs.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { completeSyncJob } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'

export const handler = step(syncJobInput, 'script-failed', async (jobKey) => {
  const job = await claimSyncJobAttempt(jobKey, jobKey.runId)
  const [workspace, video, writer] = await Promise.all([
    getWorkspace(jobKey.workspaceId),
    getVideo(jobKey.workspaceId, jobKey.videoId),
    chooseWriter(),
  ])
  const { captions } = await getTimelines(video, ['captions'])
  const { brief, title } = video
  const prompt = typeof job.input.prompt === 'string' ? job.input.prompt : brief.descriptionPrompt
  const spoken = captions.map(({ punctuated_word }) => punctuated_word).join(' ')
  const input = { title, text: spoken || brief.text || brief.prompt || '', prompt, language: brief.language }
  const owner = { workspace, videoId: video.id }
  // Keyed by the run: a retry is not charged again, another request gets another caption.
  const key = artefactKey(owner, 'scripts', [writer.id, jobKey.runId, input], 'json')
  await storeOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await writer.describe(input))))
  const description = withCredits(
    await getJson<string>(key),
    video.credits ?? [],
    (text) => text.length <= freeTextLengthMax,
  )
  await completeSyncJob(job, (current) => ({
    decision: setDescription(current, description, prompt, now()),
    answer: { videoId: current.id, description },
  }))
})
