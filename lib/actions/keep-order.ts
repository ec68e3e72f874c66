/**
 * Notes what was ordered of vendors, as two small objects of the video: that the vendor is about to be asked, and the id that it gave.
 * Neither is ever written over, so that what was noted stays noted.
 */
import { randomUUID } from 'node:crypto'
import { deleteObject } from '../aws/delete-media.ts'
import { getJson, hasObject, putNewObject } from '../aws/media.ts'
import { artefactKey, prefixOf } from '../domain/artefact.ts'
import type { Orders } from '../providers/orders.ts'
import { uncountObject } from '../store/objects.ts'
import { keepJson, keepStored, type Owner } from './keep.ts'

/** The orders of one video. */
export function ordersOf(owner: Owner): Orders {
  const intentKey = (key: string) => artefactKey(owner, 'orders', key, 'json')
  const placedKey = (key: string) => intentKey(key).replace(/\.json$/, '.placed.json')
  const forget = async (key: string) => {
    await deleteObject(key)
    await uncountObject(owner, key.slice(prefixOf(owner).length))
  }
  return {
    async find(key) {
      if (await hasObject(placedKey(key))) return getJson<{ remoteId: string }>(placedKey(key))
      return (await hasObject(intentKey(key))) ? getJson<{ token: string }>(intentKey(key)) : undefined
    },
    async intend(key) {
      const token = randomUUID().replaceAll('-', '')
      const intent = Buffer.from(JSON.stringify({ token }))
      await keepStored(owner, intentKey(key), intent.byteLength)
      return (await putNewObject(intentKey(key), intent, 'application/json')) ? token : undefined
    },
    confirm: (key, remoteId) => keepJson(owner, placedKey(key), { remoteId }),
    async withdraw(key) {
      // Whoever is stopped between the two leaves an order whose answer was lost, never one that looks as if it had not been placed.
      await forget(placedKey(key))
      await forget(intentKey(key))
    },
  }
}
