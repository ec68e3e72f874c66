/**
 * `npm run preview -- VIDEO [OUT.mp4]`: renders the current state of a video, small and fast, and prints the path of the mp4. It
 * changes neither the video's render nor its state.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { mediaFilesFor } from '../containers/media/render/media-files.ts'
import { renderComposition } from '../containers/media/render/render-composition.ts'
import { frameSizes } from '../lib/domain/records/brief.ts'
import type { Video } from '../lib/domain/records/video.ts'
import { compose } from '../lib/render/compose.ts'
import type { Composition } from '../lib/render/composition.ts'
import type { Size } from '../lib/render/framing.ts'
import { getVideo } from '../lib/store/videos.ts'
import { getWorkspace } from '../lib/store/workspaces.ts'
import { loadComposeInput } from '../lib/use-cases/generation/load-compose-input.ts'
import { selectDeployment } from './admin/deployment.ts'
import { findLocalService } from './local-service/service.ts'

const usage = `npm run preview -- VIDEO [OUT.mp4] [--workspace WORKSPACE]

  Renders the video as it is now, 540 pixels across its shorter side, and prints the path of the mp4
  (out/preview-VIDEO.mp4 where none is given). The local run of DATA_DIR must be up.`

const shortSide = 540
const timeoutMs = 30 * 60_000

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())

try {
  const parsed = parseArguments(process.argv.slice(2))
  console.log(parsed === 'help' ? usage : await preview(parsed))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

interface Arguments {
  videoId: string
  output: string
  workspace: string | undefined
}

function parseArguments(args: string[]): Arguments | 'help' {
  const options = { help: { type: 'boolean', short: 'h' }, workspace: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.help) return 'help'
  const [videoId, output = `out/preview-${videoId}.mp4`, ...rest] = positionals
  if (!videoId || rest.length > 0) throw new Error(usage)
  return { videoId, output, workspace: values.workspace }
}

/** Returns the path of the mp4. */
async function preview({ videoId, output, workspace }: Arguments): Promise<string> {
  const runtime = findLocalService()
  await selectDeployment(undefined)
  const composition = await compositionOf(workspace ?? runtime.workspaceId, videoId)
  const directory = await mkdtemp(join(tmpdir(), 'preview-'))
  try {
    await mkdir(join(directory, 'render'))
    const { videoPath } = await renderComposition({
      composition,
      ...(await mediaFilesFor(composition, join(directory, 'media'))),
      directory: join(directory, 'render'),
      onProgress: (percent) => process.stderr.isTTY && process.stderr.write(`\r${percent} %`),
      signal: interrupted.signal,
      timeoutMs,
    })
    if (process.stderr.isTTY) process.stderr.write('\r')
    await mkdir(dirname(output), { recursive: true })
    await copyFile(videoPath, output)
    return output
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function compositionOf(workspaceId: string, videoId: string): Promise<Composition> {
  const workspace = await getWorkspace(workspaceId)
  const video = await getVideo(workspaceId, videoId)
  const loaded = await loadComposeInput(workspace, video)
  if ('missing' in loaded) {
    throw new Error(`The edited scenes of ${videoId} have no ${loaded.missing} yet. Render the video to create it.`)
  }
  return compose(video, loaded.input, previewSize(video))
}

/** The encoder needs even sides. */
function previewSize({ brief }: Video): Size {
  const { width, height } = frameSizes[brief.aspectRatio]
  const even = (length: number) => 2 * Math.round((length * shortSide) / Math.min(width, height) / 2)
  return { width: even(width), height: even(height) }
}
