/** Whether the render of a video is out of date. Edits of texts that no render shows, as a description, leave it current. */
import type { Video } from '../records/video.ts'

/** The newest `contentVersion` that may be rendered differently than the one before. */
export const shownVersionOf = ({ shownVersion, contentVersion }: Pick<Video, 'shownVersion' | 'contentVersion'>) =>
  shownVersion ?? contentVersion

/** Whether the complete render that the video shows would look different now, or was out of date at its end. */
export function isRenderStale(video: Pick<Video, 'render' | 'media' | 'shownVersion' | 'contentVersion'>): boolean {
  const { render, media } = video
  if (render?.status !== 'COMPLETED') return false
  const { stale, inputVersion } = render
  return stale || (media.renderKey !== null && inputVersion !== null && inputVersion < shownVersionOf(video))
}
