/** Where the bundle keeps a handler. The bundler and the stacks both ask here; it must import neither. */

import { join } from 'node:path'

export const repositoryRoot = join(import.meta.dirname, '../..')
export const bundleFolder = join(repositoryRoot, 'dist')
/** All functions lie in one flat folder, so that they share their chunks. */
export const functionsFolder = (bundle: string) => join(bundle, 'functions')
/**
 * Node's options for functions through which films are streamed. The memory of what has passed through is given back by collections of
 * young objects: with so little room for these they come often, else not before 64 MB.
 */
export const streamingNodeOptions = '--max-semi-space-size=1'
/** The Lambda layer with the speech engines. */
export const voicesLayerFolder = (bundle: string) => join(bundle, 'voices-layer')

/** `functions/api/videos/create.ts` as `api-videos-create`. No dots: Lambda splits a handler's name at the first one. */
export const bundleEntryName = (file: string) =>
  file
    .replace(/^functions\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')
