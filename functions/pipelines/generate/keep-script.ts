/** Ends a run that wrote a script and nothing else: it lands in the brief. */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { keepScript } from '../../../lib/domain/generation/script-job.ts'
import { artefact, runInput, step } from '../../../lib/pipelines/step.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({ ...runInput.entries, script: artefact })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const written = await getJson<Script>(script.key)
  await changeVideo(run, (video) => keepScript(video, run.runId, written, now()))
})
