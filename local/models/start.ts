/** Starts the server of the downloaded models. Without models it starts nothing; it never downloads or installs. */
import { join } from 'node:path'
import type { FoundServer, FoundServers } from '../discover-servers.ts'
import type { Log } from '../log.ts'
import {
  filePath,
  installArguments,
  isDownloaded,
  missingPackages,
  modelDirectory,
  packagesDirectory,
} from './folder.ts'
import type { SpeechInput, SpeechOutput } from './kokoro.ts'
import { type Model, models } from './manifest.ts'
import { modelProcess } from './model-process.ts'
import { type LocalModels, startModelServer } from './server.ts'

export interface DownloadedModels {
  found: FoundServers
  /** What is missing for a downloaded model, a sentence each. */
  notes: string[]
  stop(): Promise<void>
}

/**
 * Of writable memory, for any of them; a mapped model file does not count. The largest is Parakeet while it loads: its
 * 0.65 GB are read, copied and repacked.
 */
const memoryBytes = 4e9
const none: FoundServers = { text: undefined, speech: undefined, transcription: undefined }

/** `available`: default the models of the manifest; tests have smaller ones. */
export async function startDownloadedModels(
  directory: string,
  log: Log,
  available: readonly Model[] = models,
): Promise<DownloadedModels> {
  const downloaded = available.filter((model) => isDownloaded(directory, model))
  const isRunnable = (model: Model) => missingPackages(directory, model).length === 0
  const notes = downloaded.filter((model) => !isRunnable(model)).map((model) => noteOf(directory, model))
  const runnable = downloaded.filter(isRunnable)
  if (runnable.length === 0) return { found: none, notes, stop: async () => {} }
  const local: LocalModels = Object.assign({}, ...runnable.map((model) => localModel(directory, model, log)))
  const { baseUrl, stop } = await startModelServer(local)
  const address = new URL(baseUrl).host
  const server = (used: { model: string } | undefined): FoundServer | undefined =>
    used && { name: 'the downloaded models', address, baseUrl, model: used.model }
  const { text, speech, transcription } = local
  return { found: { text: server(text), speech: server(speech), transcription: server(transcription) }, notes, stop }
}

const noteOf = (directory: string, model: Model) =>
  `The model ${model.name} is downloaded and not used, because npm packages are missing: run npm ${installArguments(directory, missingPackages(directory, model)).join(' ')}`

function localModel(directory: string, model: Model, log: Log): LocalModels {
  const packages = packagesDirectory(directory)
  const pathOf = (pattern: RegExp) => {
    const file = model.files.find(({ path }) => pattern.test(path))
    if (!file) throw new Error(`The model ${model.name} has no file ${pattern}.`)
    return filePath(modelDirectory(directory, model), file)
  }
  // Name and size, without format and quantisation.
  const [name = model.title] = model.title.split(',')
  const start = <Input, Output>(script: string, settings: object) =>
    modelProcess<Input, Output>({
      ...{ name, settings: { packages, ...settings }, memoryBytes },
      script: new URL(script, import.meta.url),
      onCrash: (message) => log(message),
    })
  if (model.name === 'writer')
    return { text: { model: name, process: start('./chat-process.ts', { model: pathOf(/\.gguf$/) }) } }
  if (model.name === 'voice') {
    const files = model.files.filter(({ path }) => path.startsWith('voices/'))
    const nameOf = (path: string) => path.replace(/^voices\/|\.bin$/g, '')
    const voices = Object.fromEntries(
      files.map(({ path }) => [nameOf(path), join(modelDirectory(directory, model), path)]),
    )
    const process = start<SpeechInput, SpeechOutput>('./kokoro-process.ts', { model: pathOf(/\.onnx$/), voices })
    return { speech: { model: 'kokoro', voices: Object.keys(voices), process } }
  }
  const settings = {
    ...{ encoder: pathOf(/^encoder/), decoder: pathOf(/^decoder/), joiner: pathOf(/^joiner/) },
    tokens: pathOf(/^tokens\.txt$/),
  }
  return { transcription: { model: 'parakeet', process: start('./parakeet-process.ts', settings) } }
}
