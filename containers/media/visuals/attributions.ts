/** Who filmed the clips of a video: noted beside each clip that comes from a collection, and read so that none is seen twice. */

import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { attributionKey } from '../../../lib/domain/generation/visual-media.ts'
import type { Attribution } from '../../../lib/providers/footage/index.ts'
import { type StorageOwner, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** Noted once the clip is kept, which it belongs to. */
export const storeAttribution = (owner: StorageOwner, clipKey: string, credit: Attribution): Promise<void> =>
  storeJson(owner, attributionKey(clipKey), credit)

/** The ids of the clips among these that come from a collection. */
export async function attributedClipIds(clipKeys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    clipKeys.map(async (key) => {
      const place = attributionKey(key)
      return (await hasObject(place)) ? [(await getJson<Attribution>(place)).id] : []
    }),
  )
  return found.flat()
}
