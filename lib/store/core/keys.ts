/**
 * Every key of the table, with the access pattern that it serves. Every partition begins with the workspace, so another
 * workspace's record cannot even be addressed; only the look-up of an API key comes before the workspace is known, and the voices
 * that can be chosen, and searches for clips, are those of the deployment.
 */

/** Lists: narrow, sparse rows; a page reads these and then only the records it shows. */
export const listIndex = { name: 'list', partition: 'listPk', sort: 'listSk' } as const
/** Everything that waits: what the sweeper looks at when a wake-up may be lost. */
export const dueIndex = { name: 'due', partition: 'duePk', sort: 'dueSk' } as const
/** What list rows carry beside their keys: filters and search never touch the records. */
export const listAttributes = ['id', 'type', 'subType', 'status', 'searchTitle', 'event', 'webhookId'] as const
/** DynamoDB deletes late, up to days: readers compare with now. Epoch seconds. */
export const ttlAttribute = 'expiresAt'

/** The due index is spread so that one partition never holds all that waits. */
export const dueShards = 8

export interface Key {
  pk: string
  sk: string
}

const workspacePartition = (workspaceId: string) => `WS#${workspaceId}`
const videoPartition = (workspaceId: string, videoId: string) => `${workspacePartition(workspaceId)}#VID#${videoId}`

/** The ids of the records that a key names, for the log. */
export function idsFromKey({ pk }: Key): Record<string, string> {
  const [, workspaceId, kind, id] = /^WS#([^#]+)(?:#(VID|UPL|DLV)#([^#]+))?/.exec(pk) ?? []
  const names: Record<string, string> = { VID: 'videoId', UPL: 'uploadId', DLV: 'deliveryId' }
  return { ...(workspaceId && { workspaceId }), ...(kind && id && { [names[kind]!]: id }) }
}

export const keys = {
  /** A workspace with its plan and all its counters. */
  workspace: (workspaceId: string): Key => ({ pk: workspacePartition(workspaceId), sk: 'META' }),
  /** An API key by the hash of the secret: every request. */
  apiKey: (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  /** A video by id. */
  video: (workspaceId: string, videoId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: 'VIDEO',
  }),
  /** What a video holds: the bytes and the clips that belong to it, counted apart from its record. */
  usage: (workspaceId: string, videoId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: 'HOLDINGS',
  }),
  /** An object in storage by its name under the video: each is counted once. */
  object: (workspaceId: string, videoId: string, name: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${objectPrefix}${name}`,
  }),
  /** The newest run of a synchronous action on a video, or on one scene or segment of it. */
  syncJob: (workspaceId: string, videoId: string, kind: string, target: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${syncJobPrefix}${kind}#${target}`,
  }),
  /** An upload by id. */
  upload: (workspaceId: string, uploadId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#UPL#${uploadId}`,
    sk: uploadSort,
  }),
  /** A webhook endpoint by id; all of a workspace are read at once, newest last. */
  webhook: (workspaceId: string, webhookId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#WEBHOOKS`,
    sk: webhookId,
  }),
  /** A delivery by id. */
  delivery: (workspaceId: string, deliveryId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#DLV#${deliveryId}`,
    sk: deliverySort,
  }),
  /** A profile by id; its accounts stand behind it, and all of a workspace are read at once. */
  profile: (workspaceId: string, profileId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#PROFILES`,
    sk: profileId,
  }),
  /** The account of a profile on a platform: there is one. */
  account: (workspaceId: string, profileId: string, platform: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#PROFILES`,
    sk: `${profileId}#${platform}`,
  }),
  /** What an account is reached with, sealed. */
  tokens: (workspaceId: string, accountId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#TOKENS`,
    sk: accountId,
  }),
  /** A connection that a user was sent to a platform for, by the hash of its state: the user comes back without a key. */
  pendingConnection: (hash: string): Key => ({ pk: `CONNECTION#${hash}`, sk: 'CONNECTION' }),
  /** One post of a run to one account. */
  posting: (workspaceId: string, videoId: string, runId: string, accountId: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${postingPrefix}${runId}#${accountId}`,
  }),
  /** What became of a slot of an automation. */
  slot: (workspaceId: string, automationId: string, at: string, date: string, index: string): Key => ({
    pk: videoPartition(workspaceId, automationId),
    sk: `${slotPrefix}${at}#${date}#${index}`,
  }),
  /** A script that a video or one of its clips tells, by its hash: the others tell another one. */
  script: (workspaceId: string, videoId: string, hash: string): Key => ({
    pk: videoPartition(workspaceId, videoId),
    sk: `${scriptPrefix}${hash}`,
  }),
  /** The number of the newest event. */
  eventSequence: (workspaceId: string): Key => ({ pk: `${workspacePartition(workspaceId)}#OUTBOX`, sk: 'SEQUENCE' }),
  /** A video that left the list of videos, in the order of time: whoever remembers the list learns of it here. */
  tombstone: (workspaceId: string, at: string, videoId: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#DEPARTURES`,
    sk: `${at}#${videoId}`,
  }),
  /** A ledger entry by its cause: a run is reserved, captured and released at most once. */
  ledger: (workspaceId: string, runId: string, kind: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#LEDGER`,
    sk: `${runId}#${kind}`,
  }),
  /** What a commit wants done after it: starts, events and more. The stream worker is woken by the prefix of `sk`. */
  outbox: (workspaceId: string, id: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#OUTBOX`,
    sk: `${outboxPrefix}${id}`,
  }),
  /** The voices that a vendor offered when it was last asked, for the whole deployment. */
  voices: (vendor: string): Key => ({ pk: 'VOICES', sk: vendor }),
  /** What a collection of clips answered to a search, by the hash of its address, for the whole deployment. */
  search: (hash: string): Key => ({ pk: `SEARCH#${hash}`, sk: 'SEARCH' }),
  /** The answer to replay for a key that a client chose. */
  idempotency: (workspaceId: string, hash: string): Key => ({
    pk: `${workspacePartition(workspaceId)}#IDEMPOTENCY`,
    sk: hash,
  }),
}

export const outboxPrefix = 'OUT#'
export const objectPrefix = 'OBJ#'
export const syncJobPrefix = 'ACTION#'
export const slotPrefix = 'SLOT#'
export const scriptPrefix = 'SCRIPT#'
export const postingPrefix = 'POSTING#'
export const uploadSort = 'UPLOAD'
export const deliverySort = 'DELIVERY'

export const listPartitions = {
  /** Videos of one type in one status, newest activity first; clips and blueprints are not in here. */
  videos: (workspaceId: string, type: string, status: string) =>
    `${workspacePartition(workspaceId)}#VIDEOS#${type}#${status}`,
  /** Clips of one video, newest first by creation. */
  clips: (workspaceId: string, parentVideoId: string) => `${workspacePartition(workspaceId)}#CLIPS#${parentVideoId}`,
  /** Blueprints of automations. */
  automations: (workspaceId: string) => `${workspacePartition(workspaceId)}#AUTOMATIONS`,
  /** The log of deliveries in one status, newest first. */
  deliveries: (workspaceId: string, status: string) => `${workspacePartition(workspaceId)}#DELIVERIES#${status}`,
  /** API keys of a workspace, for the operator. */
  apiKeys: (workspaceId: string) => `${workspacePartition(workspaceId)}#KEYS`,
  /** All workspaces, for the operator. */
  workspaces: () => 'WORKSPACES',
}

/**
 * Deliveries wait apart: however many there are, whatever else waits is seen. So do tokens, for another worker than the sweeper: whoever
 * speaks to platforms changes accounts alone.
 */
const dueLanes = { deliveries: 'DUE#DLV', others: 'DUE', tokens: 'DUE#TOK' } as const
export type DueLane = keyof typeof dueLanes

/** What the sweeper looks at. */
export const sweptLanes: readonly DueLane[] = ['deliveries', 'others']

/** The shard of the due index in which the row of this id waits. */
export function duePartition(id: string, lane: DueLane = 'others'): string {
  let sum = 0
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % dueShards
  return `${dueLanes[lane]}#${sum}`
}

export const duePartitions = (lanes: readonly DueLane[] = sweptLanes) =>
  lanes.flatMap((lane) => Array.from({ length: dueShards }, (_, shard) => `${dueLanes[lane]}#${shard}`))
