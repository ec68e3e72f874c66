/**
 * The table of what each function behind the API needs: read next to the imports of its file. A step that is not listed here
 * cannot be deployed.
 */
import type { Use } from '../api/route.ts'
import {
  askForObjects,
  type Grant,
  lookAfterPipelines,
  readDueIndex,
  readObjects,
  readRecords,
  startPipelines,
  updateRecords,
  writeObjects,
  writeRecords,
} from './grants.ts'
import type { Shared } from './shared.ts'

type Need = (shared: Shared) => Grant[]

/** For the functions of routes: what a row's `uses` adds to reading records. */
export const usesOfRoutes: Record<Use, Need> = {
  write: (shared) => [writeRecords(shared)],
  timelines: (shared) => [readObjects(shared, 'timelines')],
}

const commits: Need = (shared) => [readRecords(shared), writeRecords(shared)]

/** For the steps of the pipelines, by their path under `functions/pipelines`. */
export const needsOfSteps: Record<string, Need> = {
  'generate/begin': commits,
  'generate/write-script': (shared) => [
    readRecords(shared),
    updateRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts'),
    writeObjects(shared, 'scripts'),
  ],
  'generate/narrate': (shared) => [
    readRecords(shared),
    updateRecords(shared),
    askForObjects(shared),
    readObjects(shared, 'scripts', 'narrations'),
    writeObjects(shared, 'narrations'),
  ],
  'generate/plan-visuals': (shared) => [
    readRecords(shared),
    updateRecords(shared),
    readObjects(shared, 'narrations'),
    writeObjects(shared, 'plans'),
  ],
  'generate/complete': (shared) => [
    ...commits(shared),
    readObjects(shared, 'scripts', 'narrations', 'plans'),
    writeObjects(shared, 'subtitles', 'timelines'),
  ],
  'generate/fail': commits,
  'render/begin': (shared) => [...commits(shared), readObjects(shared, 'timelines'), writeObjects(shared, 'manifests')],
  'render/complete': (shared) => [readRecords(shared)],
  'render/fail': commits,
}

export const needsOfWorkers = {
  'dispatch-outbox': (shared) => [...commits(shared), startPipelines(shared)],
  sweep: (shared) => [...commits(shared), readDueIndex(shared), startPipelines(shared), lookAfterPipelines(shared)],
} satisfies Record<string, Need>

/** For the container: `fetch-visuals` and `render-video` share one task definition. */
export const needsOfContainer: Need = (shared) => [
  ...commits(shared),
  askForObjects(shared),
  readObjects(shared, 'plans', 'visuals', 'manifests', 'narrations', 'renders'),
  writeObjects(shared, 'plans', 'visuals', 'renders'),
]
