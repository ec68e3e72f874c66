/** Watches every write of the table: what a final state cannot show. */
import type { Posting } from '../../../lib/domain/publishing/posting.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { DomainEvent } from '../../../lib/domain/records/event.ts'
import type { JobKind } from '../../../lib/domain/records/jobs.ts'
import type { SyncJob } from '../../../lib/domain/records/sync-job.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import type { Item } from './expressions.ts'
import { isRunning, type Task } from './schedule.ts'

export interface EndedRun {
  kind: JobKind
  runId: string
  videoId: string
  workspaceId: string
  status: string
  /** Writes a script only. */
  isScript: boolean
}

const kinds: readonly JobKind[] = ['process', 'render', 'publish']
const terminal = new Set(['COMPLETED', 'FAILED'])
/** Of uploads and sync jobs. */
const openStates = new Set(['waiting', 'RUNNING'])
const skewMs = 1_500
/** Between a decision and its commit, with repeats of the request. */
const commitMsMax = 60_000

const statusOf = (item: Item | undefined) => item?.status as string | undefined
const endOf = (item: Item | undefined) => (item?.end as Posting['end'] | undefined)?.status

export type Monitor = ReturnType<typeof createMonitor>

export function createMonitor(now: () => number, writer: () => Task | undefined) {
  /** By the invariant that they break. */
  const broken: { invariant: string; what: string }[] = []
  const ended = new Map<string, EndedRun>()
  const removed = new Set<string>()
  const videos = new Map<string, { workspaceId: string; isDerived: boolean }>()
  const events = new Map<string, { workspaceId: string; event: DomainEvent }>()
  const changedWebhooks = new Set<string>()
  const webhooks = new Map<string, Webhook & { storedAt: number }>()
  const failedAttempts = new Map<string, number>()
  /** Whether the last recorded attempt for an endpoint was acknowledged; undefined where attempts overlapped. */
  const lastAttempts = new Map<string, boolean | undefined>()
  /** When the last attempt of a delivery began. */
  const leasedAt = new Map<string, number>()
  /** The workers that hold the leases of deliveries. */
  const leaseHolders = new Map<string, Task>()
  /** When an endpoint last counted a failure. */
  const failedAt = new Map<string, number>()
  /** Storage keys that were ever counted. */
  const everCounted = new Set<string>()
  /** Runs of sync jobs that are complete, by workspace and idempotency key. */
  const answered = new Map<string, string>()
  /** What is posted to which account, by the id of the post. */
  const postings = new Map<string, string>()
  /** Videos by the request that created them. */
  const creations = new Map<number, string>()
  /** Permits for runs, by workspace. */
  const permitsMax = new Map<string, number>()
  /** Runs of completed sync jobs, and their workspaces. */
  const completedJobs = new Map<string, string>()
  /** How often an event is replayed to an endpoint. */
  const replays = new Map<string, number>()
  /** Ids of deliveries that a client has resent. */
  const resent = new Set<string>()

  const report = (invariant: string, what: string) => void broken.push({ invariant, what })

  function watchVideo(before: Video | undefined, after: Video | undefined): void {
    if (after && !before) {
      const isDerived = after.run !== undefined || after.type === 'video'
      videos.set(after.id, { workspaceId: after.workspaceId, isDerived })
      watchCreation(after.id)
    }
    if (!after) {
      removed.add(before!.id)
      return
    }
    for (const kind of kinds) {
      const [was, is] = [before?.[kind], after[kind]]
      if (!is) continue
      if (was?.runId === is.runId) {
        if (terminal.has(was.status) && was.status !== is.status)
          report('I4', `The ${kind} run ${is.runId} went from ${was.status} to ${is.status}.`)
        if ('progress' in is && 'progress' in was && is.progress < was.progress)
          report('I4', `The progress of the ${kind} run ${is.runId} fell from ${was.progress} to ${is.progress}.`)
      } else if (was && !terminal.has(was.status) && was.status !== 'SCHEDULED') {
        report('I4', `The open ${kind} run ${was.runId} was replaced by ${is.runId}.`)
      }
      const wasEnded = was?.runId === is.runId && terminal.has(was.status)
      if (!terminal.has(is.status) || wasEnded) continue
      ended.set(`${kind} ${is.runId}`, {
        kind,
        runId: is.runId,
        videoId: after.id,
        workspaceId: after.workspaceId,
        status: is.status,
        isScript: 'work' in is && is.work === 'script',
      })
    }
  }

  function watchCreation(videoId: string): void {
    const request = writer()
    if (!request?.name.startsWith('api/')) return
    const first = creations.get(request.id)
    if (first) report('I3', `One ${request.name} created the videos ${first} and ${videoId}.`)
    creations.set(request.id, videoId)
  }

  function watchDelivery(before: Delivery | undefined, after: Delivery | undefined): void {
    if (!before || !after) return
    if (before.status !== 'pending' && before.status !== after.status)
      report('I4', `The delivery ${after.id} went from ${before.status} to ${after.status}.`)
    watchLease(before, after)
    if (before.payload !== after.payload) report('I7', `The body of the delivery ${after.id} changed.`)
    if (after.attempts === before.attempts) leasedAt.set(after.id, now())
    else lastAttempts.set(after.webhookId, outcomeOf(after))
    if (after.attempts === before.attempts + 1 && after.status === 'pending') watchBackoff(after)
    if (after.attempts > before.attempts + 1 || after.attempts < before.attempts)
      report('I8', `The delivery ${after.id} went from ${before.attempts} to ${after.attempts} attempts.`)
  }

  /** A worker that runs may still send: its lease has to outlive it. */
  function watchLease(before: Delivery, { id, leaseUntil, claims }: Delivery): void {
    if (leaseUntil === null) leaseHolders.delete(id)
    else if (claims > before.claims) {
      const [holder, worker] = [leaseHolders.get(id), writer()!]
      if (holder && holder !== worker && isRunning(holder))
        report('I8', `The delivery ${id} was claimed while another worker held it.`)
      leaseHolders.set(id, worker)
    }
  }

  /** The delay is 4^n seconds with 10 % jitter, or a longer one that the receiver requested, up to the next delay. */
  function watchBackoff({ id, attempts, nextAttemptAt }: Delivery): void {
    const delayMs = Date.parse(nextAttemptAt!) - now()
    if (delayMs > 4_000 * 4 ** attempts + skewMs || delayMs < 900 * 4 ** attempts - commitMsMax)
      report('I8', `After ${attempts} attempts the delivery ${id} waits for ${delayMs} ms.`)
  }

  /** Undefined for a success that overlapped a failure: either may be the later one. */
  function outcomeOf({ id, webhookId, status }: Delivery): boolean | undefined {
    if (status !== 'delivered') return false
    return leasedAt.get(id)! > (failedAt.get(webhookId) ?? 0) ? true : undefined
  }

  function watchSyncJob(before: SyncJob | undefined, after: SyncJob): void {
    const { workspaceId, runId, status, answerScope } = after
    if (before?.runId === runId) watchEnd(`The sync job ${runId}`, before.status, status)
    if (status === 'COMPLETED') completedJobs.set(runId, workspaceId)
    if (!answerScope) return
    const key = `${workspaceId} ${answerScope.key}`
    const first = answered.get(key)
    if (first !== undefined && first !== runId)
      report('I3', `The key ${answerScope.key} started ${runId} after ${first}.`)
    if (status === 'COMPLETED') answered.set(key, runId)
  }

  /** An upload, a posting or a sync job that has ended stays as it ended. */
  function watchEnd(name: string, before: string | undefined, after: string | undefined): void {
    const isEnded = before !== undefined && !openStates.has(before)
    if (isEnded && after !== undefined && after !== before) report('I4', `${name} went from ${before} to ${after}.`)
  }

  function watchWebhook(before: Webhook | undefined, after: Webhook | undefined): void {
    if (after) webhooks.set(after.id, { ...after, storedAt: webhooks.get(after.id)?.storedAt ?? now() })
    if (!before) return
    const isSame = after && before.url === after.url && before.enabled === after.enabled && before.epoch === after.epoch
    if (!isSame) changedWebhooks.add(before.id)
    if (after?.enabled && !before.enabled && after.failureCount > 0)
      report('I12', `The endpoint ${after.id} is enabled again with ${after.failureCount} failures.`)
    if (!after || after.failureCount <= before.failureCount) return
    failedAt.set(after.id, now())
    failedAttempts.set(after.id, (failedAttempts.get(after.id) ?? 0) + after.failureCount - before.failureCount)
  }

  return {
    broken,
    ended,
    /** Ids of removed videos. */
    removed,
    videos,
    events,
    webhooks,
    changedWebhooks,
    failedAttempts,
    lastAttempts,
    everCounted,
    postings,
    permitsMax,
    completedJobs,
    replays,
    resent,
    onWrite(key: { pk: string; sk: string }, before: Item | undefined, after: Item | undefined): void {
      const { sk } = key
      if (sk === 'VIDEO') watchVideo(before as Video | undefined, after as Video | undefined)
      else if (sk === 'DELIVERY') watchDelivery(before as Delivery | undefined, after as Delivery | undefined)
      else if (sk.startsWith('OBJ#')) {
        const [, workspaceId, , videoId] = key.pk.split('#')
        everCounted.add(`${workspaceId}/${videoId}/${sk.slice('OBJ#'.length)}`)
      } else if (sk.startsWith('ACTION#') && after)
        watchSyncJob(before as SyncJob | undefined, after as unknown as SyncJob)
      else if (sk === 'UPLOAD') watchEnd(`The upload ${key.pk}`, statusOf(before), statusOf(after))
      else if (sk.startsWith('POSTING#') && after) {
        watchEnd(`The posting ${sk}`, endOf(before), endOf(after))
        const { post, videoId, accountId } = after as unknown as Posting
        postings.set(post.id, `The video ${videoId} with '${post.caption}' to the account ${accountId}`)
      } else if (sk.startsWith('PROGRESS#') && before && after) {
        if (Number(after.progress ?? 0) < Number(before.progress ?? 0))
          report('I4', `The progress of ${sk} fell from ${before.progress} to ${after.progress}.`)
      } else if (sk === 'HEAD' && before && after) {
        if (Number(after.sequence) <= Number(before.sequence))
          report('I6', `The head of the journal went from ${before.sequence} to ${after.sequence}.`)
      } else if (sk === 'runs' && key.pk.endsWith('#SEMAPHORES') && after) {
        const holders = (after.holders as Set<string> | undefined)?.size ?? 0
        if (holders > (permitsMax.get(key.pk.split('#')[1]!) ?? holders))
          report('I19', `${holders} runs hold permits at once.`)
      } else if (sk.startsWith('whk_')) watchWebhook(before as Webhook | undefined, after as Webhook | undefined)
      else if (sk.startsWith('OUT#evt_') && after && !before) {
        const { event, workspaceId } = after as unknown as { event: DomainEvent; workspaceId: string }
        events.set(event.id, { workspaceId, event })
      } else if (sk.startsWith('OUT#replay#') && after && !before) {
        const { webhookId, eventIds } = after as unknown as { webhookId: string; eventIds: string[] }
        for (const id of eventIds) replays.set(`${webhookId} ${id}`, (replays.get(`${webhookId} ${id}`) ?? 0) + 1)
      } else if (after?.kind === 'wake' && !before) {
        resent.add((after as unknown as { deliveryId: string }).deliveryId)
      } else if (sk.startsWith('evt_') && before) report('I6', `The entry ${sk} of the journal was changed or deleted.`)
      else if (key.pk.endsWith('#LEDGER') && before) report('I2', `The ledger entry ${sk} was written twice.`)
    },
  }
}
