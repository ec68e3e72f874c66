/**
 * The folder of downloaded models: where each file is, whether it is complete, and whether the npm packages that run a
 * model can be loaded. Downloads and installs nothing.
 */
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Model, ModelFile } from './manifest.ts'

/** `MODELS_DIR`, or a folder that all checkouts share. */
export const modelsDirectory = (environment: NodeJS.ProcessEnv): string =>
  resolve(environment.MODELS_DIR || join(homedir(), '.cache/reelsmith/models'))

/** Two models may have files of the same name. */
export const modelDirectory = (directory: string, model: Pick<Model, 'name'>) => join(directory, model.name)
export const filePath = (directory: string, { path }: ModelFile) => join(directory, path)

/** Outside of the project: `npm ci` would remove them. */
export const packagesDirectory = (directory: string) => join(directory, 'packages')

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)

/** Whether the verified file is there. Its checksum was verified when it got its name. */
export const isComplete = (directory: string, file: ModelFile) => sizeOf(filePath(directory, file)) === file.bytes

/** Whether all files of a model are there. */
export const isDownloaded = (directory: string, model: Model): boolean =>
  model.files.every((file) => isComplete(modelDirectory(directory, model), file))

/** The packages of a model that cannot be loaded from the folder, with versions. */
export function missingPackages(directory: string, { packages }: Model): string[] {
  const { resolve } = createRequire(join(packagesDirectory(directory), 'package.json'))
  const isMissing = (name: string) => {
    try {
      resolve(name)
      return false
    } catch {
      return true
    }
  }
  return packages.filter((name) => isMissing(name.replace(/(?!^)@.*$/, '')))
}

/** Arguments of npm that install the packages. Their install scripts download other builds, which are not needed. */
export const installArguments = (directory: string, packages: readonly string[]): string[] => [
  ...['install', '--prefix', packagesDirectory(directory), '--save-exact', '--omit=optional', '--ignore-scripts'],
  ...['--no-audit', '--no-fund', '--loglevel=error', ...packages],
]
