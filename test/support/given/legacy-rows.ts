/** Rows and documents that an earlier version wrote while it ran, laid into the table and the bucket of this one. */
import { readFileSync } from 'node:fs'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { monthOf } from '../../../lib/domain/workspaces/workspace.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { newKey, type World } from '../world.ts'

/** The commits whose rows are in `test/store/older-rows`, and what was new then. */
export const legacyVersions = [
  ['4b75c1c', 'all of /videos'],
  ['d1c535a', 'webhooks'],
  ['2679a5f', 'every kind of video'],
] as const

/** The same with every kind of outbox row, as left in the middle of work: `test/upgrades/write-rows.test.ts` makes them. */
export const busyVersions = [
  ['cf265f79', 'the event journal, profiles and accounts, automations, uploads'],
  ['6b84f40c', 'replays of events'],
] as const

export type LegacyRow = Record<string, unknown> & { pk: string; sk: string }

interface Stored {
  workspaceId: string
  rows: LegacyRow[]
  /** Documents by their places. */
  objects: Record<string, unknown>
}

/** The day on which the versions ran: what they wrote counts as of yesterday, so that nothing of it is too old to be kept. */
const writtenOn = '2026-11-21T'
const daySeconds = 24 * 60 * 60

/** A workspace of its own, as the version left it. */
export async function legacyWorld(version: string): Promise<World & { rows: LegacyRow[] }> {
  const text = readFileSync(new URL(`../../store/older-rows/${version}.json`, import.meta.url), 'utf8')
  const { workspaceId: written }: Stored = JSON.parse(text)
  const workspaceId = mintId('wsp', now())
  const yesterday = secondsAfter(now(), -daySeconds).slice(0, writtenOn.length)
  const moved = text.replaceAll(written, workspaceId).replaceAll(writtenOn, yesterday)
  const { rows, objects }: Stored = JSON.parse(moved, reviveBytes)
  for (const row of rows) {
    if (row.sk === 'META') row.month = monthOf(now())
    if (row.expiresAt) row.expiresAt = Math.floor(Date.parse(now()) / 1000) + daySeconds
  }
  await putRows(rows)
  for (const [key, document] of Object.entries(objects))
    await putObject(key, Buffer.from(JSON.stringify(document)), 'application/json')
  return { workspaceId, ...(await newKey(workspaceId)), rows }
}

export const putRows = (rows: readonly LegacyRow[]) =>
  Promise.all(rows.map((Item) => table.send(new PutCommand({ TableName: tableName(), Item }))))

const reviveBytes = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && '$bytes' in value
    ? Uint8Array.from(Buffer.from(String(value.$bytes), 'base64'))
    : value
