/**
 * What has to hold once the faults are over: the promises of the simulator that the final state shows, on the rows of the
 * real table and the files of the bucket; and nothing that was accepted is lost, or happened twice.
 */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type PlanId, plans } from '../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { factsOf, type Observed } from '../simulator/invariants/facts.ts'
import { invariants } from '../simulator/invariants.ts'
import type { Item } from '../simulator/world/expressions.ts'
import { createMonitor } from '../simulator/world/monitor.ts'
import type { World } from '../simulator/world/world.ts'
import type { Received } from '../support/receiver.ts'
import type { Customer } from './traffic.ts'

/** Others need the order of writes, or unscaled time. */
const shownByTheEnd = ['I1', 'I2', 'I5', 'I9', 'I10', 'I11', 'I16', 'I19']

export interface Verdict {
  accepted: number
  lost: string[]
  doubled: string[]
  broken: string[]
}

export interface Evidence {
  directory: string
  customers: readonly (Customer & { planId: PlanId })[]
  posts: readonly Received[]
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

const repeated = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name)].flatMap(([name, all]) => (all.length > 1 ? [name] : []))

export async function judge(evidence: Evidence): Promise<Verdict> {
  const { customers, posts, published, aheadSeconds, isOver } = evidence
  const items = await scanTable()
  const monitor = createMonitor(Date.now)
  for (const item of items) monitor.onWrite({ pk: String(item.pk), sk: String(item.sk) }, undefined, item)
  const own = new Set(customers.map(({ workspaceId }) => workspaceId))
  const world = {
    table: { items: () => items, partition: (pk: string) => items.filter((item) => item.pk === pk) },
    schedule: { now: () => Date.now() + aheadSeconds * 1000 },
    faults: { injected: new Map([['kill', 1]]) },
    // Beside the media of videos there are the previews of voices.
    storage: { objects: new Map([...storedObjects(evidence)].filter(([key]) => own.has(key.split('/')[0]!))) },
    monitor,
  } as unknown as World
  const workspaces = customers.map(({ workspaceId: id, ...rest }) => ({
    ...rest,
    id,
    profileId: rest.profileId ?? '',
    creditsAtStart: plans[rest.planId].creditsPerMonth ?? 0,
  }))
  const observed: Observed = { world, sent: [], workspaces, secrets: new Map(), keys: [], isOver }
  const facts = factsOf(observed)
  const broken = invariants
    .filter(({ name }) => shownByTheEnd.includes(name))
    .flatMap(({ name, check }) => check(facts).map((what) => `${name}: ${what}`))

  const existing = new Set(facts.videos.map(({ id }) => id))
  const created = customers.flatMap(({ accepted }) =>
    accepted.flatMap(({ route, status, id }) =>
      id && status < 300 && /^POST \/videos(\/\{id\}\/clips)?$/.test(route) ? [id] : [],
    ),
  )
  const deleted = new Set(customers.flatMap((customer) => [...customer.deleted]))
  const isDeleted = ({ id, parentVideoId }: { id: string; parentVideoId: string | null }) =>
    deleted.has(id) || (parentVideoId !== null && deleted.has(parentVideoId))
  const parents = new Map(customers.flatMap(({ parentOf }) => [...parentOf]))
  const lostVideos = created
    .filter((id) => !existing.has(id) && !isDeleted({ id, parentVideoId: parents.get(id) ?? null }))
    .map((id) => `The video ${id} was accepted, and does not exist.`)
  const known = new Set(created)
  const unexpected = facts.videos
    .filter((video) => own.has(video.workspaceId) && !known.has(video.id) && !isDeleted(video))
    .map(({ id }) => `Nobody was told of the video ${id}.`)
  const reached = new Set(posts.map(({ headers }) => String(headers['x-service-delivery'])))
  const undelivered = facts.deliveries
    .filter(({ workspaceId, id }) => own.has(workspaceId) && !reached.has(id))
    .map(({ id }) => `The delivery ${id} has not arrived.`)
  const unannounced = facts.journal
    .filter(({ workspaceId, deliveryIds }) => own.has(workspaceId) && deliveryIds.length !== 1)
    .map(({ id, deliveryIds }) => `The event ${id} has ${deliveryIds.length} deliveries.`)
  const unpublished = facts.videos.flatMap(({ publish }) =>
    publish?.status === 'COMPLETED' && !published.includes(publish.caption)
      ? [`The publication ${publish.runId} is reported, and does not exist.`]
      : [],
  )
  return {
    accepted: customers.reduce((sum, { accepted }) => sum + accepted.filter(({ status }) => status < 300).length, 0),
    lost: [...lostVideos, ...undelivered, ...unannounced, ...unpublished],
    doubled: [
      ...unexpected,
      ...repeated(created).map((id) => `Two requests created ${id}.`),
      ...repeated(published).map((caption) => `${caption} was published twice.`),
    ],
    broken: isOver ? broken : ['The service did not come to rest.', ...broken],
  }
}
