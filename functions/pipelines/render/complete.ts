/** The render task commits its own result; this only makes sure that it did. */

import { isOpen } from '../../../lib/domain/core/states.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { loadRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'render-failed', async ({ workspaceId, videoId, runId }) => {
  const { render } = await loadRunVideo(workspaceId, videoId)
  if (render?.runId === runId && isOpen(render)) throw new Error(`The render task of run ${runId} left no result.`)
})
