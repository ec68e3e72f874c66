/**
 * Predicates on type and subType of a video. Called by routes, pipeline steps and other rules that apply to some kinds
 * only.
 */
import { Refusal } from '../core/refusal.ts'
import type { Video } from '../records/video.ts'

export const isPresentation = ({ subType }: Pick<Video, 'subType'>) => subType === 'presentation'

export function refuseNotPresentation(video: Pick<Video, 'subType'>): void {
  if (!isPresentation(video))
    throw new Refusal('wrong-video-type', 'Only a video with subType "presentation" has presentation scenes.')
}

/** subType of an ai video in which a person speaks the scenes to the camera. */
export const ugcSubType = 'ugc'

export function refuseNotAi(video: Video): void {
  if (video.type !== 'ai') throw new Refusal('wrong-video-type', 'Only videos of type ai have scenes.')
}

/** Whether a video has scenes: an ai video that was generated. */
export const hasScenes = ({ type, timelines }: Video) => type === 'ai' && timelines.scenes !== undefined
