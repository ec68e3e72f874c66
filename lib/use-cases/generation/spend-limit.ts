/** Has vendors make what edited scenes lack, within what renders of a video may buy in a day. */
import { now } from '../../clock.ts'
import { countPurchases, holdPurchases } from '../../domain/generation/scenes/spend-limit.ts'
import type { Purchase, Video } from '../../domain/records/video.ts'
import { changeVideo, type Run, videoOfRun } from '../videos/change-video.ts'

/** `left` tells how many are still to be bought. What was bought is counted also where the work fails after it. */
export async function withinPurchases<Made>(
  run: Run,
  kind: Purchase,
  left: () => number | Promise<number>,
  make: () => Promise<Made>,
): Promise<Made> {
  const wanted = await left()
  if (wanted === 0) return make()
  const account = { ...run, videoId: (await accountOf(run)).id }
  await changeVideo(account, (video) => holdPurchases(video, kind, run.runId, wanted, now()))
  try {
    return await make()
  } finally {
    const lacking = await left()
    await changeVideo(account, (video) => countPurchases(video, kind, run.runId, lacking, now()))
  }
}

/** The video where it is counted: a clip costs nothing either, so that it counts as the video that it was made from. */
async function accountOf({ workspaceId, videoId }: Omit<Run, 'runId'>): Promise<Video> {
  const video = await videoOfRun(workspaceId, videoId)
  return video.parentVideoId === null ? video : accountOf({ workspaceId, videoId: video.parentVideoId })
}
