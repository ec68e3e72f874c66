/** Seeds automations with scheduled clips by writing rows, without requests to the API. */
import { randomBytes } from 'node:crypto'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { now } from '../../lib/clock.ts'
import { createVideoRequest } from '../../lib/contract/requests/videos.ts'
import { accountFromConnection } from '../../lib/domain/accounts/account-lifecycle.ts'
import { createProfile } from '../../lib/domain/accounts/create-profile.ts'
import { createAutomation } from '../../lib/domain/automations/automation-lifecycle.ts'
import type { Blueprint } from '../../lib/domain/automations/blueprint.ts'
import { runAutomation, scheduleClip } from '../../lib/domain/automations/clip-runs.ts'
import type { AutomationContext } from '../../lib/domain/automations/decision-builders.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Slot } from '../../lib/domain/records/slot.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { createWorkspace } from '../../lib/domain/workspaces/workspace.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { accountRow, profileRow, type Row, videoRow } from '../../lib/store/core/rows.ts'
import { listAutomations } from '../../lib/store/videos.ts'
import { putWorkspace } from '../../lib/store/workspaces.ts'

const perWorkspace = 100
const rowsPerBatch = 25
const batchesAtOnce = 4

const request = v.parse(createVideoRequest, { prompt: 'Three small habits that make mornings calm' })
const identity = { externalId: 'did:plc:bench', username: 'bench', displayName: 'Bench', pictureUrl: null }

/** `count` automations with their next slot a second ago or in an hour. Returns the ids of their workspaces. */
export async function seedAutomations(count: number, isDue: boolean): Promise<string[]> {
  const at = now()
  const slot = { date: at.slice(0, 10), index: 0, at: secondsAfter(at, isDue ? -1 : 3_600) }
  const workspaceIds: string[] = []
  for (let seeded = 0; seeded < count; seeded += perWorkspace) {
    const view = await seedOwner(at)
    workspaceIds.push(view.workspace.id)
    const size = Math.min(perWorkspace, count - seeded)
    await write(Array.from({ length: size }, () => rowsOf(view, slot, at)).flat())
  }
  return workspaceIds
}

/** The number of automations in these workspaces that have decided a slot. */
export async function countDecided(workspaceIds: readonly string[]): Promise<number> {
  let decided = 0
  for (const workspaceId of workspaceIds) {
    const automations = await listAutomations(workspaceId, { limit: perWorkspace, offset: 0 })
    decided += automations.filter(({ automation }) => automation?.cursor).length
  }
  return decided
}

type AutomationOwner = Pick<AutomationContext, 'workspace' | 'accounts'> & {
  profile: NonNullable<AutomationContext['profile']>
}

/** A workspace with a profile and a connected account. */
async function seedOwner(at: string): Promise<AutomationOwner> {
  const mediaSecret = randomBytes(16).toString('hex')
  const id = mintId('wsp', at)
  const workspace = createWorkspace({ id, name: 'Bench', planId: 'self-hosted', organizationId: null, mediaSecret }, at)
  await putWorkspace(workspace)
  const { profile } = createProfile({ id: mintId('prf', at), workspaceId: id, name: 'Bench' }, [], at)
  const account = accountFromConnection(
    profile,
    'bluesky',
    undefined,
    { identity, settings: {} },
    mintId('acc', at),
    at,
  )
  await write([profileRow(profile), accountRow(account)])
  return { workspace, profile, accounts: [account] }
}

function rowsOf(owner: AutomationOwner, slot: Slot, at: string): Row[] {
  const { workspace, profile } = owner
  const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
  const { video } = createAutomation(workspace, request, ids, at)
  const destination = { profileId: profile.id, platforms: ['bluesky' as const] }
  const generated: Blueprint = { ...video, destination, process: { ...video.process!, status: 'COMPLETED' } }
  const view: AutomationContext = { ...owner, blueprint: generated, clip: undefined, spare: undefined }
  const { decision, clip } = runAutomation(view, false, at)
  const { automation } = decision.video
  const blueprint: Video = { ...decision.video, automation: { ...automation!, nextSlot: slot }, dueAt: slot.at }
  const rendered: Video = {
    ...clip,
    durationSeconds: 12,
    media: { ...clip.media, audioKey: 'a.wav', renderKey: 'r.mp4', thumbnailKey: 'r.jpg', bytes: 1_000 },
    process: { ...clip.process!, status: 'COMPLETED' },
    dueAt: null,
  }
  const scheduled = scheduleClip(view, rendered, slot, at).changes.at(-1)!.after as Video
  return [blueprint, { ...scheduled, dueAt: null }].flatMap((one) => [videoRow(one), usageRow(one)])
}

const usageRow = ({ workspaceId, id, parentVideoId }: Video): Row => ({
  ...keys.usage(workspaceId, id),
  storedBytes: 0,
  clips: parentVideoId ? 0 : 1,
})

async function write(rows: Row[]): Promise<void> {
  const batches: Row[][] = []
  for (let start = 0; start < rows.length; start += rowsPerBatch) batches.push(rows.slice(start, start + rowsPerBatch))
  for (let start = 0; start < batches.length; start += batchesAtOnce)
    await Promise.all(batches.slice(start, start + batchesAtOnce).map(writeBatch))
}

async function writeBatch(rows: Row[]): Promise<void> {
  const Puts = rows.map((Item) => ({ PutRequest: { Item } }))
  const { UnprocessedItems } = await table.send(new BatchWriteCommand({ RequestItems: { [tableName()]: Puts } }))
  const left = UnprocessedItems?.[tableName()]?.length ?? 0
  if (left > 0) throw new Error(`${left} rows were not written.`)
}
