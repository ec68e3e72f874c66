/** Where the bundle keeps a handler. The bundler and the stacks both ask here; it must import neither. */

import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const bundleFolder = join(root, 'dist')
/** All functions lie in one flat folder, so that they share their chunks. */
export const functionsIn = (bundle: string) => join(bundle, 'functions')
/** The Lambda layer with the speech engines. */
export const voicesLayerIn = (bundle: string) => join(bundle, 'voices-layer')

/** `functions/api/videos/create.ts` as `api-videos-create`. No dots: Lambda splits a handler's name at the first one. */
export const bundledName = (file: string) =>
  file
    .replace(/^functions\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')
