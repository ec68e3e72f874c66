/** Puts what was made on the record: captions in the voice's timing, b-roll segments with their media. */
import * as v from 'valibot'
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson, putObject } from '../../../lib/aws/media.ts'
import { putTimeline } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { idFromCause } from '../../../lib/domain/id.ts'
import type { NarrationFacts } from '../../../lib/domain/narration.ts'
import { tailMs } from '../../../lib/domain/narration.ts'
import { pagesOf, webVtt, wordsOf } from '../../../lib/domain/timelines/captions.ts'
import { completeProcess } from '../../../lib/domain/video-jobs.ts'
import type { MadeVisuals } from '../../../lib/domain/visual-plan.ts'
import { madeVisualsKey } from '../../../lib/domain/visual-plan.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

const input = v.object({ ...runInput.entries, script: artefact, narration: artefact, visuals: artefact })

export const handler = step(input, 'visuals-failed', async ({ script, narration, visuals, ...run }) => {
  const video = await videoOfOpenRun(run, 'process')
  const [workspace, { title }, { audioKey, durationMs, words }, bRolls] = await Promise.all([
    getWorkspace(run.workspaceId),
    getJson<Script>(script.key),
    getJson<NarrationFacts>(narration.key),
    getJson<MadeVisuals>(madeVisualsKey(visuals.key)),
  ])
  const transcribe = video.process?.wishes.transcribe ?? true
  const captions = transcribe ? wordsOf(words, (index) => idFromCause('cap', run.runId, String(index))) : []
  const captionsPages = pagesOf(captions, (index) => idFromCause('pag', run.runId, String(index)))
  const captionsKey = transcribe ? artefactKey(workspace, 'subtitles', captions, 'vtt') : null
  if (captionsKey) await putObject(captionsKey, Buffer.from(webVtt(captions, captionsPages)), 'text/vtt; charset=utf-8')
  const timelines = {
    captions: await putTimeline(workspace, 'captions', captions),
    captionsPages: await putTimeline(workspace, 'captionsPages', captionsPages),
    bRolls: await putTimeline(workspace, 'bRolls', bRolls),
  }
  const made = { title, durationSeconds: (durationMs + tailMs) / 1000, audioKey, captionsKey, timelines }
  await changeVideo(run, (current) => completeProcess(workspace, current, run.runId, made, now()))
})
