/**
 * The write-ahead log of vendor orders: two small objects of the video, the intent before the request and the vendor's
 * id after it. Neither is ever overwritten. Called by the container commands that order scene clips and presenters, and by
 * the step that orders transcripts.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { retry, type Sleep } from '../../async.ts'
import { deleteObject } from '../../aws/delete-media.ts'
import { getJson, hasObject, putObjectIfAbsent } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import { artefactKey, videoKeyPrefix } from '../../domain/core/artefact.ts'
import { Superseded } from '../../domain/core/failures.ts'
import { log } from '../../log.ts'
import type { OrderIntent, OrderLog, OrderRecord, PlacedOrder } from '../../providers/vendor-orders.ts'
import { releaseObjects, type StorageOwner } from '../../store/storage-usage.ts'
import { countStored, storeFirstJson } from '../artefacts/store-artefact.ts'

/** Retries longer than any other write: without the vendor's id a paid order is lost. */
const confirmPausesMs = [500, 2_000, 5_000]

/** Injected by tests. */
export interface OrderLogDeps {
  putNew: typeof putObjectIfAbsent
  put: typeof storeFirstJson
  wait: Sleep
}

/** The order log of one video. */
export function orderLogFor(
  owner: StorageOwner,
  { putNew = putObjectIfAbsent, put = storeFirstJson, wait = delay }: Partial<OrderLogDeps> = {},
): OrderLog {
  const intentKey = (key: string) => artefactKey(owner, 'orders', key, 'json')
  const placedKey = (key: string) => intentKey(key).replace(/\.json$/, '.placed.json')
  const read = async <Entry>(at: string) => ((await hasObject(at)) ? getJson<Entry>(at) : undefined)
  const find = async (key: string) =>
    (await read<PlacedOrder>(placedKey(key))) ?? (await read<OrderIntent>(intentKey(key)))
  const remove = async (key: string) => {
    await deleteObject(key)
    await releaseObjects(owner, [key.slice(videoKeyPrefix(owner).length)])
  }
  const nowMs = () => Date.parse(now())
  return {
    now: nowMs,
    find,
    async recordIntent(key) {
      const intent = { token: randomUUID().replaceAll('-', ''), at: nowMs() }
      const body = Buffer.from(JSON.stringify(intent))
      await countStored(owner, intentKey(key), body.byteLength)
      if (await putNew(intentKey(key), body, 'application/json')) return intent
      // A retry of the SDK may find the object that its own first attempt has stored.
      return (await read<OrderIntent>(intentKey(key)))?.token === intent.token ? intent : undefined
    },
    async recordPlaced(key, remoteId) {
      const order = { remoteId, at: nowMs() }
      await retry(() => put(owner, placedKey(key), order), {
        pausesMs: confirmPausesMs,
        sleep: wait,
        isRetryable: (error) => !(error instanceof Superseded),
        // The log line holds the id of a paid order, in case it is never stored.
        beforeRetry: (error) => log.error('order.unconfirmed', { key, remoteId, error: error as Error }),
      }).catch((error) => {
        // The video was deleted meanwhile: a paid order without a use, which only this line names.
        if (error instanceof Superseded) log.info('order.unused', { key, remoteId })
        throw error
      })
      // Of two workers that placed the order under one token, the first one's record stays.
      const stored = (await read<PlacedOrder>(placedKey(key))) ?? order
      if (stored.remoteId !== remoteId) log.warn('order.doubled', { key, remoteId, kept: stored.remoteId })
      return stored
    },
    async withdraw(key, record) {
      const stored = await find(key)
      const isSame =
        stored &&
        ('remoteId' in stored
          ? 'remoteId' in record && stored.remoteId === record.remoteId
          : isSameIntent(stored, record))
      if (!isSame) return
      // In this order a crash in between leaves an order with a lost response, never one that seems not to be placed.
      if ('remoteId' in stored) await remove(placedKey(key))
      await remove(intentKey(key))
    },
  }
}

const isSameIntent = (stored: OrderIntent, record: OrderRecord) => 'token' in record && stored.token === record.token
