/** The authors of collection footage: stored beside each clip, and read so that no clip is used twice in a video. */

import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { attributionKey } from '../../../lib/domain/generation/visual-media.ts'
import type { Attribution } from '../../../lib/providers/footage/index.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** Must be called after the clip was stored. */
export const storeAttribution = (owner: StorageOwner, clipKey: string, attribution: Attribution): Promise<void> =>
  storeJson(owner, attributionKey(clipKey), attribution)

/** The collection ids of these clips; clips from other providers have none. */
export async function attributedClipIds(clipKeys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    clipKeys.map(async (key) => {
      const noteKey = attributionKey(key)
      return (await hasObject(noteKey)) ? [(await getJson<Attribution>(noteKey)).id] : []
    }),
  )
  return found.flat()
}
