/**
 * The table of what each function behind the API needs: read next to the imports of its file. A step that is not listed here
 * cannot be deployed.
 */
import type { RoutePermission } from '../../contract/route.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import {
  connectAccounts,
  deleteAllObjects,
  deleteConnections,
  deleteObjectsOfKinds,
  describePipelines,
  type Grant,
  listBucket,
  putConnections,
  putRecords,
  readDueIndex,
  readOAuthClients,
  readObjects,
  readRecords,
  receiveDeliveries,
  sealConsents,
  sealSecrets,
  sealTokens,
  sendDeliveries,
  startPipelines,
  stopPipelines,
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

type GrantsFor = (shared: DeploymentContext) => Grant[]

/** Looks for the file of an upload, and removes what is not received. */
const uploadGrants: GrantsFor = (shared) => [
  listBucket(shared),
  readObjects(shared, 'sources'),
  deleteObjectsOfKinds(shared, 'sources'),
]

/** For the functions of routes: what a row's `uses` adds to reading records. */
export const permissionGrants: Record<RoutePermission, GrantsFor> = {
  write: (shared) => [writeRecords(shared)],
  timelines: (shared) => [readObjects(shared, 'timelines')],
  storeTimelines: (shared) => [writeObjects(shared, 'timelines', 'subtitles')],
  startPipeline: (shared) => [startPipelines(shared)],
  videoIndex: (shared) => [listBucket(shared), readObjects(shared, 'library'), writeObjects(shared, 'library')],
  upload: (shared) => [writeObjects(shared, 'sources')],
  receive: uploadGrants,
  seal: (shared) => [sealSecrets(shared)],
  unseal: (shared) => [unsealSecrets(shared)],
  connect: (shared) => [writeAccounts(shared), sealTokens(shared), unsealTokens(shared), ...readOAuthClients(shared)],
  voices: voiceListGrants,
  previews: voicePreviewGrants,
  sealConsent: (shared) => [putConnections(shared), sealConsents(shared), ...readOAuthClients(shared)],
  unsealConsent: (shared) => [deleteConnections(shared), unsealConsents(shared), connectAccounts(shared)],
}

/** Ends the runs of a removed video and removes its objects. */
const purgeGrants: GrantsFor = (shared) => [stopPipelines(shared), listBucket(shared), deleteAllObjects(shared)]

const commitGrants: GrantsFor = (shared) => [readRecords(shared), writeRecords(shared)]

/** Speaks a voice of the deployment's list. */
const speechGrants: GrantsFor = (shared) => [
  ...voiceListGrants(shared),
  ...providerGrants(shared, 'narrator', 'expressive'),
]

/** For the steps of the pipelines, by their path under `functions/pipelines`. */
export const stepGrants: Record<string, GrantsFor> = {
  'generate/begin': commitGrants,
  'generate/write-script': (shared) => [
    readRecords(shared),
    putRecords(shared),
    listBucket(shared),
    readObjects(shared, 'scripts'),
    writeObjects(shared, 'scripts'),
    ...providerGrants(shared, 'writer'),
  ],
  'generate/keep-script': (shared) => [...commitGrants(shared), readObjects(shared, 'scripts')],
  'generate/complete-clip': commitGrants,
  'generate/narrate': (shared) => [
    readRecords(shared),
    putRecords(shared),
    listBucket(shared),
    readObjects(shared, 'scripts', 'narrations'),
    writeObjects(shared, 'narrations'),
    ...speechGrants(shared),
  ],
  'generate/plan-visuals': (shared) => [
    readRecords(shared),
    putRecords(shared),
    listBucket(shared),
    readObjects(shared, 'narrations', 'timelines', 'plans'),
    writeObjects(shared, 'plans'),
    ...providerGrants(shared, 'director'),
  ],
  'generate/complete': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'scripts', 'narrations', 'plans', 'timelines'),
    writeObjects(shared, 'plans', 'subtitles', 'timelines'),
    ...providerGrants(shared, 'director'),
  ],
  'generate/write-scenes': (shared) => [
    readRecords(shared),
    putRecords(shared),
    listBucket(shared),
    readObjects(shared, 'scripts', 'timelines'),
    writeObjects(shared, 'scripts', 'plans'),
    ...voiceListGrants(shared),
    ...providerGrants(shared, 'writer'),
  ],
  'generate/narrate-scenes': (shared) => [
    readRecords(shared),
    putRecords(shared),
    listBucket(shared),
    readObjects(shared, 'plans', 'narrations'),
    writeObjects(shared, 'plans', 'narrations'),
    ...speechGrants(shared),
  ],
  'generate/complete-scenes': (shared) => [
    ...commitGrants(shared),
    readObjects(shared, 'scripts', 'plans', 'narrations', 'timelines'),
    writeObjects(shared, 'subtitles', 'timelines'),
  ],
  'generate/convert': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'timelines', 'narrations', 'manifests', 'renders'),
    writeObjects(shared, 'timelines'),
  ],
  'generate/complete-source': (shared) => [
    ...commitGrants(shared),
    readObjects(shared, 'plans'),
    writeObjects(shared, 'subtitles', 'timelines'),
  ],
  'generate/fail': commitGrants,
  'act/write-description': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'timelines', 'scripts'),
    writeObjects(shared, 'scripts'),
    ...providerGrants(shared, 'writer'),
  ],
  'act/recut-presentation': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'timelines', 'plans'),
    writeObjects(shared, 'timelines', 'plans'),
    ...providerGrants(shared, 'director'),
  ],
  'act/fail': commitGrants,
  'render/begin': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'timelines', 'narrations', 'manifests'),
    writeObjects(shared, 'manifests', 'visuals'),
  ],
  'render/narrate-scenes': (shared) => [
    ...commitGrants(shared),
    listBucket(shared),
    readObjects(shared, 'timelines', 'narrations'),
    writeObjects(shared, 'narrations', 'subtitles', 'timelines'),
    ...speechGrants(shared),
  ],
  'render/complete': (shared) => [readRecords(shared)],
  'render/fail': commitGrants,
  'publish/begin': commitGrants,
  'publish/take-step': (shared) => [
    readRecords(shared),
    writePostings(shared),
    writeAccounts(shared),
    unsealTokens(shared),
    sealTokens(shared),
    ...readOAuthClients(shared),
    readObjects(shared, 'renders'),
  ],
  'publish/complete': commitGrants,
  'publish/fail': commitGrants,
}

export const workerGrants = {
  'dispatch-outbox': (shared) => [
    ...commitGrants(shared),
    startPipelines(shared),
    sendDeliveries(shared),
    ...purgeGrants(shared),
  ],
  sweep: (shared) => [
    ...commitGrants(shared),
    readDueIndex(shared),
    startPipelines(shared),
    describePipelines(shared),
    sendDeliveries(shared),
    readObjects(shared, 'sources'),
    ...purgeGrants(shared),
  ],
  'refresh-tokens': (shared) => [
    readRecords(shared),
    readDueIndex(shared),
    writeAccounts(shared),
    unsealTokens(shared),
    sealTokens(shared),
    ...readOAuthClients(shared),
  ],
  'run-due-slot': commitGrants,
  'receive-upload': (shared) => [...commitGrants(shared), ...uploadGrants(shared)],
  'deliver-webhook': (shared) => [
    readRecords(shared),
    writeDeliveries(shared),
    unsealSecrets(shared),
    receiveDeliveries(shared),
    sendDeliveries(shared),
  ],
} satisfies Record<string, GrantsFor>

/** For the container: all of its commands share one task definition. */
export const containerGrants: GrantsFor = (shared) => [
  ...commitGrants(shared),
  listBucket(shared),
  readObjects(shared, 'plans', 'visuals', 'manifests', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  writeObjects(shared, 'plans', 'visuals', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  deleteObjectsOfKinds(shared, 'renders', 'segments', 'sources'),
  readObjects(shared, 'orders'),
  writeObjects(shared, 'orders'),
  deleteObjectsOfKinds(shared, 'orders'),
  ...providerGrants(shared, 'transcriber', 'images', 'footage', 'animator', 'avatars'),
]
