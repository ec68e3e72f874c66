/** Runs the jobs that need no container, state by state as the state machine does: the tests' service does not start them. */
import { handler as begin } from '../../functions/pipelines/generate/begin.ts'
import { handler as completeClip } from '../../functions/pipelines/generate/complete-clip.ts'
import { handler as keepScript } from '../../functions/pipelines/generate/keep-script.ts'
import { handler as writeScript } from '../../functions/pipelines/generate/write-script.ts'
import { getVideo } from '../../lib/store/videos.ts'
import type { World } from './world.ts'

export async function runOf({ workspaceId }: Pick<World, 'workspaceId'>, videoId: string) {
  const { process } = await getVideo(workspaceId, videoId)
  return { workspaceId, videoId, runId: process!.runId }
}

/** Ends the open script job of a video. */
export async function runScriptJob(world: Pick<World, 'workspaceId'>, videoId: string): Promise<void> {
  const run = await runOf(world, videoId)
  await begin(run)
  await keepScript({ ...run, script: await writeScript(run) })
}

/** Ends the open job of a clip that shows what its source shows. */
export async function runClipJob(world: Pick<World, 'workspaceId'>, videoId: string): Promise<void> {
  const run = await runOf(world, videoId)
  await begin(run)
  await completeClip(run)
}
