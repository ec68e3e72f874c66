/** Whether the render of a video is out of date. Edits of texts that no render shows, as a description, leave it current. */
import type { Video } from '../records/video.ts'

/** The newest `contentVersion` that may be rendered differently than the one before. */
export const shownVersionOf = ({ shownVersion, contentVersion }: Pick<Video, 'shownVersion' | 'contentVersion'>) =>
  shownVersion ?? contentVersion

/**
 * Whether the render that the video shows would look different now, also while another one is queued or after it failed; or whether
 * the last one was out of date at its end.
 */
export function isRenderStale(video: Pick<Video, 'render' | 'media' | 'shownVersion' | 'contentVersion'>): boolean {
  const complete = video.render?.status === 'COMPLETED' ? video.render : null
  const { renderKey, renderedVersion = complete?.inputVersion ?? null } = video.media
  const isOlder = renderKey !== null && renderedVersion !== null && renderedVersion < shownVersionOf(video)
  return isOlder || complete?.stale === true
}
