/**
 * Stores artefacts, each counted against the quota of the workspace first. Its name is the hash of its inputs, so that
 * storing it again is idempotent. Where the same inputs may give other bytes, as with a vendor, the first ones stay
 * (`storeFirst`). Called by routes, pipeline steps and container commands that make objects.
 */
import { stat } from 'node:fs/promises'
import { settleAll } from '../../async.ts'
import { hasObject, objectBytes, putObject, putObjectIfAbsent, uploadFile } from '../../aws/media-bucket.ts'
import type { Timelines } from '../../aws/timelines.ts'
import { artefactKeyOfJson, artefactName } from '../../domain/core/artefact.ts'
import type { TimelineName } from '../../domain/records/video.ts'
import { countObject, countObjects, recountObject, type StorageOwner } from '../../store/storage-usage.ts'

export async function storeArtefact(
  owner: StorageOwner,
  key: string,
  body: Uint8Array,
  contentType: string,
): Promise<void> {
  await countObject(owner, artefactName(owner, key), body.byteLength)
  await putObject(key, body, contentType)
}

interface Artefact {
  key: string
  body: Uint8Array
  contentType: string
}

/** An artefact of JSON text. */
export const jsonArtefact = (key: string, json: string): Artefact => ({
  key,
  body: Buffer.from(json),
  contentType: 'application/json',
})

/**
 * Stores artefacts with different keys, counted in one transaction.
 * @throws Refusal `warning-plan-storage` where they do not fit together; none is stored then.
 */
export async function storeArtefacts(owner: StorageOwner, artefacts: readonly Artefact[]): Promise<void> {
  await countArtefacts(
    owner,
    artefacts.map(({ key, body }) => ({ key, bytes: body.byteLength })),
  )
  await settleAll(artefacts.map(({ key, body, contentType }) => putObject(key, body, contentType)))
}

/** `count`: counts the object by other means than `countObject`. */
export async function storeArtefactFile(
  owner: StorageOwner,
  key: string,
  path: string,
  contentType: string,
  { count, signal }: { count?: (name: string, bytes: number) => Promise<void>; signal?: AbortSignal } = {},
): Promise<void> {
  signal?.throwIfAborted()
  const { size } = await stat(path)
  const name = artefactName(owner, key)
  await (count ?? ((...object) => countObject(owner, ...object)))(name, size)
  await uploadFile(key, path, contentType, signal)
}

/**
 * Counts artefacts that the caller stores then, in one transaction.
 * @throws Refusal `warning-plan-storage` where they do not fit together; none is counted then.
 */
export async function countArtefacts(
  owner: StorageOwner,
  artefacts: readonly { key: string; bytes: number }[],
): Promise<void> {
  const objects = artefacts.map(({ key, bytes }) => ({ name: artefactName(owner, key), bytes }))
  const { refused } = await countObjects(owner, objects, { allOrNone: true })
  for (const refusal of refused.values()) throw refusal
}

/** Counts an object that is stored by other means. */
export const countStored = async (owner: StorageOwner, key: string, bytes: number): Promise<void> =>
  void (await countObject(owner, artefactName(owner, key), bytes))

export const storeJson = (owner: StorageOwner, key: string, value: unknown): Promise<void> =>
  storeJsonText(owner, key, JSON.stringify(value))

export const storeJsonText = (owner: StorageOwner, key: string, json: string): Promise<void> =>
  storeArtefact(owner, key, Buffer.from(json), 'application/json')

/**
 * Stores an artefact unless it exists. What another worker has stored meanwhile is not replaced, as it may be shown already.
 * Either way it is counted with its stored size. Returns whether this one is stored.
 */
export async function storeFirst(
  owner: StorageOwner,
  key: string,
  body: Uint8Array,
  contentType: string,
): Promise<boolean> {
  const name = artefactName(owner, key)
  const isCounted = await countObject(owner, name, body.byteLength)
  // By another worker, perhaps with another size. Before the object is stored: after it, this worker may die, and no other come.
  if (!isCounted && !(await hasObject(key))) await recountObject(owner, name, body.byteLength)
  const isFirst = await putObjectIfAbsent(key, body, contentType)
  await recountObject(owner, name, isFirst ? body.byteLength : await objectBytes(key))
  return isFirst
}

export const storeFirstJson = async (owner: StorageOwner, key: string, value: unknown): Promise<void> =>
  void (await storeFirst(owner, key, Buffer.from(JSON.stringify(value)), 'application/json'))

/**
 * Whether an artefact is stored. A worker of `storeFirst` may have died before it corrected the count: the count follows
 * here.
 */
export async function isStored(owner: StorageOwner, key: string): Promise<boolean> {
  const bytes = await objectBytes(key)
  if (bytes === undefined) return false
  await recountObject(owner, artefactName(owner, key), bytes)
  return true
}

/** Makes an artefact and stores it as `storeFirst`, unless it exists: nothing is made or bought twice. */
export async function storeOnce(
  owner: StorageOwner,
  key: string,
  contentType: string,
  make: () => Promise<Uint8Array>,
): Promise<boolean> {
  if (await isStored(owner, key)) return false
  return storeFirst(owner, key, await make(), contentType)
}

/** `itemsJson`: the items as they are stored. */
export const timelineKey = (owner: StorageOwner, name: TimelineName, itemsJson: string): string =>
  artefactKeyOfJson(owner, 'timelines', `[${JSON.stringify(name)},${itemsJson}]`, 'json')

/**
 * Stores a timeline once `decide` has accepted its key: where it refuses, nothing is stored and counted against the
 * quota. Returns the decision.
 */
export async function storeDecidedTimeline<Name extends TimelineName, Result>(
  owner: StorageOwner,
  name: Name,
  items: Timelines[Name],
  decide: (key: string) => Result,
): Promise<Result> {
  const json = JSON.stringify(items)
  const key = timelineKey(owner, name, json)
  const decision = decide(key)
  await storeJsonText(owner, key, json)
  return decision
}

/** Stores a timeline and returns its key. */
export const storeTimeline = <Name extends TimelineName>(
  owner: StorageOwner,
  name: Name,
  items: Timelines[Name],
): Promise<string> => storeDecidedTimeline(owner, name, items, (key) => key)
