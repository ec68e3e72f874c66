/**
 * `npm run models [-- NAME …] [--list] [--remove]`: downloads models for this machine, never without being asked to.
 * MODELS_DIR is the folder (`~/.cache/reelsmith/models`), MODELS_URL the host or a mirror of it.
 */
import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import {
  bytesPresent,
  DownloadFailed,
  downloadFile,
  filePath,
  formatBytes,
  isComplete,
  modelDirectory,
  refuseFullDisk,
} from './models/download.ts'
import { type Model, models } from './models/manifest.ts'

const host = (process.env.MODELS_URL || 'https://huggingface.co').replace(/\/+$/, '')
const directory = resolve(process.env.MODELS_DIR || join(homedir(), '.cache/reelsmith/models'))

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const options = { list: { type: 'boolean' }, remove: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const selected = positionals.length > 0 ? positionals.map(modelNamed) : [...models]
  if (values.remove) return await remove(selected)
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

function isDownloaded(model: Model): boolean {
  return model.files.every((file) => isComplete(modelDirectory(directory, model), file))
}

function list(selected: readonly Model[]): void {
  console.log(`Models in ${directory}:`)
  for (const model of selected) {
    const present = presentOf(model)
    const state = isDownloaded(model)
      ? 'downloaded'
      : present > 0
        ? `${formatBytes(present)} downloaded`
        : 'not downloaded'
    console.log(`  ${model.name.padEnd(8)} ${formatBytes(bytesOf(model)).padStart(8)}  ${state}`)
    console.log(`           ${model.title} (${model.licence}): ${model.purpose}`)
  }
}

async function download(selected: readonly Model[]): Promise<void> {
  const missing = selected.filter((model) => !isDownloaded(model))
  const bytesMissing = missing.reduce((sum, model) => sum + bytesOf(model) - presentOf(model), 0)
  if (missing.length === 0) return console.log('Nothing to download.')
  await refuseFullDisk(directory, bytesMissing)
  console.log(`Downloads ${formatBytes(bytesMissing)} from ${new URL(host).host}.`)
  for (const model of missing) await downloadModel(model)
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
  console.log(`${model.name}: downloaded and verified. ${model.use(filesOf(model))}`)
}

function filesOf(model: Model): string[] {
  return model.files.map((file) => filePath(modelDirectory(directory, model), file))
}

async function remove(selected: readonly Model[]): Promise<void> {
  for (const model of selected) {
    const present = presentOf(model)
    await rm(modelDirectory(directory, model), { recursive: true, force: true })
    console.log(
      present > 0 ? `${model.name}: removed, ${formatBytes(present)} are free.` : `${model.name}: not downloaded.`,
    )
  }
}
