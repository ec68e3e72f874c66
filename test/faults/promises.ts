/**
 * What has to hold once the faults are over: the promises of the simulator that the state at rest shows, on the rows of the
 * real table, the files of the bucket, and what clients, receivers and platforms saw; and nothing that was accepted is lost,
 * or happened twice.
 */
import { globSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Posting } from '../../lib/domain/publishing/posting.ts'
import { webhookHeaders } from '../../lib/domain/webhooks/signature.ts'
import { type PlanId, plans } from '../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { factsOf, type Observed } from '../simulator/invariants/facts.ts'
import { invariants } from '../simulator/invariants.ts'
import type { Item } from '../simulator/world/expressions.ts'
import { createMonitor } from '../simulator/world/monitor.ts'
import type { World } from '../simulator/world/world.ts'
import type { Received } from '../support/receiver.ts'
import { answerTo, type Customer, createdBy, type Request } from './traffic.ts'

export interface Verdict {
  accepted: number
  lost: string[]
  doubled: string[]
  broken: string[]
}

export interface Evidence {
  directory: string
  customers: readonly (Customer & { planId: PlanId })[]
  /** The requests of webhooks; each was acknowledged. */
  received: readonly Received[]
  /** Of the webhook endpoints, by id. */
  secrets: ReadonlyMap<string, string>
  /** Lines of the service's output. */
  logs: readonly string[]
  /** The posts of the platform, by caption. */
  published: readonly string[]
  /** Sizes of the files that were damaged, before. */
  damaged: ReadonlyMap<string, number>
  aheadSeconds: number
  isOver: boolean
}

export async function scanTable(): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const page = await table.send(new ScanCommand({ TableName: tableName(), ExclusiveStartKey, ConsistentRead: true }))
    items.push(...((page.Items ?? []) as Item[]))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items
}

const objectEnd = '._S3rver_object'

function storedObjects({ directory, damaged }: Evidence): Map<string, { body: { byteLength: number } }> {
  const files = globSync(`s3/*/**/*${objectEnd}`, { cwd: directory })
  return new Map(
    files.map((file) => {
      const path = join(directory, file)
      const byteLength = damaged.get(path) ?? statSync(path).size
      return [file.split('/').slice(2).join('/').slice(0, -objectEnd.length), { body: { byteLength } }]
    }),
  )
}

/** The posts of the platform whose posting is still stored: each caption is used for one. */
const acceptedPosts = (published: readonly string[], items: readonly Item[]) =>
  (items.filter(({ sk }) => String(sk).startsWith('POSTING#')) as unknown as Posting[]).flatMap(({ post, accountId }) =>
    published.filter((caption) => caption === post.caption).map(() => ({ post: post.id, account: accountId })),
  )

/** The headers of a webhook as they were sent: Node gives them in lower case. */
const namedHeaders = (arrived: IncomingHttpHeaders) =>
  Object.fromEntries(Object.values(webhookHeaders).map((name) => [name, String(arrived[name.toLowerCase()])]))

const repeated = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name)].flatMap(([name, all]) => (all.length > 1 ? [name] : []))

/** What clients asked about these videos, in order, and how each attempt was answered. */
const requestsAbout = (ids: readonly string[], sent: readonly Request[]): string =>
  sent
    .filter((request) => ids.some((id) => request.path.includes(id) || createdBy(request) === id))
    .map((request) => {
      const statuses = request.answers.map((answer) => answer?.status ?? 'none').join(', ')
      return `${request.route.split(' ')[0]} ${request.path} (${createdBy(request) ?? '-'}): ${statuses}`
    })
    .join('; ')

export async function judge(evidence: Evidence): Promise<Verdict> {
  const { customers, received, secrets, logs, published, aheadSeconds, isOver } = evidence
  const items = await scanTable()
  const monitor = createMonitor(Date.now, () => undefined)
  for (const item of items) monitor.onWrite({ pk: String(item.pk), sk: String(item.sk) }, undefined, item)
  const own = new Set(customers.map(({ workspaceId }) => workspaceId))
  const world = {
    table: { items: () => items, partition: (pk: string) => items.filter((item) => item.pk === pk) },
    schedule: { now: () => Date.now() + aheadSeconds * 1000 },
    faults: { injected: new Map([['kill', 1]]) },
    // Beside the media of videos there are the previews of voices.
    storage: { objects: new Map([...storedObjects(evidence)].filter(([key]) => own.has(key.split('/')[0]!))) },
    monitor,
    received: received.map(({ path, headers: arrived, body }) => {
      const headers = namedHeaders(arrived)
      return { url: path, deliveryId: headers[webhookHeaders.delivery], body: body.toString(), headers, status: 200 }
    }),
    posts: acceptedPosts(published, items),
    // Beside its log, the service tells a developer the key to begin with.
    logs: logs.filter((line) => line.startsWith('{')),
  } as unknown as World
  const workspaces = customers.map(({ workspaceId: id, ...rest }) => ({
    ...rest,
    id,
    profileId: rest.profileId ?? '',
    creditsAtStart: plans[rest.planId].creditsPerMonth ?? 0,
    avatarCreditsAtStart: 0,
  }))
  const sent = customers.flatMap((customer) => customer.sent)
  const observed: Observed = { world, sent, workspaces, secrets, keys: [], isOver }
  const facts = factsOf(observed)
  const broken = invariants.flatMap(({ name, atRest }) => (atRest?.(facts) ?? []).map((what) => `${name}: ${what}`))

  const existing = new Set(facts.videos.map(({ id }) => id))
  const created = sent
    .filter(({ route }) => /^POST \/videos(\/\{id\}\/clips)?$/.test(route))
    .flatMap((request) => createdBy(request) ?? [])
  const deleted = new Set(customers.flatMap((customer) => [...customer.deleted]))
  const parents = new Map([
    ...customers.flatMap(({ parentOf }) => [...parentOf]),
    ...facts.videos.flatMap(({ id, parentVideoId }) => (parentVideoId ? [[id, parentVideoId] as const] : [])),
  ])
  /** A clip, its source, and so on. */
  const lineageOf = (id: string): string[] => {
    const parent = parents.get(id)
    return parent === undefined ? [id] : [id, ...lineageOf(parent)]
  }
  /** With a video its clips are deleted, and their clips. */
  const isDeleted = (id: string) => lineageOf(id).some((one) => deleted.has(one))
  const lostVideos = created
    .filter((id) => !existing.has(id) && !isDeleted(id))
    .map((id) => `The video ${id} was accepted, and does not exist. ${requestsAbout(lineageOf(id), sent)}`)
  const known = new Set(created)
  const unexpected = facts.videos
    .filter((video) => own.has(video.workspaceId) && !known.has(video.id) && !isDeleted(video.id))
    .map(({ id }) => `Nobody was told of the video ${id}.`)
  const reached = new Set(world.received.map(({ deliveryId }) => deliveryId))
  const undelivered = facts.deliveries
    .filter(({ workspaceId, id }) => own.has(workspaceId) && !reached.has(id))
    .map(({ id }) => `The delivery ${id} has not arrived.`)
  const unannounced = facts.journal
    .filter(({ workspaceId, deliveryIds }) => own.has(workspaceId) && deliveryIds.length !== 1)
    .map(({ id, deliveryIds }) => `The event ${id} has ${deliveryIds.length} deliveries.`)
  return {
    accepted: sent.filter((request) => !request.route.startsWith('GET') && answerTo(request)!.status < 300).length,
    lost: [...lostVideos, ...undelivered, ...unannounced],
    doubled: [
      ...unexpected,
      ...repeated(created).map((id) => `Two requests created ${id}.`),
      ...repeated(published).map((caption) => `${caption} was published twice.`),
    ],
    broken: isOver ? broken : ['The service did not come to rest.', ...broken],
  }
}
