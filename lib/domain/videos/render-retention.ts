/** Which films of a video stay in storage: each render makes a whole one, and all of them count against the plan. */

import { isOpen } from '../core/states.ts'
import type { VideoUsage } from '../records/decision.ts'
import type { Video } from '../records/video.ts'

/** What lies beside a film under the same name: its thumbnail and its facts. */
const sidecarExtensions = ['mp4', 'jpg', 'json']
const withSidecars = (filmKey: string) => sidecarExtensions.map((extension) => filmKey.replace(/[^.]+$/, extension))

/**
 * The keys of films that stay when the film `renderKey` comes: that one, and the one which it takes the place of, since somebody may
 * be loading that by its address right now; the one that is being published, which an edit may have taken from the video meanwhile. Also
 * what the video was converted from, and a thumbnail that it shows. Undefined where all stay: clips show pictures and films of the
 * video that they were made from.
 */
export function rendersToRetain(
  { media, publish }: Pick<Video, 'media' | 'publish'>,
  { clips }: Pick<VideoUsage, 'clips'>,
  renderKey: string,
): ReadonlySet<string> | undefined {
  if (clips > 0) return undefined
  const published = isOpen(publish) ? publish?.film?.key : undefined
  const films = [renderKey, media.renderKey, media.sourceKey, published].filter((key) => key != null)
  return new Set([...films.flatMap(withSidecars), ...(media.thumbnailKey ? [media.thumbnailKey] : [])])
}
