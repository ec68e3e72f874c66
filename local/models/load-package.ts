/** Loads an npm package from the folder of the models, in a child process only: these are native libraries. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** `packages` holds `node_modules`. A CommonJS package is the default export of its module. */
export async function loadPackage<Exports>(packages: string, name: string): Promise<Exports> {
  const path = createRequire(join(packages, 'package.json')).resolve(name)
  const loaded: Exports & { default?: Exports } = await import(pathToFileURL(path).href)
  return loaded.default ?? loaded
}
