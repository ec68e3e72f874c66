/** Preconditions for tests of wake-ups. */
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { newWorld, videoInputOf } from '../world.ts'

/** A video that was accepted this many seconds ago, in a new workspace on the plan `free`, whose wake-ups were lost. */
export async function givenUndispatchedVideo(secondsAgo: number) {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const at = secondsAfter(now(), -secondsAgo)
  const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
  await commit(createVideo(await getWorkspace(workspaceId), videoInputOf({ text: '…' }), ids, at))
  return { workspaceId, ...ids, at }
}
