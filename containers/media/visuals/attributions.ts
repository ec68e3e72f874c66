/**
 * The authors of collection pictures and footage: stored beside each file, and read so that none is used twice in a
 * video and each is credited.
 */

import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { attributionKey } from '../../../lib/domain/generation/visual-media.ts'
import type { Attribution } from '../../../lib/domain/records/attribution.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** Must be called after the clip or still was stored. */
export const storeAttribution = (owner: StorageOwner, mediaKey: string, attribution: Attribution): Promise<void> =>
  storeFirstJson(owner, attributionKey(mediaKey), attribution)

/** By storage key: the attributions of these clips and stills. Those of other makers have none. */
export async function attributionsOf(mediaKeys: readonly string[]): Promise<Map<string, Attribution>> {
  const found = await Promise.all(
    [...new Set(mediaKeys)].map(async (key): Promise<[string, Attribution][]> => {
      const noteKey = attributionKey(key)
      return (await hasObject(noteKey)) ? [[key, await getJson<Attribution>(noteKey)]] : []
    }),
  )
  return new Map(found.flat())
}
