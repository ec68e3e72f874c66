/**
 * What renders may buy. An edit of a scene costs its client nothing, and the deployment what its vendors take for the new sound and
 * the new clip: so many a day (UTC) and video, each kind apart.
 */
import type { VideoDecision } from './decision.ts'
import { JobFailure } from './job.ts'
import { scenesMax } from './timelines/scenes.ts'
import type { Video } from './video.ts'
import { changed } from './video-change.ts'

export type Purchase = 'sounds' | 'clips'

/** What renders of one day have bought for a video and its clips. */
export type Purchases = { day: string } & Record<Purchase, number>

/** Once a day each scene that a video can have. */
export const purchasesPerDayMax = scenesMax

const failureOf = { sounds: 'voice-failed', clips: 'visuals-failed' } as const

function purchasesOn({ purchases }: Pick<Video, 'purchases'>, now: string): Purchases {
  const day = now.slice(0, 10)
  return purchases?.day === day ? purchases : { day, sounds: 0, clips: 0 }
}

/** Ends a render that would have more bought than a day allows; nothing is bought of it. */
export function refusePurchases(video: Pick<Video, 'purchases'>, kind: Purchase, wanted: number, now: string): void {
  const bought = purchasesOn(video, now)[kind]
  if (bought + wanted > purchasesPerDayMax)
    throw new JobFailure(
      failureOf[kind],
      `The edited scenes need ${wanted} new ${kind}; ${bought} of ${purchasesPerDayMax} were made today. Render again tomorrow.`,
    )
}

/** Counts what was bought, whatever became of its render. */
export function purchased(video: Video, kind: Purchase, count: number, now: string): VideoDecision {
  const before = purchasesOn(video, now)
  return changed(video, { ...video, purchases: { ...before, [kind]: before[kind] + count } }, now)
}
