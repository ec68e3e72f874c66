/**
 * Every key of the table, with the access pattern that it serves. Partitions start with the workspace id, so that
 * another workspace's record cannot be addressed. Exceptions: API keys and pending connections, which are read before
 * the workspace is known, the caches of voices and footage searches, which belong to the deployment, and token buckets.
 */

/** Lists: narrow, sparse rows. A page reads these, then only the records that it shows. */
export const listIndex = { name: 'list', partition: 'listPk', sort: 'listSk' } as const
/** Rows that have to be processed at a time: the sweeper reads it to recover lost wake-ups. */
export const dueIndex = { name: 'due', partition: 'duePk', sort: 'dueSk' } as const
/** Attributes of list rows beside their keys, so that filters and search need no records. */
export const listAttributes = ['id', 'type', 'subType', 'status', 'searchTitle', 'event', 'webhookId'] as const
/** Epoch seconds. DynamoDB deletes expired rows late, up to days: readers compare with now. */
export const ttlAttribute = 'expiresAt'

/** The due index is sharded so that no partition gets all of it. */
const dueShards = 8

export interface Key {
  pk: string
  sk: string
}

export const epochSeconds = (time: string) => Math.floor(Date.parse(time) / 1000)

/** The value of `ttlAttribute` for a row that lives so many seconds from `time`. */
export const expiryOf = (time: string, seconds: number) => epochSeconds(time) + seconds

const workspacePartition = (workspaceId: string) => `WS#${workspaceId}`
const videoPartition = (workspaceId: string, videoId: string) => `${workspacePartition(workspaceId)}#VID#${videoId}`

/** The ids in a key, for log lines. */
export function idsFromKey({ pk }: Key): Record<string, string> {
  const [, workspaceId, kind, id] = /^WS#([^#]+)(?:#(VID|UPL|DLV)#([^#]+))?/.exec(pk) ?? []
  const names: Record<string, string> = { VID: 'videoId', UPL: 'uploadId', DLV: 'deliveryId' }
  return { ...(workspaceId && { workspaceId }), ...(kind && id && { [names[kind]!]: id }) }
}

export const keys = {
  /** A workspace with its plan and counters. */
  workspace: (workspaceId: string): Key => ({ pk: workspacePartition(workspaceId), sk: 'META' }),
  /** An API key by the hash of its secret; read on every request. */
  apiKey: (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  /** A video by id. */
  video: (workspaceId: string, videoId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: 'VIDEO',
  }),
  /** The usage of a video, stored apart from its record: its bytes and its clips. */
  usage: (workspaceId: string, videoId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: 'HOLDINGS',
  }),
  /** A stored object by its name under the video; each is counted once. */
  object: (workspaceId: string, videoId: string, name: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${objectPrefix}${name}`,
  }),
  /** The newest run of a sync job on a video, or on one of its scenes or segments. */
  syncJob: (workspaceId: string, videoId: string, kind: string, target: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${syncJobPrefix}${kind}#${target}`,
  }),
  /** An upload by id. */
  upload: (workspaceId: string, uploadId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#UPL#${uploadId}`,
    sk: uploadSort,
  }),
  /** A webhook endpoint by id; all of a workspace are read in one query, oldest first. */
  webhook: (workspaceId: string, webhookId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#WEBHOOKS`,
    sk: webhookId,
  }),
  /** A delivery by id. */
  delivery: (workspaceId: string, deliveryId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#DLV#${deliveryId}`,
    sk: deliverySort,
  }),
  /** A profile by id. It sorts before its accounts; all of a workspace are read in one query. */
  profile: (workspaceId: string, profileId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#PROFILES`,
    sk: profileId,
  }),
  /** The one account of a profile on a platform. */
  account: (workspaceId: string, profileId: string, platform: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#PROFILES`,
    sk: `${profileId}#${platform}`,
  }),
  /** The sealed tokens of an account. */
  tokens: (workspaceId: string, accountId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#TOKENS`,
    sk: accountId,
  }),
  /** A pending OAuth connection by the hash of its state: the callback carries no API key. */
  pendingConnection: (hash: string): Key => ({ pk: `CONNECTION#${hash}`, sk: 'CONNECTION' }),
  /** A posting: one run to one account. */
  posting: (workspaceId: string, videoId: string, runId: string, accountId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${postingPrefix}${runId}#${accountId}`,
  }),
  /** The outcome of a slot of an automation. */
  slot: (workspaceId: string, automationId: string, at: string, date: string, index: string): Key => ({
    pk: videoPartition(workspaceId, automationId),
    sk: `${slotPrefix}${at}#${date}#${index}`,
  }),
  /** The progress of a run while it is open. */
  progress: (workspaceId: string, videoId: string, runId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${progressPrefix}${runId}`,
  }),
  /** A script, by its hash, claimed by a video or one of its clips, so that the others use another one. */
  script: (workspaceId: string, videoId: string, hash: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${scriptPrefix}${hash}`,
  }),
  /** A counting semaphore of a workspace: the holders of its permits. */
  semaphore: (workspaceId: string, name: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#SEMAPHORES`,
    sk: name,
  }),
  /** The newest of the numbers that order events by their causes. */
  eventSequence: (workspaceId: string): Key => ({ pk: `${workspacePartition(workspaceId)}#OUTBOX`, sk: 'SEQUENCE' }),
  /** An event of the journal by id. */
  event: (workspaceId: string, eventId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#EVENTS`,
    sk: eventId,
  }),
  /** The `sequence` of the newest event of the journal, and when it entered. */
  journalHead: (workspaceId: string): Key => ({ pk: `${workspacePartition(workspaceId)}#EVENTS`, sk: 'HEAD' }),
  /** A tombstone of a video that left the list, ordered by time: cached lists apply it. */
  tombstone: (workspaceId: string, at: string, videoId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#DEPARTURES`,
    sk: `${at}#${videoId}`,
  }),
  /** A ledger entry by its cause: a run is reserved, captured and released at most once. */
  ledger: (workspaceId: string, runId: string, kind: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#LEDGER`,
    sk: `${runId}#${kind}`,
  }),
  /** An outbox row of a commit: a start, an event and more. The stream filter matches the prefix of `sk`. */
  outbox: (workspaceId: string, id: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#OUTBOX`,
    sk: `${outboxPrefix}${id}`,
  }),
  /** A token bucket of a workspace. In a partition of its own, which also functions that only read records may write. */
  tokenBucket: (workspaceId: string, name: string): Key => ({ pk: `RATE#${workspaceId}`, sk: name }),
  /** When an API key was last used. In the partition of the token buckets, for the same reason. */
  keyUse: (workspaceId: string, keyId: string): Key => ({ pk: `RATE#${workspaceId}`, sk: `USED#${keyId}` }),
  /** Cached voices of a vendor, for the whole deployment. */
  voices: (vendor: string): Key => ({ pk: 'VOICES', sk: vendor }),
  /** A cached response of a footage search by the hash of its URL, for the whole deployment. */
  search: (hash: string): Key => ({ pk: `SEARCH#${hash}`, sk: 'SEARCH' }),
  /** The stored response of an idempotency key. */
  idempotency: (workspaceId: string, hash: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#IDEMPOTENCY`,
    sk: hash,
  }),
}

export const outboxPrefix = 'OUT#'
const objectPrefix = 'OBJ#'
export const syncJobPrefix = 'ACTION#'
export const slotPrefix = 'SLOT#'
const scriptPrefix = 'SCRIPT#'
const progressPrefix = 'PROGRESS#'
export const postingPrefix = 'POSTING#'
export const uploadSort = 'UPLOAD'
export const deliverySort = 'DELIVERY'

/** Matches a minted workspace id, but no longer text: the partition of a workspace row is a prefix of most others. */
const anyWorkspaceId = `wsp_${'?'.repeat(26)}`

/**
 * Partitions as IAM patterns for `dynamodb:LeadingKeys`: `*` is any text, `?` one character. The list index has partitions of its own.
 */
export const partitionPatterns = {
  workspace: keys.workspace(anyWorkspaceId).pk,
  apiKeys: keys.apiKey('*').pk,
  /** A video with its objects, sync jobs, postings, slots, scripts and progress. */
  videos: keys.video('*', '*').pk,
  uploads: keys.upload('*', '*').pk,
  webhooks: keys.webhook('*', '').pk,
  deliveries: keys.delivery('*', '*').pk,
  /** Profiles and their accounts. */
  profiles: keys.profile('*', '').pk,
  tokens: keys.tokens('*', '').pk,
  pendingConnections: keys.pendingConnection('*').pk,
  semaphores: keys.semaphore('*', '').pk,
  tombstones: keys.tombstone('*', '', '').pk,
  ledger: keys.ledger('*', '', '').pk,
  outbox: keys.outbox('*', '').pk,
  /** The journal. */
  events: keys.event('*', '').pk,
  /** Also the last uses of API keys. */
  tokenBuckets: keys.tokenBucket('*', '').pk,
  voices: keys.voices('').pk,
  searches: keys.search('*').pk,
  idempotency: keys.idempotency('*', '').pk,
} as const
export type PartitionName = keyof typeof partitionPatterns

export const listPartitions = {
  /** Videos of one type in one status, newest activity first, without clips and blueprints. */
  videos: (workspaceId: string, type: string, status: string) =>
    `${workspacePartition(workspaceId)}#VIDEOS#${type}#${status}`,
  /** Clips of one video, newest first by creation. */
  clips: (workspaceId: string, parentVideoId: string) => `${workspacePartition(workspaceId)}#CLIPS#${parentVideoId}`,
  /** Blueprints of automations. */
  automations: (workspaceId: string) => `${workspacePartition(workspaceId)}#AUTOMATIONS`,
  /** The log of deliveries in one status, newest first. */
  deliveries: (workspaceId: string, status: string) => `${workspacePartition(workspaceId)}#DELIVERIES#${status}`,
  /** The journal, in the order of `sequence`. */
  events: (workspaceId: string) => `${workspacePartition(workspaceId)}#EVENTS`,
  /** API keys of a workspace, newest first. */
  apiKeys: (workspaceId: string) => `${workspacePartition(workspaceId)}#KEYS`,
  /** All workspaces, for the operator. */
  workspaces: () => 'WORKSPACES',
}

/**
 * Deliveries have a lane of their own, so that any number of them does not hide other rows. So do tokens: another
 * worker than the sweeper processes them, because the worker that calls platforms may change accounts only.
 */
const dueLanes = { deliveries: 'DUE#DLV', others: 'DUE', tokens: 'DUE#TOK' } as const
export type DueLane = keyof typeof dueLanes

/** The lanes that the sweeper reads. */
export const sweptLanes: readonly DueLane[] = ['deliveries', 'others']

/** The shard of the due index for the row of this id. */
export function duePartition(id: string, lane: DueLane = 'others'): string {
  let sum = 0
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % dueShards
  return `${dueLanes[lane]}#${sum}`
}

/** The sort key of the due index: ordered by time, unique by `id`. */
export const dueSort = (at: string, id: string) => `${at}#${id}`

/** The due-index attributes of a row; none without a time. */
export const dueKeys = (dueAt: string | null, id: string, lane?: DueLane) =>
  dueAt ? { duePk: duePartition(id, lane), dueSk: dueSort(dueAt, id) } : {}

export const duePartitions = (lanes: readonly DueLane[] = sweptLanes) =>
  lanes.flatMap((lane) => Array.from({ length: dueShards }, (_, shard) => `${dueLanes[lane]}#${shard}`))
