/** Completes a run that wrote only a script: stores it in the brief. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { completeScript } from '../../../lib/domain/generation/script-job.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import { artefactRef, runInput, step } from '../../../lib/pipelines/step.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefactRef })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const { title, text } = await getJson<Script>(script.key)
  await changeVideo(run, (video) => completeScript(video, run.runId, { key: script.key, title, text }, now()))
})
