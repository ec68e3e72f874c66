/**
 * The table of what each function behind the API needs: read next to the imports of its file. A step that is not listed here
 * cannot be deployed.
 */
import type { Use } from '../../contract/route.ts'
import type { Shared } from '../deployment-context.ts'
import {
  askForObjects,
  connectAccounts,
  deleteObjects,
  type Grant,
  keepRecords,
  lookAfterPipelines,
  openConsents,
  openSecrets,
  openTokens,
  putConnections,
  readDueIndex,
  readObjects,
  readPlatformClients,
  readRecords,
  receiveDeliveries,
  removeObjects,
  sealConsents,
  sealSecrets,
  sealTokens,
  sendDeliveries,
  startPipelines,
  stopPipelines,
  takeConnections,
  writeAccounts,
  writeDeliveries,
  writeObjects,
  writePostings,
  writeRecords,
} from './grants.ts'
import { asks, asksForPreviews, asksForVoices } from './provider-grants.ts'

type Need = (shared: Shared) => Grant[]

/** Looks for the file of an upload, and removes what is not received. */
const receives: Need = (shared) => [
  askForObjects(shared),
  readObjects(shared, 'sources'),
  removeObjects(shared, 'sources'),
]

/** For the functions of routes: what a row's `uses` adds to reading records. */
export const usesOfRoutes: Record<Use, Need> = {
  write: (shared) => [writeRecords(shared)],
  timelines: (shared) => [readObjects(shared, 'timelines')],
  keepTimelines: (shared) => [writeObjects(shared, 'timelines', 'subtitles')],
  act: (shared) => [startPipelines(shared)],
  library: (shared) => [askForObjects(shared), readObjects(shared, 'library'), writeObjects(shared, 'library')],
  upload: (shared) => [writeObjects(shared, 'sources')],
  receive: receives,
  seal: (shared) => [sealSecrets(shared)],
  unseal: (shared) => [openSecrets(shared)],
  connect: (shared) => [writeAccounts(shared), sealTokens(shared), openTokens(shared), ...readPlatformClients(shared)],
  voices: asksForVoices,
  previews: asksForPreviews,
  sealConsent: (shared) => [putConnections(shared), sealConsents(shared), ...readPlatformClients(shared)],
  openConsent: (shared) => [takeConnections(shared), openConsents(shared), connectAccounts(shared)],
}

/** Ends the runs of a removed video and removes its objects. */
const purges: Need = (shared) => [stopPipelines(shared), askForObjects(shared), deleteObjects(shared)]

const commits: Need = (shared) => [readRecords(shared), writeRecords(shared)]

/** Speaks a voice of the deployment's list. */
const speaks: Need = (shared) => [...asksForVoices(shared), ...asks(shared, 'narrator', 'expressive')]

/** For the steps of the pipelines, by their path under `functions/pipelines`. */
export const needsOfSteps: Record<string, Need> = {
  'generate/begin': commits,
  'generate/write-script': (shared) => [
    readRecords(shared),
    keepRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts'),
    writeObjects(shared, 'scripts'),
    ...asks(shared, 'writer'),
  ],
  'generate/keep-script': (shared) => [...commits(shared), readObjects(shared, 'scripts')],
  'generate/complete-clip': commits,
  'generate/narrate': (shared) => [
    readRecords(shared),
    keepRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts', 'narrations'),
    writeObjects(shared, 'narrations'),
    ...speaks(shared),
  ],
  'generate/plan-visuals': (shared) => [
    readRecords(shared),
    keepRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'narrations', 'timelines', 'plans'),
    writeObjects(shared, 'plans'),
    ...asks(shared, 'director'),
  ],
  'generate/complete': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts', 'narrations', 'plans', 'timelines'),
    writeObjects(shared, 'plans', 'subtitles', 'timelines'),
    ...asks(shared, 'director'),
  ],
  'generate/write-scenes': (shared) => [
    readRecords(shared),
    keepRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts', 'timelines'),
    writeObjects(shared, 'scripts', 'plans'),
    ...asksForVoices(shared),
    ...asks(shared, 'writer'),
  ],
  'generate/narrate-scenes': (shared) => [
    readRecords(shared),
    keepRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'plans', 'narrations'),
    writeObjects(shared, 'plans', 'narrations'),
    ...speaks(shared),
  ],
  'generate/complete-scenes': (shared) => [
    ...commits(shared),
    readObjects(shared, 'scripts', 'plans', 'narrations', 'timelines'),
    writeObjects(shared, 'subtitles', 'timelines'),
  ],
  'generate/convert': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'timelines', 'narrations', 'manifests', 'renders'),
    writeObjects(shared, 'timelines'),
  ],
  'generate/complete-source': (shared) => [
    ...commits(shared),
    readObjects(shared, 'plans'),
    writeObjects(shared, 'subtitles', 'timelines'),
  ],
  'generate/fail': commits,
  'act/write-description': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'timelines', 'scripts'),
    writeObjects(shared, 'scripts'),
    ...asks(shared, 'writer'),
  ],
  'act/recut-presentation': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'timelines', 'plans'),
    writeObjects(shared, 'timelines', 'plans'),
    ...asks(shared, 'director'),
  ],
  'act/fail': commits,
  'render/begin': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'timelines', 'narrations', 'manifests'),
    writeObjects(shared, 'manifests', 'visuals'),
  ],
  'render/narrate-scenes': (shared) => [
    ...commits(shared),
    askForObjects(shared),
    readObjects(shared, 'timelines', 'narrations'),
    writeObjects(shared, 'narrations', 'subtitles', 'timelines'),
    ...speaks(shared),
  ],
  'render/complete': (shared) => [readRecords(shared)],
  'render/fail': commits,
  'publish/begin': commits,
  'publish/take-step': (shared) => [
    readRecords(shared),
    writePostings(shared),
    writeAccounts(shared),
    openTokens(shared),
    sealTokens(shared),
    ...readPlatformClients(shared),
    readObjects(shared, 'renders'),
  ],
  'publish/complete': commits,
  'publish/fail': commits,
}

export const needsOfWorkers = {
  'dispatch-outbox': (shared) => [
    ...commits(shared),
    startPipelines(shared),
    sendDeliveries(shared),
    ...purges(shared),
  ],
  sweep: (shared) => [
    ...commits(shared),
    readDueIndex(shared),
    startPipelines(shared),
    lookAfterPipelines(shared),
    sendDeliveries(shared),
    readObjects(shared, 'sources'),
    ...purges(shared),
  ],
  'refresh-tokens': (shared) => [
    readRecords(shared),
    readDueIndex(shared),
    writeAccounts(shared),
    openTokens(shared),
    sealTokens(shared),
    ...readPlatformClients(shared),
  ],
  'run-due-slot': commits,
  'receive-upload': (shared) => [...commits(shared), ...receives(shared)],
  'deliver-webhook': (shared) => [
    readRecords(shared),
    writeDeliveries(shared),
    openSecrets(shared),
    receiveDeliveries(shared),
    sendDeliveries(shared),
  ],
} satisfies Record<string, Need>

/** For the container: all of its commands share one task definition. */
export const needsOfContainer: Need = (shared) => [
  ...commits(shared),
  askForObjects(shared),
  readObjects(shared, 'plans', 'visuals', 'manifests', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  writeObjects(shared, 'plans', 'visuals', 'narrations', 'renders', 'segments', 'timelines', 'sources'),
  removeObjects(shared, 'renders', 'segments', 'sources'),
  readObjects(shared, 'orders'),
  writeObjects(shared, 'orders'),
  removeObjects(shared, 'orders'),
  ...asks(shared, 'transcriber', 'images', 'footage', 'animator', 'avatars'),
]
