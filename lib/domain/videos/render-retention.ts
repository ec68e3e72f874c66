/**
 * Selects the renders of a video that stay in storage: every render is a complete file and counts against the plan.
 * Called by the container command `render-video` before it deletes the others.
 */

import { isOpen } from '../core/states.ts'
import type { VideoUsage } from '../records/decision.ts'
import type { Video } from '../records/video.ts'

/** Files next to a render with the same name: its thumbnail and its facts. */
const sidecarExtensions = ['mp4', 'jpg', 'json']
const withSidecars = (key: string) => sidecarExtensions.map((extension) => key.replace(/[^.]+$/, extension))

/**
 * The keys that stay when the render `renderKey` is stored: that one; the one that it replaces, which a client may be loading;
 * the one that is being published, even if an edit cleared it; the source of a conversion; the current thumbnail.
 * Undefined if everything stays, because clips use objects of the video.
 */
export function rendersToRetain(
  { media, publish }: Pick<Video, 'media' | 'publish'>,
  { clips }: Pick<VideoUsage, 'clips'>,
  renderKey: string,
): ReadonlySet<string> | undefined {
  if (clips > 0) return undefined
  const published = isOpen(publish) ? publish?.film?.key : undefined
  const retained = [renderKey, media.renderKey, media.sourceKey, published].filter((key) => key != null)
  return new Set([...retained.flatMap(withSidecars), ...(media.thumbnailKey ? [media.thumbnailKey] : [])])
}
