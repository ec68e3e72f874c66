/** Who filmed the clips of a video: noted beside each clip that comes from a collection, and read so that none is seen twice. */

import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { creditKey } from '../../../lib/domain/generation/visual-media.ts'
import type { Credit } from '../../../lib/providers/footage/index.ts'
import { keepJson, type Owner } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** Noted once the clip is kept, which it belongs to. */
export const keepCredit = (owner: Owner, clipKey: string, credit: Credit): Promise<void> =>
  keepJson(owner, creditKey(clipKey), credit)

/** The ids of the clips among these that come from a collection. */
export async function creditedIds(clipKeys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    clipKeys.map(async (key) => {
      const place = creditKey(key)
      return (await hasObject(place)) ? [(await getJson<Credit>(place)).id] : []
    }),
  )
  return found.flat()
}
