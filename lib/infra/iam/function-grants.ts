/**
 * The grants of each function, matching the imports of its file. The synthesis fails for a step that is not listed
 * here.
 */
import type { Route, RoutePermission } from '../../contract/route.ts'
import type { PartitionName } from '../../store/core/keys.ts'
import { type ApiFunction, defaultRouteKey, mcpFunction } from '../api-functions.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import {
  cacheSearches,
  connectAccounts,
  countRequests,
  deleteAllObjects,
  deleteConnections,
  deleteObjectsOfKinds,
  describePipelines,
  type Grant,
  type GrantsFor,
  listBucket,
  putArtefactRows,
  putConnections,
  readDueIndex,
  readOAuthClients,
  readObjects,
  readPartitions,
  readRecords,
  receiveDeliveries,
  sealConsents,
  sealKeyReplays,
  sealSecrets,
  sealTokens,
  sendDeliveries,
  startPipelines,
  stopPipelines,
  takePermits,
  unsealConsents,
  unsealSecrets,
  unsealTokens,
  writeAccounts,
  writeDeliveries,
  writeObjects,
  writePostings,
  writeRecords,
} from './grants.ts'
import { providerGrants, voiceListGrants, voicePreviewGrants } from './provider-grants.ts'

/** Inspects uploaded files. */
const uploadGrants: GrantsFor = (deployment) => [listBucket(deployment), readObjects(deployment, 'sources')]

/** Rows that a job of a video changes. */
const jobPartitions = ['workspace', 'videos', 'outbox', 'ledger'] as const satisfies PartitionName[]

/** Rows that requests change, by the folder of their handlers, beside the stored response of an idempotency key. */
const partitionsByFolder: Record<string, PartitionName[]> = {
  automations: [...jobPartitions, 'tombstones', 'semaphores'],
  keys: ['workspace', 'apiKeys'],
  uploads: [...jobPartitions, 'uploads'],
  videos: [...jobPartitions, 'tombstones', 'semaphores'],
  webhooks: ['workspace', 'webhooks', 'deliveries', 'outbox'],
}

const writtenPartitions = ({ handler }: Route): PartitionName[] => {
  const partitions = partitionsByFolder[handler.split('/')[0]!]
  if (!partitions) throw new Error(`lib/infra/iam/function-grants.ts has no partitions for the route of ${handler}.`)
  return [...partitions, 'idempotency']
}

/** Grants of every API function that authenticates its caller. */
export const apiGrants: GrantsFor = (deployment) => [readRecords(deployment), countRequests(deployment)]

/** A route that posts to a host of the client's choice reads its caller and the endpoint alone. */
const testWebhookGrants: GrantsFor = (deployment) => [
  readPartitions(deployment, 'apiKeys', 'workspace', 'webhooks'),
  countRequests(deployment),
]

/** Public routes have no API key to look up and no requests to count: they read what connects an account. */
const publicGrants: GrantsFor = (deployment) => [readPartitions(deployment, 'workspace', 'profiles', 'tokens')]

const readGrantsOf = ({ isPublic, permissions }: Route): GrantsFor => {
  if (isPublic) return publicGrants
  return permissions?.includes('unseal') ? testWebhookGrants : apiGrants
}

/** What one route needs. */
export const routeGrants = (deployment: DeploymentContext, route: Route): Grant[] => [
  ...readGrantsOf(route)(deployment),
  ...(route.permissions ?? []).flatMap((permission) =>
    permission === 'write'
      ? [writeRecords(deployment, ...writtenPartitions(route))]
      : permissionGrants[permission](deployment),
  ),
]

/** Exactly what the handlers of an API function need, each grant once. */
export function apiFunctionGrants(deployment: DeploymentContext, { routes, handlers }: ApiFunction): Grant[] {
  const grants = Object.values(routes).flatMap((route) => routeGrants(deployment, route))
  if (defaultRouteKey in handlers) grants.push(...apiGrants(deployment))
  return withoutDuplicates(grants)
}

/** What the MCP server needs beside its tools: `wait_for_video` takes one of the permits to wait. */
export const mcpProtocolGrants: GrantsFor = (deployment) => [
  ...apiGrants(deployment),
  writeRecords(deployment, 'semaphores'),
]

/** What the MCP server and the handlers of its tools need, each grant once. */
export const mcpFunctionGrants: GrantsFor = (deployment) =>
  withoutDuplicates([
    ...mcpProtocolGrants(deployment),
    ...Object.values<Route>(mcpFunction.routes).flatMap((route) => routeGrants(deployment, route)),
  ])

const withoutDuplicates = (grants: readonly Grant[]) => [
  ...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values(),
]

/** Grants by the `permissions` of a route, in addition to those of all. */
const permissionGrants: Record<Exclude<RoutePermission, 'write'>, GrantsFor> = {
  timelines: (deployment) => [readObjects(deployment, 'timelines')],
  scripts: (deployment) => [readObjects(deployment, 'scripts')],
  storeTimelines: (deployment) => [writeObjects(deployment, 'timelines', 'subtitles')],
  storeVisuals: (deployment) => [writeObjects(deployment, 'visuals')],
  startPipeline: (deployment) => [startPipelines(deployment)],
  videoIndex: (deployment) => [
    listBucket(deployment),
    readObjects(deployment, 'library'),
    writeObjects(deployment, 'library'),
  ],
  upload: (deployment) => [writeObjects(deployment, 'sources')],
  receive: uploadGrants,
  seal: (deployment) => [sealSecrets(deployment)],
  sealKeys: (deployment) => [sealKeyReplays(deployment)],
  unseal: (deployment) => [unsealSecrets(deployment)],
  connect: (deployment) => [
    writeAccounts(deployment),
    sealTokens(deployment),
    unsealTokens(deployment),
    ...readOAuthClients(deployment),
  ],
  voices: voiceListGrants,
  previews: voicePreviewGrants,
  wait: (deployment) => [takePermits(deployment)],
  sealConsent: (deployment) => [putConnections(deployment), sealConsents(deployment), ...readOAuthClients(deployment)],
  unsealConsent: (deployment) => [
    deleteConnections(deployment),
    unsealConsents(deployment),
    connectAccounts(deployment),
  ],
}

/** Stops the runs of a deleted video and deletes its objects. */
const purgeGrants: GrantsFor = (deployment) => [
  stopPipelines(deployment),
  listBucket(deployment),
  deleteAllObjects(deployment),
]

/** For the steps of pipelines. */
const commitGrants: GrantsFor = (deployment) => [readRecords(deployment), writeRecords(deployment, ...jobPartitions)]

/** Rows that the end of a sync job changes: also the stored response of its request. */
const syncJobPartitions = [...jobPartitions, 'idempotency'] as const satisfies PartitionName[]

const syncJobGrants: GrantsFor = (deployment) => [
  readRecords(deployment),
  writeRecords(deployment, ...syncJobPartitions),
]

/** Rows that the workers of the outbox and of the due index change. */
const workerPartitions = [
  ...syncJobPartitions,
  'deliveries',
  'webhooks',
  'events',
  'semaphores',
] as const satisfies PartitionName[]

/** Speech synthesis with any voice of the deployment. */
const speechGrants: GrantsFor = (deployment) => [
  ...voiceListGrants(deployment),
  ...providerGrants(deployment, 'narrator', 'expressive'),
]

/** Grants of pipeline steps, by path under `functions/pipelines`. */
export const stepGrants: Record<string, GrantsFor> = {
  'generate/begin': commitGrants,
  'generate/write-script': (deployment) => [
    readRecords(deployment),
    putArtefactRows(deployment),
    listBucket(deployment),
    readObjects(deployment, 'scripts'),
    writeObjects(deployment, 'scripts'),
    ...providerGrants(deployment, 'writer'),
  ],
  'generate/keep-script': (deployment) => [...commitGrants(deployment), readObjects(deployment, 'scripts')],
  'generate/complete-clip': commitGrants,
  'generate/narrate': (deployment) => [
    readRecords(deployment),
    putArtefactRows(deployment),
    listBucket(deployment),
    readObjects(deployment, 'scripts', 'narrations'),
    writeObjects(deployment, 'narrations'),
    ...speechGrants(deployment),
  ],
  'generate/plan-visuals': (deployment) => [
    readRecords(deployment),
    putArtefactRows(deployment),
    listBucket(deployment),
    readObjects(deployment, 'narrations', 'scripts', 'timelines', 'plans'),
    writeObjects(deployment, 'plans'),
    ...providerGrants(deployment, 'director'),
  ],
  'generate/complete': (deployment) => [
    ...commitGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'scripts', 'narrations', 'plans', 'timelines'),
    writeObjects(deployment, 'plans', 'subtitles', 'timelines'),
    ...providerGrants(deployment, 'director'),
  ],
  'generate/write-scenes': (deployment) => [
    readRecords(deployment),
    putArtefactRows(deployment),
    listBucket(deployment),
    readObjects(deployment, 'scripts', 'timelines'),
    writeObjects(deployment, 'scripts', 'plans'),
    ...voiceListGrants(deployment),
    ...providerGrants(deployment, 'writer'),
  ],
  'generate/narrate-scenes': (deployment) => [
    readRecords(deployment),
    putArtefactRows(deployment),
    listBucket(deployment),
    readObjects(deployment, 'plans', 'narrations'),
    writeObjects(deployment, 'plans', 'narrations'),
    ...speechGrants(deployment),
  ],
  'generate/complete-scenes': (deployment) => [
    ...commitGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'scripts', 'plans', 'narrations', 'timelines'),
    writeObjects(deployment, 'subtitles', 'timelines'),
  ],
  'generate/convert': (deployment) => [
    ...commitGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'timelines', 'narrations', 'manifests', 'renders'),
    writeObjects(deployment, 'timelines'),
  ],
  'generate/transcribe-source': (deployment) => [
    readRecords(deployment),
    // Also rows of withdrawn orders are deleted.
    writeRecords(deployment, 'workspace', 'videos'),
    listBucket(deployment),
    readObjects(deployment, 'plans', 'narrations', 'orders'),
    writeObjects(deployment, 'plans', 'narrations', 'orders'),
    deleteObjectsOfKinds(deployment, 'orders'),
    ...providerGrants(deployment, 'transcriber'),
  ],
  'generate/complete-source': (deployment) => [
    ...commitGrants(deployment),
    readObjects(deployment, 'plans'),
    writeObjects(deployment, 'subtitles', 'timelines'),
  ],
  'generate/fail': commitGrants,
  'act/write-description': (deployment) => [
    ...syncJobGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'timelines', 'scripts'),
    writeObjects(deployment, 'scripts'),
    ...providerGrants(deployment, 'writer'),
  ],
  'act/recut-presentation': (deployment) => [
    ...syncJobGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'timelines', 'plans'),
    writeObjects(deployment, 'timelines', 'plans'),
    ...providerGrants(deployment, 'director'),
  ],
  'act/check-presenter': (deployment) => [readRecords(deployment)],
  'act/fail': syncJobGrants,
  'render/begin': (deployment) => [
    ...commitGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'timelines', 'narrations', 'manifests', 'renders'),
    writeObjects(deployment, 'manifests', 'visuals'),
  ],
  'render/narrate-scenes': (deployment) => [
    ...commitGrants(deployment),
    listBucket(deployment),
    readObjects(deployment, 'timelines', 'narrations'),
    writeObjects(deployment, 'narrations', 'subtitles', 'timelines'),
    ...speechGrants(deployment),
  ],
  'render/complete': (deployment) => [readRecords(deployment)],
  'render/fail': commitGrants,
  'publish/begin': commitGrants,
  'publish/take-step': (deployment) => [
    readRecords(deployment),
    writePostings(deployment),
    writeAccounts(deployment),
    unsealTokens(deployment),
    sealTokens(deployment),
    ...readOAuthClients(deployment),
    readObjects(deployment, 'renders'),
  ],
  'publish/complete': commitGrants,
  'publish/fail': commitGrants,
}

/** Grants of workers, by file name under `functions/workers`. */
export const workerGrants = {
  'dispatch-outbox': (deployment) => [
    readRecords(deployment),
    writeRecords(deployment, ...workerPartitions),
    startPipelines(deployment),
    sendDeliveries(deployment),
    ...purgeGrants(deployment),
  ],
  sweep: (deployment) => [
    readRecords(deployment),
    writeRecords(deployment, ...workerPartitions, 'uploads'),
    readDueIndex(deployment),
    startPipelines(deployment),
    describePipelines(deployment),
    sendDeliveries(deployment),
    readObjects(deployment, 'sources'),
    ...purgeGrants(deployment),
  ],
  'refresh-tokens': (deployment) => [
    readRecords(deployment),
    readDueIndex(deployment),
    writeAccounts(deployment),
    unsealTokens(deployment),
    sealTokens(deployment),
    ...readOAuthClients(deployment),
  ],
  'run-due-slot': commitGrants,
  'receive-upload': (deployment) => [
    readRecords(deployment),
    writeRecords(deployment, ...jobPartitions, 'uploads'),
    ...uploadGrants(deployment),
    // Those that no video uses.
    deleteObjectsOfKinds(deployment, 'sources'),
  ],
  'deliver-webhook': (deployment) => [
    readPartitions(deployment, 'deliveries', 'webhooks'),
    writeDeliveries(deployment),
    unsealSecrets(deployment),
    receiveDeliveries(deployment),
    sendDeliveries(deployment),
  ],
} satisfies Record<string, GrantsFor>

/**
 * Grants of the container, whose commands share one task definition. It decodes untrusted files: no access to API keys,
 * accounts and tokens.
 */
export const containerGrants: GrantsFor = (deployment) => [
  readPartitions(deployment, ...jobPartitions, 'searches'),
  writeRecords(deployment, ...syncJobPartitions),
  cacheSearches(deployment),
  listBucket(deployment),
  readObjects(deployment, 'plans', 'visuals', 'manifests', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  writeObjects(deployment, 'plans', 'visuals', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  deleteObjectsOfKinds(deployment, 'renders', 'segments', 'sources'),
  readObjects(deployment, 'orders'),
  writeObjects(deployment, 'orders'),
  deleteObjectsOfKinds(deployment, 'orders'),
  ...providerGrants(deployment, 'images', 'footage', 'animator', 'avatars'),
]
