/** Ends a run that wrote a script and nothing else: it lands in the brief. */
import * as v from 'valibot'
import { changeVideo } from '../../../lib/actions/change-video.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { now } from '../../../lib/clock.ts'
import { keepScript } from '../../../lib/domain/script-job.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'

const input = v.object({ ...runInput.entries, script: artefact })

export const handler = step(input, 'script-failed', async ({ script, ...run }) => {
  const written = await getJson<Script>(script.key)
  await changeVideo(run, (video) => keepScript(video, run.runId, written, now()))
})
