/** Has vendors make what edited scenes lack, within what renders of a video may buy in a day. */
import { now } from '../../clock.ts'
import { capturePurchases, reservePurchases } from '../../domain/generation/scenes/spend-limit.ts'
import type { PurchaseKind, Video } from '../../domain/records/video.ts'
import { changeVideo, loadRunVideo, type RunRef } from '../videos/change-video.ts'

/** `left` tells how many are still to be bought. What was bought is counted also where the work fails after it. */
export async function withSpendLimit<Made>(
  run: RunRef,
  kind: PurchaseKind,
  remaining: () => number | Promise<number>,
  make: () => Promise<Made>,
): Promise<Made> {
  const wanted = await remaining()
  if (wanted === 0) return make()
  const account = { ...run, videoId: (await videoToCharge(run)).id }
  await changeVideo(account, (video) => reservePurchases(video, kind, run.runId, wanted, now()))
  try {
    return await make()
  } finally {
    const lacking = await remaining()
    await changeVideo(account, (video) => capturePurchases(video, kind, run.runId, lacking, now()))
  }
}

/** The video where it is counted: a clip costs nothing either, so that it counts as the video that it was made from. */
async function videoToCharge({ workspaceId, videoId }: Omit<RunRef, 'runId'>): Promise<Video> {
  const video = await loadRunVideo(workspaceId, videoId)
  return video.parentVideoId === null ? video : videoToCharge({ workspaceId, videoId: video.parentVideoId })
}
