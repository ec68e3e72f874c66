/** Resolves the media of a visual plan: reuse stored objects, list what is missing, merge the result into edited segments. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey, videoIdOfKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import { byId } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import { paidSecondsMax } from '../workspaces/plan.ts'
import type { StoredBRoll } from './b-rolls.ts'
import type { ExistingShot, PlannedShot, VisualRequest } from './plan-visuals.ts'

type Shot = PlannedShot | ExistingShot
export type VisualPlan = Shot[]
/** The segments of a plan with their media: written once all media is stored. */
export type ResolvedVisuals = StoredBRoll[]

/** A container has no return value in its state machine, so the result is stored next to the plan. */
export const visualsResultKey = (planKey: string) => planKey.replace(/\.json$/, '.made.json')

/** The storage key of the author of a collection's clip or still, next to it. */
export const attributionKey = (mediaKey: string) => mediaKey.replace(/\.(?:mp4|png)$/, '.credit.json')

const extensions = { still: 'png', clip: 'mp4' } as const

/** The id of the provider of each kind, which is part of the storage key. */
type VisualProviderIds = Record<VisualRequest['kind'], string>

/**
 * The media of a shot: the current one if it was made from the same request (for a clip it may belong to the source),
 * otherwise the key of a new object, described by `toMake`.
 */
export function resolveMedia(
  owner: ArtefactOwner,
  { segment, wish: request }: Shot,
  providers: VisualProviderIds,
): { media: StoredBRoll['media']; toMake?: { wish: VisualRequest; key: string } } {
  const current = 'media' in segment ? segment.media : null
  if (!request) return { media: current }
  const keyIn = (videoId: string, content: VisualRequest) =>
    artefactKey({ ...owner, videoId }, 'visuals', [providers[request.kind], content], extensions[request.kind])
  // Media from before scenes were part of a request was made for the same words: it is not bought again.
  const { scene: _, ...withoutScene } = request
  const isCurrent = (key: string) =>
    [request, withoutScene].some((content) => keyIn(videoIdOfKey(key), content) === key)
  if (current && isCurrent(current.key)) return { media: current }
  const key = keyIn(owner.videoId, request)
  return { media: { kind: request.kind, key }, toMake: { wish: request, key } }
}

/**
 * Fails a generation that needs more new pictures than seconds were paid for, before anything is bought: a client can put
 * hundreds of segments on the timeline of any video.
 */
export function refuseTooManyPictures(brief: Pick<Brief, 'targetDuration' | 'videoDuration'>, wanted: number): void {
  const paid = paidSecondsMax(brief)
  if (wanted > paid)
    throw new JobFailure(
      'visuals-failed',
      `The segments need ${wanted} new pictures; a generation of ${paid} seconds makes at most ${paid}. Remove segments.`,
    )
}

/** Segments that the client edited during the generation stay, with the new media of those that are unchanged. */
export function mergeResolvedMedia(edited: readonly StoredBRoll[], resolved: ResolvedVisuals): StoredBRoll[] {
  const resolvedById = byId(resolved)
  const contentOf = ({ startMs, endMs, text, prompt, keywords, mediaType }: StoredBRoll) =>
    JSON.stringify([startMs, endMs, text, prompt, keywords, mediaType])
  return edited.map((segment) => {
    const match = resolvedById.get(segment.id)
    const isUnchanged = match && !segment.presenter && contentOf(match) === contentOf(segment)
    return isUnchanged ? { ...segment, media: match.media } : segment
  })
}
