/** Verifies that the render task has committed its result. */

import { isOpen } from '../../../lib/domain/core/states.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { loadRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'render-failed', async ({ workspaceId, videoId, runId }) => {
  const { render } = await loadRunVideo(workspaceId, videoId)
  if (render?.runId === runId && isOpen(render)) throw new Error(`The render task of run ${runId} left no result.`)
})
