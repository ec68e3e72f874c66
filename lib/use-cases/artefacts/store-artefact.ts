/**
 * Stores artefacts, each counted against the quota of the workspace first. Its name is the hash of its inputs, so that
 * storing it again is idempotent. Called by routes, pipeline steps and container commands that make objects.
 */
import { stat } from 'node:fs/promises'
import { hasObject, putObject, putObjectIfAbsent, uploadFile } from '../../aws/media-bucket.ts'
import type { Timelines } from '../../aws/timelines.ts'
import { artefactKeyOfJson, artefactName } from '../../domain/core/artefact.ts'
import type { TimelineName } from '../../domain/records/video.ts'
import { countObject, countObjects, type StorageOwner } from '../../store/storage-usage.ts'

export async function storeArtefact(
  owner: StorageOwner,
  key: string,
  body: Uint8Array,
  contentType: string,
): Promise<void> {
  await countObject(owner, artefactName(owner, key), body.byteLength)
  await putObject(key, body, contentType)
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
  await (count ? count(name, size) : countObject(owner, name, size))
  await uploadFile(key, path, contentType, signal)
}

/**
 * Counts artefacts that the caller stores then, in one transaction.
 * @throws Refusal `warning-plan-storage` where one does not fit; others may be counted then.
 */
export async function countArtefacts(
  owner: StorageOwner,
  artefacts: readonly { key: string; bytes: number }[],
): Promise<void> {
  const objects = artefacts.map(({ key, bytes }) => ({ name: artefactName(owner, key), bytes }))
  for (const refusal of (await countObjects(owner, objects)).values()) throw refusal
}

/** Counts an object that is stored by other means. */
export const countStored = (owner: StorageOwner, key: string, bytes: number): Promise<void> =>
  countObject(owner, artefactName(owner, key), bytes)

export const storeJson = (owner: StorageOwner, key: string, value: unknown): Promise<void> =>
  storeJsonText(owner, key, JSON.stringify(value))

export const storeJsonText = (owner: StorageOwner, key: string, json: string): Promise<void> =>
  storeArtefact(owner, key, Buffer.from(json), 'application/json')

/**
 * Makes and stores an artefact unless it exists: nothing is made or bought twice. What another worker has stored meanwhile
 * is not replaced, as it may be shown already.
 */
export async function storeOnce(
  owner: StorageOwner,
  key: string,
  contentType: string,
  make: () => Promise<Uint8Array>,
): Promise<void> {
  if (await hasObject(key)) return
  const body = await make()
  await countObject(owner, artefactName(owner, key), body.byteLength)
  await putObjectIfAbsent(key, body, contentType)
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
