/**
 * `npm run models [-- NAME …] [--list] [--packages] [--remove]`: downloads models for this machine and installs the npm
 * packages that run them, never without being asked to. `--packages` only installs the packages.
 * MODELS_DIR is the folder (`~/.cache/reelsmith/models`), MODELS_URL the host or a mirror of it.
 */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import {
  installArguments,
  isDownloaded,
  missingPackages,
  modelDirectory,
  modelsDirectory,
  packagesDirectory,
} from '../local/models/folder.ts'
import { type Model, models } from '../local/models/manifest.ts'
import { bytesPresent, DownloadFailed, downloadFile, formatBytes, refuseFullDisk } from './models/download.ts'

const host = (process.env.MODELS_URL || 'https://huggingface.co').replace(/\/+$/, '')
const directory = modelsDirectory(process.env)

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const options = { list: { type: 'boolean' }, packages: { type: 'boolean' }, remove: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const selected = positionals.length > 0 ? positionals.map(modelNamed) : [...models]
  if (values.remove) return await remove(selected)
  if (values.packages) return await install(selected)
  list(selected)
  if (!values.list) await download(selected)
}

function modelNamed(name: string): Model {
  const model = models.find((one) => one.name === name)
  if (model) return model
  throw new Error(`There is no model ${name}. Choose ${models.map((one) => one.name).join(' or ')}.`)
}

function bytesOf({ files }: Model): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function presentOf(model: Model): number {
  return model.files.reduce((sum, file) => sum + bytesPresent(modelDirectory(directory, model), file), 0)
}

function list(selected: readonly Model[]): void {
  console.log(`Models in ${directory}:`)
  for (const model of selected) {
    const present = presentOf(model)
    const state = isDownloaded(directory, model)
      ? 'downloaded'
      : present > 0
        ? `${formatBytes(present)} downloaded`
        : 'not downloaded'
    console.log(`  ${model.name.padEnd(11)} ${formatBytes(bytesOf(model)).padStart(8)}  ${state}`)
    console.log(`              ${model.title} (${model.licence}): ${model.purpose}`)
    const packages = `${formatBytes(model.packageBytes)} of npm packages`
    const isInstalled = missingPackages(directory, model).length === 0
    console.log(
      `              ${packages}, ${isInstalled ? 'installed' : 'not installed'}: ${model.packages.join(', ')}`,
    )
  }
}

async function download(selected: readonly Model[]): Promise<void> {
  const missing = selected.filter((model) => !isDownloaded(directory, model))
  const packages = selected.filter((model) => missingPackages(directory, model).length > 0)
  const bytesMissing =
    missing.reduce((sum, model) => sum + bytesOf(model) - presentOf(model), 0) +
    packages.reduce((sum, { packageBytes }) => sum + packageBytes, 0)
  if (missing.length + packages.length === 0) return console.log('Nothing to download.')
  await refuseFullDisk(directory, bytesMissing)
  if (missing.length > 0)
    console.log(`Downloads from ${new URL(host).host}. All of it takes ${formatBytes(bytesMissing)}.`)
  for (const model of missing) await downloadModel(model)
  if (packages.length > 0) await install(packages)
  for (const model of selected) console.log(`${model.name}: ready. npm start uses it for ${model.purpose}.`)
}

/** Into the folder of the models: the project does not depend on them. */
async function install(selected: readonly Model[]): Promise<void> {
  const names = selected.flatMap(({ packages }) => packages)
  console.log(`Installs ${names.join(', ')}.`)
  const given = installArguments(directory, names)
  try {
    await promisify(execFile)('npm', given)
  } catch (error) {
    throw new DownloadFailed(`npm could not install the packages. Run the command again, or npm ${given.join(' ')}`, {
      cause: error,
    })
  }
}

async function downloadModel(model: Model): Promise<void> {
  const bar = new SingleBar(
    { format: `${model.name} {bar} {percentage} %, {eta_formatted} left` },
    Presets.shades_classic,
  )
  const folder = modelDirectory(directory, model)
  bar.start(bytesOf(model), presentOf(model))
  try {
    for (const file of model.files) {
      const others = presentOf(model) - bytesPresent(folder, file)
      await downloadFile(file, { directory: folder, host, onProgress: (bytes) => bar.update(others + bytes) })
    }
  } catch (error) {
    throw error instanceof DownloadFailed ? new DownloadFailed(`${model.name}: ${error.message}`) : error
  } finally {
    bar.stop()
  }
  console.log(`${model.name}: downloaded and verified.`)
}

async function remove(selected: readonly Model[]): Promise<void> {
  for (const model of selected) {
    const present = presentOf(model)
    await rm(modelDirectory(directory, model), { recursive: true, force: true })
    console.log(
      present > 0 ? `${model.name}: removed, ${formatBytes(present)} are free.` : `${model.name}: not downloaded.`,
    )
  }
  if (!models.some((model) => isDownloaded(directory, model)))
    await rm(packagesDirectory(directory), { recursive: true, force: true })
}
