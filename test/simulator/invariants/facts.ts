/** What the invariants are checked on: the final rows by kind, and what clients, receivers and platforms saw. */
import type { Posting } from '../../../lib/domain/publishing/posting.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { SyncJob } from '../../../lib/domain/records/sync-job.ts'
import type { Upload } from '../../../lib/domain/records/upload.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import type { JournalEntry } from '../../../lib/domain/webhooks/event-journal.ts'
import type { Workspace as WorkspaceRecord } from '../../../lib/domain/workspaces/workspace.ts'
import type { Sent } from '../client.ts'
import type { Workspace } from '../service/setup.ts'
import type { Item } from '../world/expressions.ts'
import type { World } from '../world/world.ts'

export interface Observed {
  world: World
  sent: readonly Sent[]
  workspaces: readonly Workspace[]
  /** Secrets of webhook endpoints, by id, as clients got them. */
  secrets: ReadonlyMap<string, string>
  /** API keys that clients have created. */
  keys: readonly string[]
  /** Whether everything came to rest. */
  isOver: boolean
}

export interface LedgerEntry {
  runId: string
  kind: 'reserve' | 'capture' | 'release' | 'grant'
  credits: number
  unit: 'video' | 'avatar'
  metered: boolean
}

/** The final rows, by kind. */
export interface Facts extends Observed {
  items: readonly Item[]
  records: ReadonlyMap<string, WorkspaceRecord>
  videos: readonly Video[]
  deliveries: readonly Delivery[]
  webhooks: readonly Webhook[]
  syncJobs: readonly SyncJob[]
  uploads: readonly Upload[]
  accounts: readonly Account[]
  postings: readonly Posting[]
  journal: readonly JournalEntry[]
  ledger: (workspaceId: string) => LedgerEntry[]
  /** Bytes by storage key. */
  counted: ReadonlyMap<string, number>
}

export const workspaceOf = (pk: string) => /^(?:WS|RATE)#([^#]+)/.exec(pk)?.[1]

export function factsOf(observed: Observed): Facts {
  const items = observed.world.table.items()
  const withSort = <Row>(matches: (sk: string, pk: string) => boolean) =>
    items.filter(({ pk, sk }) => matches(String(sk), String(pk))) as unknown as Row[]
  const objects = withSort<{ pk: string; sk: string; bytes: number }>((sk) => sk.startsWith('OBJ#'))
  return {
    ...observed,
    items,
    records: new Map(
      withSort<WorkspaceRecord>((sk, pk) => sk === 'META' && pk.startsWith('WS#')).map((one) => [one.id, one]),
    ),
    videos: withSort<Video>((sk) => sk === 'VIDEO'),
    deliveries: withSort<Delivery>((sk) => sk === 'DELIVERY'),
    webhooks: withSort<Webhook>((sk) => sk.startsWith('whk_')),
    syncJobs: withSort<SyncJob>((sk) => sk.startsWith('ACTION#')),
    uploads: withSort<Upload>((sk) => sk === 'UPLOAD'),
    accounts: withSort<Account>((sk, pk) => pk.endsWith('#PROFILES') && sk.includes('#')),
    postings: withSort<Posting>((sk) => sk.startsWith('POSTING#')),
    journal: withSort<JournalEntry>((sk, pk) => pk.endsWith('#EVENTS') && sk.startsWith('evt_')),
    ledger: (workspaceId) => observed.world.table.partition(`WS#${workspaceId}#LEDGER`) as unknown as LedgerEntry[],
    counted: new Map(
      objects.map(({ pk, sk, bytes }) => [`${workspaceOf(pk)}/${pk.split('#')[3]}/${sk.slice('OBJ#'.length)}`, bytes]),
    ),
  }
}

/** Clocks may differ by a second, and queues delay by whole seconds. */
export const skewMs = 1_500

export const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

export const differs = (what: string, stored: unknown, expected: unknown) =>
  stored === expected ? [] : [`${what} is ${stored}, but should be ${expected}.`]

export const reported =
  (name: string) =>
  ({ world: { monitor } }: Facts) =>
    monitor.broken.filter(({ invariant }) => invariant === name).map(({ what }) => what)
