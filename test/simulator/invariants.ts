/** The promises of the service, each checked on the final state of a run and on what clients, receivers and platforms saw. */

import * as routes from '../../lib/contract/routes.ts'
import { isReadyToPublish, runOutcome } from '../../lib/domain/automations/clip-runs.ts'
import { isOpen, videoStatus } from '../../lib/domain/core/states.ts'
import type { Posting } from '../../lib/domain/publishing/posting.ts'
import type { Account } from '../../lib/domain/records/account.ts'
import type { Delivery } from '../../lib/domain/records/delivery.ts'
import type { DomainEvent } from '../../lib/domain/records/event.ts'
import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import type { Upload } from '../../lib/domain/records/upload.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import type { Webhook } from '../../lib/domain/records/webhook.ts'
import { deliveryAttemptsMax } from '../../lib/domain/webhooks/delivery-attempts.ts'
import type { JournalEntry } from '../../lib/domain/webhooks/event-journal.ts'
import { bodyDigest, standardDigest, webhookHeaders } from '../../lib/domain/webhooks/signature.ts'
import type { Workspace as WorkspaceRecord } from '../../lib/domain/workspaces/workspace.ts'
import type { Answer, Sent } from './client.ts'
import type { Workspace } from './service/setup.ts'
import type { Item } from './world/expressions.ts'
import type { World } from './world/world.ts'

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

export interface Invariant {
  name: string
  promise: string
  /** What breaks it; empty where it holds. */
  check: (facts: Facts) => string[]
  /** What has to hold at every time, also among faults. */
  always?: (facts: Facts) => string[]
}

export interface Violation {
  invariant: string
  promise: string
  what: string
}

interface LedgerEntry {
  runId: string
  kind: 'reserve' | 'capture' | 'release' | 'grant'
  credits: number
  unit: 'video' | 'avatar'
  metered: boolean
}

/** The final rows, by kind. */
interface Facts extends Observed {
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

const workspaceOf = (pk: string) => /^(?:WS|RATE)#([^#]+)/.exec(pk)?.[1]

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
const skewMs = 1_500

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const differs = (what: string, stored: unknown, expected: unknown) =>
  stored === expected ? [] : [`${what} is ${stored}, but should be ${expected}.`]

function balances({ workspaces, records, ledger }: Facts): string[] {
  return workspaces.flatMap(({ id, creditsAtStart }) => {
    const record = records.get(id)!
    const entries = ledger(id).filter(({ metered }) => metered)
    const total = (kind: LedgerEntry['kind'], unit: LedgerEntry['unit']) =>
      sum(entries.filter((one) => one.kind === kind && one.unit === unit).map(({ credits }) => credits))
    const balance = (unit: LedgerEntry['unit']) =>
      total('grant', unit) + total('release', unit) - total('reserve', unit)
    return [
      ...differs(`The balance of ${id}`, record.creditsBalance, creditsAtStart + balance('video')),
      ...differs(`The avatar balance of ${id}`, record.avatarCreditsBalance, balance('avatar')),
      ...differs(
        `The reserved credits of ${id}`,
        record.creditsReserved,
        total('reserve', 'video') - total('release', 'video') - total('capture', 'video'),
      ),
      ...(record.creditsBalance < 0 ? [`The balance of ${id} is ${record.creditsBalance}.`] : []),
    ]
  })
}

function settledRuns({ workspaces, ledger, isOver }: Facts): string[] {
  if (!isOver) return []
  return workspaces.flatMap(({ id }) => {
    const runs = Map.groupBy(
      ledger(id).filter(({ kind }) => kind !== 'grant'),
      ({ runId }) => runId,
    )
    return [...runs].flatMap(([runId, entries]) => {
      const reserved = sum(entries.filter(({ kind }) => kind === 'reserve').map(({ credits }) => credits))
      const settled = sum(entries.filter(({ kind }) => kind !== 'reserve').map(({ credits }) => credits))
      return differs(`What was captured and released of the run ${runId}`, settled, reserved)
    })
  })
}

/** A generation that is complete is paid, and one that failed is not. */
function paidAsEnded({ world: { monitor }, ledger }: Facts): string[] {
  return [...monitor.ended.values()].flatMap(({ kind, runId, workspaceId, status }) => {
    const wrong = status === 'COMPLETED' ? 'release' : 'capture'
    const entry = ledger(workspaceId).find((one) => one.runId === runId && one.kind === wrong)
    return kind === 'process' && entry ? [`The run ${runId} ended ${status}, and has a ${wrong} in the ledger.`] : []
  })
}

/** Of all requests that create a video or queue a run, each with a key once. */
function oneEffectPerKey({ sent, world: { monitor } }: Facts): string[] {
  const creating = new Set(['POST /videos', 'POST /videos/{id}/clips', 'POST /automations'])
  const isAccepted = (request: Sent) =>
    request.answers.some((answer) => answer === null || answer.status < 300 || answer.status >= 500)
  const possible = sent
    .filter(({ route }) => creating.has(route))
    .filter(isAccepted)
    .reduce((total, { key, answers }) => total + (key ? 1 : answers.length), 0)
  const created = [...monitor.videos.values()].filter(({ isDerived }) => !isDerived).length
  const ids = sent.flatMap(({ key, answers, route }) => {
    if (!key || !creating.has(route)) return []
    const found = new Set(
      answers.flatMap((answer) => (answer && answer.status < 300 ? [(answer.body.data as { id: string }).id] : [])),
    )
    return found.size > 1 ? [`The key ${key} gave the videos ${[...found].join(' and ')}.`] : []
  })
  const keysOf = Map.groupBy(
    sent.flatMap(({ key, route, answers }) =>
      key && creating.has(route)
        ? answers.flatMap((answer) =>
            answer && answer.status < 300 ? [{ key, id: (answer.body.data as { id: string }).id }] : [],
          )
        : [],
    ),
    ({ id }) => id,
  )
  for (const [id, uses] of keysOf)
    if (new Set(uses.map(({ key }) => key)).size > 1) ids.push(`Two keys gave the video ${id}.`)
  return created > possible ? [...ids, `${possible} requests created ${created} videos.`] : ids
}

const reported =
  (name: string) =>
  ({ world: { monitor } }: Facts) =>
    monitor.broken.filter(({ invariant }) => invariant === name).map(({ what }) => what)

function nothingWaits({ isOver, videos, syncJobs, deliveries, items, world }: Facts): string[] {
  if (!isOver) return ['The run did not come to rest.']
  const now = new Date(world.schedule.now() - 5 * 60_000).toISOString()
  const open = videos.flatMap((video) =>
    (['process', 'render', 'publish'] as const)
      .filter((kind) => isOpen(video[kind]))
      .map((kind) => `The ${kind} of ${video.id} is still open.`),
  )
  const overdue = items
    .filter(({ dueSk, duePk }) => duePk && String(dueSk) < now)
    .map(({ pk, sk }) => `${pk}/${sk} is overdue.`)
  const running = syncJobs
    .filter(({ status }) => status === 'RUNNING')
    .map(({ runId }) => `The sync job ${runId} still runs.`)
  const pending = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ id }) => `The delivery ${id} is still pending.`)
  const existing = new Set(videos.map(({ id }) => id))
  // One whose automation was deleted stays with its client.
  const undecided = videos
    .filter(({ run, parentVideoId }) => run && !run.isOver && existing.has(parentVideoId ?? ''))
    .filter((clip) => runOutcome(clip) !== undefined || (clip.run!.isManual && isReadyToPublish(clip)))
    .map(({ id }) => `The run of the clip ${id} could end or publish, and does not.`)
  return [...open, ...overdue, ...running, ...pending, ...undecided]
}

const eventOf: Record<string, string | undefined> = {
  'process COMPLETED': 'video.generation_completed',
  'process FAILED': 'video.generation_failed',
  'render COMPLETED': 'video.render_completed',
  'render FAILED': 'video.render_failed',
  'publish COMPLETED': 'video.published',
  'publish FAILED': 'video.publish_failed',
}

const videoIdOf = ({ facts }: DomainEvent) => (facts as { video?: { id: string } }).video?.id

/**
 * Each event is in the journal once, in one order without gaps, which for a video is that of the commits; each ended run
 * has its one event.
 */
function journalled({ world: { monitor }, journal, workspaces, isOver }: Facts): string[] {
  if (!isOver) return []
  const entered = new Map(journal.map((entry) => [entry.id, entry]))
  const missing = [...monitor.events.keys()]
    .filter((id) => !entered.has(id))
    .map((id) => `The event ${id} is not in the journal.`)
  if (missing.length > 0) return missing
  const gaps = workspaces.flatMap(({ id }) => {
    const numbers = journal.filter(({ workspaceId }) => workspaceId === id).map(({ sequence }) => sequence)
    const first = Math.min(...numbers)
    return differs(
      `The journal of ${id}`,
      numbers.toSorted((a, b) => a - b).join(),
      numbers.map((_, index) => first + index).join(),
    )
  })
  const disordered = [...Map.groupBy(monitor.events.values(), ({ event }) => videoIdOf(event))].flatMap(
    ([videoId, committed]) =>
      videoId === undefined
        ? []
        : differs(
            `The journal of the video ${videoId}`,
            committed
              .map(({ event }) => event.id)
              .toSorted((a, b) => entered.get(a)!.sequence - entered.get(b)!.sequence)
              .join(),
            committed.map(({ event }) => event.id).join(),
          ),
  )
  const told = new Map<string, string[]>()
  for (const { event } of monitor.events.values()) {
    const { video } = event.facts as { video?: Pick<Video, 'process' | 'render' | 'publish'> }
    const [, subject] = /^video\.(generation|render|publish)/.exec(event.type) ?? []
    const kind = subject === 'generation' ? 'process' : (subject as 'render' | 'publish' | undefined)
    const runId = kind && video?.[kind]?.runId
    if (runId) told.set(runId, [...(told.get(runId) ?? []), event.type])
  }
  const untold = [...monitor.ended.values()].flatMap(({ kind, runId, status, isScript }) => {
    if (isScript && status === 'COMPLETED') return []
    const types = told.get(runId) ?? []
    const expected = eventOf[`${kind} ${status}`]
    return types.length === 1 && types[0] === expected
      ? []
      : [`The ${kind} run ${runId} ended ${status}, and has the events [${types.join()}].`]
  })
  return [...gaps, ...disordered, ...untold]
}

const sequenceOf = ({ payload }: Delivery) => Number(/"sequence":(\d+)/.exec(payload)?.[1])

function delivered({ journal, deliveries, world: { received, monitor } }: Facts): string[] {
  const rows = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const acknowledged = new Set(
    received.filter(({ status }) => status !== null && status < 300).map(({ deliveryId }) => deliveryId),
  )
  const lost = journal.flatMap(({ id, deliveryIds }) =>
    deliveryIds.filter((one) => !rows.has(one)).map((one) => `The delivery ${one} of the event ${id} is lost.`),
  )
  const expected = journal.flatMap(({ id, event, createdAt, workspaceId, sequence }) => {
    const subscribed = [...monitor.webhooks.values()].filter(
      (webhook) =>
        webhook.workspaceId === workspaceId &&
        !monitor.changedWebhooks.has(webhook.id) &&
        webhook.events.includes(event) &&
        webhook.storedAt < Date.parse(createdAt) - skewMs,
    )
    return subscribed.flatMap((webhook) =>
      deliveries.filter((one) => one.webhookId === webhook.id && sequenceOf(one) === sequence).length > 0
        ? []
        : [`The event ${id} has no delivery to ${webhook.id}.`],
    )
  })
  const untrue = deliveries.flatMap(({ id, status, attempts, lastError }) => {
    if (status === 'delivered' && !acknowledged.has(id)) return [`The delivery ${id} was not acknowledged.`]
    const isDropped = /Dropped|Abandoned/.test(lastError ?? '')
    const isEnded = attempts >= deliveryAttemptsMax || isDropped || /410/.test(lastError ?? '')
    return status === 'failed' && !isEnded ? [`The delivery ${id} failed after ${attempts} attempts: ${lastError}`] : []
  })
  return [...lost, ...expected, ...untrue]
}

/** The first delay is 4 s with 10 % jitter, and clocks may differ by a second; a lease is longer. */
const gapMsMin = 2_500
function attemptsSpaced({ deliveries, world: { received } }: Facts): string[] {
  const requests = Map.groupBy(
    received.filter(({ deliveryId }) => deliveryId),
    ({ deliveryId }) => deliveryId,
  )
  return deliveries.flatMap(({ id, attempts, claims, payload }) => {
    const made = requests.get(id) ?? []
    const close = made.slice(1).filter(({ at }, index) => at - made[index]!.at < gapMsMin)
    return [
      ...(attempts > deliveryAttemptsMax ? [`The delivery ${id} has ${attempts} attempts.`] : []),
      ...(made.length > claims
        ? [`The delivery ${id} was claimed ${claims} times and sent ${made.length} times.`]
        : []),
      ...made.flatMap(({ at, dueAt }) =>
        dueAt !== null && at < dueAt - skewMs ? [`The delivery ${id} was sent ${dueAt - at} ms early.`] : [],
      ),
      ...(close.length > 0 ? [`The delivery ${id} was sent twice within ${gapMsMin} ms.`] : []),
      ...(made.some(({ body }) => body !== payload) ? [`The delivery ${id} was sent with another body.`] : []),
    ]
  })
}

function bytesCounted({
  workspaces,
  records,
  videos,
  uploads,
  items,
  counted,
  isOver,
  world: { storage, monitor, faults },
}: Facts): string[] {
  const existing = new Set(videos.map(({ id }) => id))
  const usage = items.filter(({ sk }) => sk === 'HOLDINGS') as unknown as {
    pk: string
    storedBytes: number
    clips: number
  }[]
  const perVideo = usage.flatMap(({ pk, storedBytes, clips }) => {
    const [, workspaceId, , videoId] = pk.split('#') as [string, string, string, string]
    const own = [...counted].filter(([key]) => key.startsWith(`${workspaceId}/${videoId}/`))
    const children = videos.filter(({ parentVideoId }) => parentVideoId === videoId).length
    return [
      ...differs(`The bytes of ${videoId}`, storedBytes, sum(own.map(([, bytes]) => bytes))),
      ...differs(`The number of clips of ${videoId}`, clips, children),
    ]
  })
  const perWorkspace = workspaces.flatMap(({ id }) => {
    // The bytes of a deleted video are returned before its rows are deleted.
    const own = [...counted].filter(([key]) => key.startsWith(`${id}/`) && existing.has(key.split('/')[1] ?? ''))
    const objects = sum(own.map(([, bytes]) => bytes))
    const reserved = sum(
      uploads.filter((one) => one.workspaceId === id && one.status === 'waiting').map((one) => one.reservedBytes ?? 0),
    )
    return differs(`The used bytes of ${id}`, records.get(id)!.storageUsedBytes, objects + reserved)
  })
  const uncounted = [...storage.objects].flatMap(([key, { body }]) => {
    const bytes = counted.get(key)
    // One that was released is deleted with its video.
    const isUnknown = !monitor.everCounted.has(key) && existing.has(key.split('/')[1] ?? '')
    if (isUnknown) return [`The object ${key} was never counted.`]
    return bytes !== undefined && bytes !== body.byteLength
      ? [`The object ${key} has ${body.byteLength} bytes, and is counted as ${bytes}.`]
      : []
  })
  // Bytes are counted before they are stored: a fault between the two leaves them counted until the video is deleted.
  const absent =
    isOver && faults.injected.size === 0
      ? [...counted.keys()]
          .filter((key) => !storage.objects.has(key) && existing.has(key.split('/')[1] ?? ''))
          .map((key) => `The object ${key} is counted, and does not exist.`)
      : []
  return [...perVideo, ...perWorkspace, ...uncounted, ...absent]
}

/** Objects that the deletion of artefacts released before it ended are deleted with their video. */
function noOrphans({ videos, items, world: { storage } }: Facts): string[] {
  const existing = new Set(videos.map(({ id }) => id))
  const orphans = [...storage.objects.keys()].filter(
    (key) => key.split('/')[1] !== 'library' && !existing.has(key.split('/')[1] ?? ''),
  )
  const rows = items.flatMap(({ pk, sk }) => {
    const [, id] = /#VID#([^#]+)$/.exec(String(pk)) ?? []
    return id && !existing.has(id) ? [`The row ${sk} of the deleted video ${id} is left.`] : []
  })
  return [...orphans.map((key) => `The object ${key} has no video.`), ...rows]
}

function tenantsApart({ items, workspaces }: Facts): string[] {
  return items.flatMap((item) => {
    const owner = workspaceOf(String(item.pk))
    const others = workspaces.filter(({ id }) => id !== owner)
    if (!owner || others.length === 0) return []
    const text = JSON.stringify(item)
    return others
      .filter(({ id }) => text.includes(id))
      .map(({ id }) => `${item.pk}/${item.sk} names the workspace ${id}.`)
  })
}

/** A request that names a record of another workspace finds nothing. */
function foreignersRefused({ sent, world: { monitor } }: Facts): string[] {
  return sent.flatMap(({ route, path, workspaceId, answers }) => {
    const [, id = ''] = /^\/(?:videos|automations|webhooks)\/([^/]+)/.exec(path) ?? []
    const owner = (monitor.videos.get(id) ?? monitor.webhooks.get(id))?.workspaceId
    const isAnswered = answers.some((answer) => answer && answer.status !== 404 && answer.status < 500)
    return owner !== undefined && owner !== workspaceId && isAnswered
      ? [`${route} of the workspace ${workspaceId} found ${id} of ${owner}.`]
      : []
  })
}

function failuresCounted({ webhooks, world: { received, monitor } }: Facts): string[] {
  return webhooks.flatMap(({ id, url, failureCount, enabled, disabledReason }) => {
    const isLastOk = monitor.changedWebhooks.has(id) ? undefined : monitor.lastAttempts.get(id)
    const failed = received.filter((one) => one.url === url && (one.status === null || one.status >= 300)).length
    const unanswered = monitor.failedAttempts.get(id) ?? 0
    return [
      ...(isLastOk === true && failureCount > 0 ? [`The endpoint ${id} counts failures after a success.`] : []),
      ...(isLastOk === false && failureCount === 0 ? [`The endpoint ${id} does not count its last failure.`] : []),
      ...(failureCount > unanswered ? [`The endpoint ${id} counts ${failureCount} failures of ${unanswered}.`] : []),
      ...(failed === 0 && failureCount > 0 && received.some((one) => one.url === url) && unanswered === 0
        ? [`The endpoint ${id} counts failures without one.`]
        : []),
      ...(enabled && failureCount >= 25 ? [`The endpoint ${id} is enabled after ${failureCount} failures.`] : []),
      // A new URL begins at 0.
      ...(!enabled && disabledReason && /in a row/.test(disabledReason) && failureCount > 0 && failureCount < 25
        ? [`The endpoint ${id} was disabled after ${failureCount} failures.`]
        : []),
    ]
  })
}

/** A clip is made once for each number, and a slot decided once. */
function slotsOnce({ videos, items, world: { monitor } }: Facts): string[] {
  return videos
    .filter(({ automation }) => automation)
    .flatMap(({ id, automation }) => {
      const made = [...monitor.events.values()].filter(
        ({ event }) => event.type === 'automation.clip_created' && event.facts.automation.id === id,
      ).length
      const slots = items.filter(({ pk, sk }) => String(pk).endsWith(`#${id}`) && String(sk).startsWith('SLOT#'))
      const published = slots.filter(({ outcome }) => outcome === 'published').map(({ clipId }) => clipId)
      return [
        ...differs(`The number of clips of the automation ${id}`, automation!.runs, made),
        ...(new Set(published).size < published.length
          ? [`A clip of the automation ${id} was published in two slots.`]
          : []),
      ]
    })
}

function postedOnce({ world: { posts, monitor }, postings, videos, isOver }: Facts): string[] {
  const doubled = [...Map.groupBy(posts, ({ post, account }) => `${post} ${account}`)]
    .filter(([, accepted]) => accepted.length > 1)
    .map(([name, accepted]) => `The post ${name} was accepted ${accepted.length} times.`)
  const ended = postings.flatMap(({ post, end }) => {
    const accepted = posts.find((one) => one.post === post.id)
    if (end?.status === 'COMPLETED' && !accepted) return [`The post ${post.id} is reported, but does not exist.`]
    if (end?.status === 'FAILED' && end.error.code !== 'publish-outcome-unknown' && accepted)
      return [`The post ${post.id} exists, but is reported as failed: ${end.error.code}.`]
    return []
  })
  const isAccepted = (post: string) => posts.some((one) => one.post === post)
  const shown = videos.flatMap(({ publish }) =>
    (publish?.results ?? []).flatMap(({ status, accountId, error }) => {
      const post = `${publish!.runId}-${accountId}`
      if (status === 'COMPLETED' && !isAccepted(post))
        return [`The video shows the post ${post}, which does not exist.`]
      return status === 'FAILED' && error?.code !== 'publish-outcome-unknown' && isAccepted(post)
        ? [`The video shows the post ${post} as failed, but it exists.`]
        : []
    }),
  )
  // A run is shorter than the 24 hours within which a post is not repeated.
  const repeated = [...Map.groupBy(posts, ({ post }) => monitor.postings.get(post))]
    .filter(([subject, accepted]) => subject !== undefined && accepted.length > 1)
    .map(([subject, accepted]) => `${subject} was posted ${accepted.length} times.`)
  const open = isOver
    ? videos.flatMap(
        ({ publish }) => publish?.results.filter(isOpen).map(() => `A result of ${publish.runId} is open.`) ?? [],
      )
    : []
  return [...doubled, ...ended, ...shown, ...repeated, ...open]
}

/** After the answer to a DELETE, the record is gone for every later request. */
function deletedIsGone({ sent }: Facts): string[] {
  const deletions = sent.flatMap(({ route, path, answers, endedAt }) =>
    route.startsWith('DELETE') &&
    /\/(videos|automations|webhooks)\/[^/]+$/.test(path) &&
    answers.some((answer) => answer?.status === 200)
      ? [{ id: path.split('/').at(-1)!, endedAt }]
      : [],
  )
  return deletions.flatMap(({ id, endedAt }) =>
    sent
      .filter((one) => one.startedAt > endedAt && one.path.split('/').includes(id))
      .filter(({ answers }) => answers.some((answer) => answer !== null && answer.status < 400))
      .map(({ route }) => `${id} was deleted, and ${route} found it later.`),
  )
}

function referencesExist({ videos, world: { storage, monitor } }: Facts): string[] {
  return videos.flatMap(({ id, media, timelines, scriptKey, render, clearedVersion, publish }) => {
    const keys = [
      media.sourceKey,
      media.audioKey,
      media.captionsKey,
      media.thumbnailKey,
      media.renderKey,
      scriptKey,
      ...Object.values(timelines),
      render?.manifestKey,
      isOpen(publish) ? publish?.film?.key : null,
    ]
    const missing = keys.filter(
      (key) => key && !storage.objects.has(key) && !monitor.removed.has(key.split('/')[1] ?? ''),
    )
    const isShown = media.renderKey !== null && render?.status === 'COMPLETED'
    return [
      ...missing.map((key) => `The video ${id} names ${key}, which does not exist.`),
      ...(isShown && render.inputVersion! < clearedVersion
        ? [`${id} shows a render of scenes that have changed.`]
        : []),
    ]
  })
}

/** Answers to repeats of one request are equal, but for those that it is still in progress. */
function repeatsAreEqual({ sent }: Facts): string[] {
  return sent.flatMap(({ key, route, answers, late }) => {
    if (!key) return []
    if (
      late &&
      isFinal(late.last) &&
      isFinal(late.repeat) &&
      withoutWarnings(late.last.text) !== withoutWarnings(late.repeat.text)
    )
      return [`${route} with the key ${key} was answered otherwise minutes later.`]
    const texts = new Set(
      answers.flatMap((answer) =>
        answer && answer.status < 300 && answer.status !== 202 ? [withoutWarnings(answer.text)] : [],
      ),
    )
    // A publication may be answered before and after its end.
    const answersMax = route === routes.publishVideo.signature ? 2 : 1
    return texts.size > answersMax ? [`${route} with the key ${key} was answered in ${texts.size} ways.`] : []
  })
}

/** Not of a request that is still in progress. */
const isFinal = ({ status }: Answer) => status < 300 && status !== 202

const withoutWarnings = (text: string) => text.replace(/,"warnings":\[.*\]\}$/, '}')

function secretsHidden({ world: { logs, received }, workspaces, secrets, keys, records, items }: Facts): string[] {
  const hidden = [
    ...workspaces.map(({ apiKey }) => apiKey),
    ...keys,
    ...secrets.values(),
    ...[...secrets.values()].map((secret) => secret.slice('whsec_'.length)),
    ...[...records.values()].map(({ mediaSecret }) => mediaSecret),
    'client-secret-of-the-deployment',
    'access-0.',
    'refresh-0.',
  ]
  const output = [...logs, ...received.map(({ body }) => body)].join('\n')
  const leaked = hidden
    .filter((secret) => output.includes(secret))
    .map((secret) => `${secret.slice(0, 10)}… is in a log or a body.`)
  const rows = JSON.stringify(items.filter(({ pk }) => !String(pk).endsWith('/META')))
  const stored = [...workspaces.map(({ apiKey }) => apiKey), ...keys, ...secrets.values()].filter((secret) =>
    rows.includes(secret),
  )
  return [...leaked, ...stored.map((secret) => `${secret.slice(0, 10)}… is in the table in clear text.`)]
}

/** A minute of the five that receivers tolerate. */
const signatureAgeMsMax = 60_000

function signaturesValid({ world: { received }, deliveries, secrets }: Facts): string[] {
  const endpoints = new Map(deliveries.map(({ id, webhookId }) => [id, webhookId]))
  return received.flatMap(({ at, deliveryId, body, headers }) => {
    const secret = secrets.get(endpoints.get(deliveryId) ?? '')
    if (!secret) return []
    const [id = '', timestamp = ''] = [headers[webhookHeaders.id], headers[webhookHeaders.timestamp]]
    return [
      ...differs(
        `The signature of ${deliveryId}`,
        headers[webhookHeaders.signature],
        bodyDigest(secret, body).toString('hex'),
      ),
      ...differs(
        `The standard signature of ${deliveryId}`,
        headers[webhookHeaders.standardSignature],
        `v1,${standardDigest(secret, { id, timestamp, body }).toString('base64')}`,
      ),
      ...(Math.abs(Number(timestamp) * 1000 - at) > signatureAgeMsMax
        ? [`The signature of ${deliveryId} is old.`]
        : []),
    ]
  })
}

const keysOf = (workspaceId: string, items: readonly Item[]) =>
  items.filter((item) => item.sk === 'KEY' && item.workspaceId === workspaceId && !item.revokedAt).length

function countersTrue({ workspaces, records, videos, webhooks, uploads, items }: Facts): string[] {
  return workspaces.flatMap(({ id }) => {
    const record = records.get(id)!
    const own = videos.filter(({ workspaceId }) => workspaceId === id)
    const listed = own.filter(({ isAutomation, parentVideoId }) => !isAutomation && !parentVideoId)
    const counts = Object.fromEntries(
      [...Map.groupBy(listed, (video) => `${video.type}#${videoStatus(video)}`)].map(([name, found]) => [
        name,
        found.length,
      ]),
    )
    const stored = Object.fromEntries(Object.entries(record.videoCounts).filter(([, count]) => count !== 0))
    const sorted = (value: object) => JSON.stringify(Object.entries(value).toSorted())
    return [
      ...differs(`The counts of videos of ${id}`, sorted(stored), sorted(counts)),
      ...differs(
        `The number of endpoints of ${id}`,
        record.webhooksUsed,
        webhooks.filter(({ workspaceId }) => workspaceId === id).length,
      ),
      ...differs(`The number of keys of ${id}`, record.apiKeysUsed, keysOf(id, items)),
      ...differs(
        `The number of automations of ${id}`,
        record.automationsUsed,
        own.filter(({ isAutomation }) => isAutomation).length,
      ),
      ...differs(
        `The number of waiting uploads of ${id}`,
        record.uploadsWaiting,
        uploads.filter((one) => one.workspaceId === id && one.status === 'waiting').length,
      ),
    ]
  })
}

/** At rest, no run holds a permit. */
function permitsFree({ workspaces, items, isOver }: Facts): string[] {
  if (!isOver) return []
  return workspaces.flatMap(({ id }) => {
    const holders = items.find(({ pk, sk }) => pk === `WS#${id}#SEMAPHORES` && sk === 'runs')?.holders
    return differs(`The number of held permits of ${id}`, (holders as Set<string> | undefined)?.size ?? 0, 0)
  })
}

export const invariants: readonly Invariant[] = [
  { name: 'I1', promise: 'The balance is the sum of the ledger.', check: balances, always: balances },
  {
    name: 'I2',
    promise: 'What a run reserved is captured or released, once.',
    check: (facts) => [...settledRuns(facts), ...paidAsEnded(facts), ...reported('I2')(facts)],
  },
  {
    name: 'I3',
    promise: 'A request with an idempotency key takes effect once.',
    check: (facts) => [...oneEffectPerKey(facts), ...reported('I3')(facts)],
  },
  { name: 'I4', promise: 'A run that has ended stays as it ended, and progress never falls.', check: reported('I4') },
  { name: 'I5', promise: 'Nothing waits for ever.', check: nothingWaits },
  {
    name: 'I6',
    promise: 'Every end of a run is one event in a journal without gaps.',
    check: (facts) => [...journalled(facts), ...reported('I6')(facts)],
  },
  {
    name: 'I7',
    promise: 'Every event reaches every endpoint, or its delivery says why not.',
    check: (facts) => [...delivered(facts), ...reported('I7')(facts)],
  },
  {
    name: 'I8',
    promise: 'A delivery is attempted at most six times, by one worker at a time, with the same bytes.',
    check: (facts) => [...attemptsSpaced(facts), ...reported('I8')(facts)],
  },
  { name: 'I9', promise: 'Used storage is the sum of the stored objects.', check: bytesCounted, always: bytesCounted },
  { name: 'I10', promise: 'Nothing is left of what was deleted.', check: noOrphans },
  {
    name: 'I11',
    promise: 'No row names another workspace, and no request finds a record of one.',
    check: (facts) => [...tenantsApart(facts), ...foreignersRefused(facts)],
  },
  {
    name: 'I12',
    promise: 'An endpoint counts its failed attempts, and is disabled after 25.',
    check: failuresCounted,
    always: failuresCounted,
  },
  { name: 'I13', promise: 'An automation makes one clip for a slot.', check: slotsOnce },
  { name: 'I14', promise: 'A post is made at most once, and reported as it is.', check: postedOnce },
  {
    name: 'I15',
    promise: 'What was deleted cannot be read.',
    check: (facts) => [...deletedIsGone(facts), ...reported('I15')(facts)],
  },
  { name: 'I16', promise: 'What a record names exists.', check: referencesExist },
  { name: 'I17', promise: 'A repeat gets the answer of the first request.', check: repeatsAreEqual },
  {
    name: 'I18',
    promise: 'No secret is in a log, a body or a row; every delivery is signed.',
    check: (facts) => [...secretsHidden(facts), ...signaturesValid(facts)],
  },
  {
    name: 'I19',
    promise: 'Counters and permits are those of the records.',
    check: (facts) => [...countersTrue(facts), ...permitsFree(facts), ...reported('I19')(facts)],
    always: countersTrue,
  },
  { name: 'I20', promise: 'Without faults nothing fails, and nothing has to be repaired.', check: quietWithoutFaults },
]

/** What the sweeper repairs was lost before, and errors are faults. */
function quietWithoutFaults({ world: { faults, logs } }: Facts): string[] {
  if (faults.injected.size > 0) return []
  return logs
    .filter((line) => line.includes('"level":"error"') || line.includes('sweeper.repaired'))
    .map((line) => `Without a fault: ${line.slice(0, 300)}`)
}

/** The promises that are broken in the middle of a run. */
export const violationsSoFar = (observed: Observed): Violation[] => {
  const facts = factsOf(observed)
  return invariants.flatMap(({ name, promise, always }) =>
    (always?.(facts) ?? []).map((what) => ({ invariant: name, promise, what })),
  )
}

/** Every broken promise of a run. */
export const violationsOf = (observed: Observed): Violation[] => {
  const facts = factsOf(observed)
  return invariants.flatMap(({ name, promise, check }) =>
    check(facts).map((what) => ({ invariant: name, promise, what })),
  )
}
