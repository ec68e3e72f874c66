/** Decides what is seen and when. */
import * as v from 'valibot'
import { videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson, putJson } from '../../../lib/aws/media.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { idFromCause } from '../../../lib/domain/id.ts'
import type { NarrationFacts } from '../../../lib/domain/narration.ts'
import { tailMs } from '../../../lib/domain/narration.ts'
import type { VisualPlan } from '../../../lib/domain/visual-plan.ts'
import { planVisuals } from '../../../lib/domain/visuals.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

const input = v.object({ ...runInput.entries, narration: artefact })

export const handler = step(input, 'visuals-failed', async ({ narration, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: 40, statusText: 'Planning the visuals' })
  const { words, durationMs } = await getJson<NarrationFacts>(narration.key)
  const plan: VisualPlan = planVisuals({
    words,
    durationMs: durationMs + tailMs,
    brief: video.brief,
    mood: video.mood,
    seed: video.id,
    addBRolls: video.process?.wishes.addBRolls ?? true,
    idOf: (index) => idFromCause('brl', run.runId, String(index)),
  })
  const key = artefactKey(workspace, 'plans', plan, 'json')
  await putJson(key, plan)
  return { key }
})
