/**
 * The daily spend limit of edited scenes. Edits are free for clients, but renders buy new narrations and clips from vendors:
 * limited by kind, per video and day (UTC).
 */

import { JobFailure } from '../../core/failures.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { DailyPurchases, PurchaseKind, Video } from '../../records/video.ts'
import { updateVideo } from '../../videos/update-video.ts'
import { scenesMax } from './scenes.ts'

/** Every possible scene of a video, once a day. */
export const purchasesPerDayMax = scenesMax

const failureOf = { sounds: 'voice-failed', clips: 'visuals-failed' } as const

function purchasesOn({ purchases }: Pick<Video, 'purchases'>, now: string): DailyPurchases {
  const day = now.slice(0, 10)
  return purchases?.day === day ? purchases : { day, sounds: 0, clips: 0 }
}

const nameOf = (kind: PurchaseKind, runId: string) => `${kind}#${runId}`

/**
 * Reserves what a run is about to buy, so that concurrent runs cannot exceed the limit together. Fails a render that would
 * exceed it. What a crashed run had reserved counts as bought, except for what its retry still wants.
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
  const heldByOthers = Object.entries(others).filter(([name]) => name.startsWith(nameOf(kind, '')))
  const used = heldByOthers.reduce((sum, [, count]) => sum + count, bought)
  if (used + wanted > purchasesPerDayMax)
    throw new JobFailure(
      failureOf[kind],
      `The edited scenes need ${wanted} new ${kind}; ${used} of ${purchasesPerDayMax} were made today. Render again tomorrow.`,
    )
  const purchases = { ...before, [kind]: bought, held: { ...others, [nameOf(kind, runId)]: wanted } }
  return updateVideo(video, { ...video, purchases }, now)
}

/** Records what a run bought of its reservation, whether or not its render succeeded; `remaining` was not bought. */
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
