/** The plan of a video's pictures, and where it is told which pictures were made for it. */
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
/** The segments of a plan with their media: written by whoever made the pictures, once all of them are kept. */
export type ResolvedVisuals = StoredBRoll[]

/** A container cannot answer its state machine, so the result of a plan lies beside the plan. */
export const visualsResultKey = (planKey: string) => planKey.replace(/\.json$/, '.made.json')

/** Where the author of a clip is noted, beside the clip. */
export const attributionKey = (clipKey: string) => clipKey.replace(/\.mp4$/, '.credit.json')

const extensions = { still: 'png', clip: 'mp4' } as const

/** Who makes a picture of each kind. Its name is part of the place, so that another maker's picture is another object. */
type VisualMakerIds = Record<VisualRequest['kind'], string>

/**
 * What a shot will show: the media that it has where that was made from the same wish, also where it is the source's of a clip;
 * else a new picture, which is `toMake` in its place.
 */
export function resolveMedia(
  owner: ArtefactOwner,
  { segment, wish }: Shot,
  makers: VisualMakerIds,
): { media: StoredBRoll['media']; toMake?: { wish: VisualRequest; key: string } } {
  const has = 'media' in segment ? segment.media : null
  if (!wish) return { media: has }
  const keyIn = (videoId: string) =>
    artefactKey({ ...owner, videoId }, 'visuals', [makers[wish.kind], wish], extensions[wish.kind])
  if (has && keyIn(videoIdOfKey(has.key)) === has.key) return { media: has }
  const key = keyIn(owner.videoId)
  return { media: { kind: wish.kind, key }, toMake: { wish, key } }
}

/**
 * Ends a generation that would make more pictures than seconds were paid for: clients may put hundreds of segments on the timeline of any
 * video. Nothing is bought of it.
 */
export function refuseTooManyPictures(brief: Pick<Brief, 'targetDuration' | 'videoDuration'>, wanted: number): void {
  const paid = paidSecondsMax(brief)
  if (wanted > paid)
    throw new JobFailure(
      'visuals-failed',
      `The segments need ${wanted} new pictures; a generation of ${paid} seconds makes ${paid} at most.`,
    )
}

/** The segments of a client who edited them while others were made: they stand, with what was made for the same ones. */
export function mergeResolvedMedia(edited: readonly StoredBRoll[], made: ResolvedVisuals): StoredBRoll[] {
  const found = byId(made)
  const looks = ({ startMs, endMs, text, prompt, keywords, mediaType }: StoredBRoll) =>
    JSON.stringify([startMs, endMs, text, prompt, keywords, mediaType])
  return edited.map((segment) => {
    const twin = found.get(segment.id)
    return twin && !segment.presenter && looks(twin) === looks(segment) ? { ...segment, media: twin.media } : segment
  })
}
