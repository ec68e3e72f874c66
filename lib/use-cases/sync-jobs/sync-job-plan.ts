/** A sync job with its checks and its price, as its route and its quote need it. */
import type { Video } from '../../domain/records/video.ts'
import type { SyncJobClaim } from '../../domain/videos/sync-job-transitions.ts'
import type { Price } from '../../domain/workspaces/price.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { getVideo } from '../../store/videos.ts'

export interface SyncJobPlan extends Omit<SyncJobClaim, 'idempotencyScope'> {
  /** Refuses a job that the video does not allow; before any charge. */
  check: (video: Video) => void | Promise<void>
  /** `seconds`: what a presenter speaks. */
  price: (workspace: Workspace, video: Video, now: string) => SyncJobPrice | Promise<SyncJobPrice>
}

type SyncJobPrice = Price & { seconds?: number }

/** The price of a job, with the refusals of its request. */
export async function priceSyncJob(
  workspace: Workspace,
  videoId: string,
  { check, price }: SyncJobPlan,
  now: string,
): Promise<SyncJobPrice> {
  const video = await getVideo(workspace.id, videoId)
  await check(video)
  return price(workspace, video, now)
}
