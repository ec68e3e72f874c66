/**
 * What renders may buy. An edit of a scene costs its client nothing, and the deployment what its vendors take for the new sound and
 * the new clip: so many a day (UTC) and video, each kind apart.
 */

import { JobFailure } from '../../core/failures.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { DailyPurchases, PurchaseKind, Video } from '../../records/video.ts'
import { updateVideo } from '../../videos/update-video.ts'
import { scenesMax } from './scenes.ts'

/** Once a day each scene that a video can have. */
export const purchasesPerDayMax = scenesMax

const failureOf = { sounds: 'voice-failed', clips: 'visuals-failed' } as const

function purchasesOn({ purchases }: Pick<Video, 'purchases'>, now: string): DailyPurchases {
  const day = now.slice(0, 10)
  return purchases?.day === day ? purchases : { day, sounds: 0, clips: 0 }
}

const nameOf = (kind: PurchaseKind, runId: string) => `${kind}#${runId}`

/**
 * Holds what a run is about to buy, before anything is bought: of several that ask at once none finds the room of another. Ends a render
 * that would have more bought than a day allows. What a run held when it died it has bought, as far as it does not want it any more.
 */
export function reservePurchases(
  video: Video,
  kind: PurchaseKind,
  runId: string,
  wanted: number,
  now: string,
): VideoDecision {
  const { held = {}, ...before } = purchasesOn(video, now)
  const { [nameOf(kind, runId)]: mine = 0, ...others } = held
  const bought = before[kind] + Math.max(mine - wanted, 0)
  const beside = Object.entries(others).filter(([name]) => name.startsWith(nameOf(kind, '')))
  const taken = beside.reduce((sum, [, count]) => sum + count, bought)
  if (taken + wanted > purchasesPerDayMax)
    throw new JobFailure(
      failureOf[kind],
      `The edited scenes need ${wanted} new ${kind}; ${taken} of ${purchasesPerDayMax} were made today. Render again tomorrow.`,
    )
  const purchases = { ...before, [kind]: bought, held: { ...others, [nameOf(kind, runId)]: wanted } }
  return updateVideo(video, { ...video, purchases }, now)
}

/** Counts what a run bought of what it held, whatever became of its render. `left`: what it still lacks. */
export function capturePurchases(
  video: Video,
  kind: PurchaseKind,
  runId: string,
  remaining: number,
  now: string,
): VideoDecision {
  const { held = {}, ...before } = purchasesOn(video, now)
  const { [nameOf(kind, runId)]: mine = 0, ...others } = held
  const bought = before[kind] + Math.max(mine - remaining, 0)
  const isLast = Object.keys(others).length === 0
  const purchases = { ...before, [kind]: bought, ...(!isLast && { held: others }) }
  return updateVideo(video, { ...video, purchases }, now)
}
