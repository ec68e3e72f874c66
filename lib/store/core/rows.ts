/** Records as rows: their keys, and the narrow attributes that lists and the sweeper read. */

import { videoStatus } from '../../domain/core/states.ts'
import type { Account } from '../../domain/records/account.ts'
import type { ApiKey } from '../../domain/records/api-key.ts'
import type { RecordChange } from '../../domain/records/decision.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Profile } from '../../domain/records/profile.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { SealedTokens } from '../../domain/records/tokens.ts'
import type { Upload } from '../../domain/records/upload.ts'
import type { Video } from '../../domain/records/video.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { foldCase } from '../../domain/videos/video-index.ts'
import { deliveryRetentionDays } from '../../domain/webhooks/delivery-attempts.ts'
import type { Key } from './keys.ts'
import { dueKeys, expiryOf, keys, listPartitions, ttlAttribute } from './keys.ts'

export type Row = Key & Record<string, unknown>

/** The list that contains a video, and its sort key there. */
function listKeys(video: Video): { listPk: string; listSk: string } {
  const { workspaceId, id } = video
  if (video.parentVideoId)
    return { listPk: listPartitions.clips(workspaceId, video.parentVideoId), listSk: `${video.createdAt}#${id}` }
  if (video.isAutomation) return { listPk: listPartitions.automations(workspaceId), listSk: `${video.createdAt}#${id}` }
  return {
    listPk: listPartitions.videos(workspaceId, video.type, videoStatus(video)),
    listSk: `${video.updatedAt}#${id}`,
  }
}

/** The text that searches match; 255 characters keep the list row narrow. */
const searchable = (title: string) => Array.from(foldCase(title)).slice(0, 255).join('')

export function videoRow(video: Video): Row {
  return {
    ...keys.video(video.workspaceId, video.id),
    ...listKeys(video),
    ...dueKeys(video.dueAt, video.id),
    ...video,
    status: videoStatus(video),
    searchTitle: searchable(video.title),
  }
}

const syncJobRow = (job: SyncJob): Row => ({
  ...keys.syncJob(job.workspaceId, job.videoId, job.kind, job.target),
  ...dueKeys(job.dueAt, job.runId),
  ...job,
})

const uploadRow = (upload: Upload): Row => ({
  ...keys.upload(upload.workspaceId, upload.id),
  ...dueKeys(upload.dueAt, upload.id),
  ...upload,
})

const webhookRow = (webhook: Webhook): Row => ({ ...keys.webhook(webhook.workspaceId, webhook.id), ...webhook })

export const deliveryRow = (delivery: Delivery): Row => ({
  ...keys.delivery(delivery.workspaceId, delivery.id),
  listPk: listPartitions.deliveries(delivery.workspaceId, delivery.status),
  listSk: `${delivery.createdAt}#${delivery.id}`,
  ...dueKeys(delivery.dueAt, delivery.id, 'deliveries'),
  ...delivery,
  [ttlAttribute]: expiryOf(delivery.createdAt, deliveryRetentionDays * 24 * 60 * 60),
})

export const profileRow = (profile: Profile): Row => ({ ...keys.profile(profile.workspaceId, profile.id), ...profile })

export const accountRow = (account: Account): Row => ({
  ...keys.account(account.workspaceId, account.profileId, account.platform),
  ...account,
})

export const tokensRow = (tokens: SealedTokens): Row => ({
  ...keys.tokens(tokens.workspaceId, tokens.accountId),
  ...dueKeys(tokens.dueAt ?? null, tokens.accountId, 'tokens'),
  ...tokens,
})

/** A revoked key is listed for so long. Without its row it is as invalid as before. */
const revokedKeyRetentionDays = 90

const apiKeyRow = (key: ApiKey): Row => ({
  ...keys.apiKey(key.hash),
  listPk: listPartitions.apiKeys(key.workspaceId),
  listSk: `${key.createdAt}#${key.id}`,
  ...key,
  ...(key.revokedAt && { [ttlAttribute]: expiryOf(key.revokedAt, revokedKeyRetentionDays * 24 * 60 * 60) }),
})

const rows: { [Kind in RecordChange['record']]: (record: Recorded<Kind>) => Row } = {
  video: videoRow,
  syncJob: syncJobRow,
  upload: uploadRow,
  webhook: webhookRow,
  delivery: deliveryRow,
  profile: profileRow,
  account: accountRow,
  tokens: tokensRow,
  apiKey: apiKeyRow,
}

type Recorded<Kind extends RecordChange['record']> = NonNullable<Extract<RecordChange, { record: Kind }>['after']>

/** A record as its row. */
export const rowOf = ({ record }: RecordChange, value: NonNullable<RecordChange['after']>): Row =>
  // TypeScript does not infer that a change and its records are of one kind.
  (rows[record] as (value: NonNullable<RecordChange['after']>) => Row)(value)

/** Attributes that only the table and its indexes need. */
const tableAttributes = ['pk', 'sk', 'listPk', 'listSk', 'duePk', 'dueSk']
const notOfRecords = new Set(tableAttributes)
/** The row of a video also has the attributes that lists filter by. */
const notOfVideos = new Set([...tableAttributes, 'status', 'searchTitle'])

/** The record in a row, without the attributes of the table and its indexes. */
export const recordOf = <Kept>(row: Record<string, unknown>): Kept => without(row, notOfRecords) as Kept

export const videoOf = (row: Record<string, unknown>): Video => without(row, notOfVideos) as unknown as Video

/**
 * A loop: object rest is several times slower, and every page of a list calls this for each row (`npm run bench:load`).
 */
function without(row: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {}
  for (const name in row) if (!names.has(name)) rest[name] = row[name]
  return rest
}

/** The name of the counter of a video; only listed videos are counted. */
export const counterNameOf = (video: Video | undefined) =>
  video && !video.isAutomation && !video.parentVideoId ? `${video.type}#${videoStatus(video)}` : undefined
