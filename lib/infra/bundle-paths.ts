/** Paths in the bundle, shared by the bundler and the stacks; must import neither. */

import { join } from 'node:path'

export const repositoryRoot = join(import.meta.dirname, '../..')
export const bundleFolder = join(repositoryRoot, 'dist')
/** All functions are in one flat folder, so that they share chunks. */
export const functionsFolder = (bundle: string) => join(bundle, 'functions')
/**
 * NODE_OPTIONS for functions that stream videos. Streamed buffers are freed by minor garbage collections: with this
 * small young generation these run often, by default only after 64 MB.
 */
export const streamingNodeOptions = '--max-semi-space-size=1'
/** The static files of the studio. */
export const studioFolder = (bundle: string) => join(bundle, 'studio')
/** The Lambda layer with the speech engines. */
export const voicesLayerFolder = (bundle: string) => join(bundle, 'voices-layer')

/**
 * `functions/api/videos/create.ts` as `api-videos-create`. No dots: Lambda splits a handler's name at the first one.
 */
export const bundleEntryName = (file: string) =>
  file
    .replace(/^functions\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')
