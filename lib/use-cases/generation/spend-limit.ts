/**
 * Enforces the daily spend limit for what renders of a video buy from vendors for edited scenes. Called by the steps of
 * the render pipeline that narrate and animate scenes.
 */
import { now } from '../../clock.ts'
import { capturePurchases, reservePurchases } from '../../domain/generation/scenes/spend-limit.ts'
import type { PurchaseKind, Video } from '../../domain/records/video.ts'
import { changeVideo, loadRunVideo, type RunRef } from '../videos/change-video.ts'

/** `remaining`: how many are still to be bought. Purchases are counted also where `make` fails after them. */
export async function withSpendLimit<Result>(
  run: RunRef,
  kind: PurchaseKind,
  remaining: () => number | Promise<number>,
  make: () => Promise<Result>,
): Promise<Result> {
  const wanted = await remaining()
  if (wanted === 0) return make()
  const charged = { ...run, videoId: (await videoToCharge(run)).id }
  await changeVideo(charged, (video) => reservePurchases(video, kind, run.runId, wanted, now()))
  try {
    return await make()
  } finally {
    const missing = await remaining()
    await changeVideo(charged, (video) => capturePurchases(video, kind, run.runId, missing, now()))
  }
}

/**
 * The video that the purchases count for: clips are free of charge, so theirs count for the video that they were made
 * from.
 */
async function videoToCharge({ workspaceId, videoId }: Omit<RunRef, 'runId'>): Promise<Video> {
  const video = await loadRunVideo(workspaceId, videoId)
  return video.parentVideoId === null ? video : videoToCharge({ workspaceId, videoId: video.parentVideoId })
}
