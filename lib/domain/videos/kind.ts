import { Refusal } from '../core/refusal.ts'
import type { Video } from '../records/video.ts'

export const isPresentation = ({ subType }: Pick<Video, 'subType'>) => subType === 'presentation'

export function refuseNotPresentation(video: Pick<Video, 'subType'>): void {
  if (!isPresentation(video))
    throw new Refusal('wrong-video-type', 'Only a video with subType "presentation" has presentation scenes.')
}

/** The subType of a video in which a person speaks its scenes to the camera. */
export const ugcSubType = 'ugc'

/** Refuses a video that has no scenes of this kind. */
export function refuseNotAi(video: Video): void {
  if (video.type !== 'ai') throw new Refusal('wrong-video-type', 'Only videos of type ai have scenes.')
}

/** Whether a video is told in scenes; one that was never generated has none yet. */
export const hasScenes = ({ type, timelines }: Video) => type === 'ai' && timelines.scenes !== undefined
