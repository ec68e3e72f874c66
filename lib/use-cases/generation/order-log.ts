/**
 * Notes what was ordered of vendors, as two small objects of the video: that the vendor is about to be asked, and the id that it gave.
 * Neither is ever written over, so that what was noted stays noted.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { deleteObject } from '../../aws/delete-media.ts'
import { getJson, hasObject, putObjectIfAbsent } from '../../aws/media-bucket.ts'
import { artefactKey, videoKeyPrefix } from '../../domain/core/artefact.ts'
import { log } from '../../log.ts'
import type { OrderIntent, OrderLog } from '../../providers/vendor-orders.ts'
import { releaseObject } from '../../store/storage-usage.ts'
import { countStored, type StorageOwner, storeJson } from '../artefacts/store-artefact.ts'

/** The vendor's id for an order is all that is left of its price: it is noted with more patience than anything else. */
const confirmPausesMs = [500, 2_000, 5_000]

/** What tests put in the place of storage and time. */
export interface OrderLogDeps {
  putNew: typeof putObjectIfAbsent
  put: typeof storeJson
  wait: (ms: number) => Promise<unknown>
}

/** The orders of one video. */
export function orderLogFor(
  owner: StorageOwner,
  { putNew = putObjectIfAbsent, put = storeJson, wait = delay }: Partial<OrderLogDeps> = {},
): OrderLog {
  const intentKey = (key: string) => artefactKey(owner, 'orders', key, 'json')
  const placedKey = (key: string) => intentKey(key).replace(/\.json$/, '.placed.json')
  const found = async <Note>(at: string) => ((await hasObject(at)) ? getJson<Note>(at) : undefined)
  const find = async (key: string) =>
    (await found<{ remoteId: string }>(placedKey(key))) ?? (await found<OrderIntent>(intentKey(key)))
  const forget = async (key: string) => {
    await deleteObject(key)
    await releaseObject(owner, key.slice(videoKeyPrefix(owner).length))
  }
  return {
    find,
    async recordIntent(key, at) {
      const intent = { token: randomUUID().replaceAll('-', ''), at }
      const body = Buffer.from(JSON.stringify(intent))
      await countStored(owner, intentKey(key), body.byteLength)
      if (await putNew(intentKey(key), body, 'application/json')) return intent
      // The SDK repeats what was not answered, and meets what it has stored itself.
      return (await found<OrderIntent>(intentKey(key)))?.token === intent.token ? intent : undefined
    },
    async recordPlaced(key, remoteId) {
      for (const pause of confirmPausesMs) {
        try {
          return await put(owner, placedKey(key), { remoteId })
        } catch (error) {
          // Whoever looks for a film that was paid finds its id here.
          log.error('order.unconfirmed', { key, remoteId, error: error as Error })
          await wait(pause)
        }
      }
      await put(owner, placedKey(key), { remoteId })
    },
    async withdraw(key, note) {
      const noted = await find(key)
      const isTheSame =
        noted &&
        ('remoteId' in noted ? 'remoteId' in note && noted.remoteId === note.remoteId : isSameIntent(noted, note))
      if (!isTheSame) return
      // Whoever is stopped between the two leaves an order whose answer was lost, never one that looks as if it had not been placed.
      if ('remoteId' in noted) await forget(placedKey(key))
      await forget(intentKey(key))
    },
  }
}

const isSameIntent = (noted: OrderIntent, note: { remoteId: string } | OrderIntent) =>
  'token' in note && noted.token === note.token
