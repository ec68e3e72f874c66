/**
 * Entry point of the media container, which runs everything that needs ffmpeg. Arguments: a command, then the ids of a
 * run. Exit code 0: the record holds the result, or another task owns the run. Any other: the state machine retries
 * with a new task.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProviderBusy, Superseded } from '../../lib/domain/core/failures.ts'
import { log, withLogFields } from '../../lib/log.ts'
import { exitCodes } from '../../lib/pipelines/exit-codes.ts'
import { isNonRetryable, logJobFailure } from '../../lib/pipelines/step.ts'
import { assertHidden } from './assert-hidden.ts'
import {
  bestEffortJobCommand,
  type Command,
  checkCommand,
  claimedJobCommand,
  syncJobCommand,
  unclaimedJobCommand,
} from './command.ts'

/** By the names that the state machines use. */
const commands: Record<string, Command> = {
  'fetch-visuals': claimedJobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./visuals/fetch-visuals.ts')).fetchVisuals,
  ),
  'make-scenes': claimedJobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./visuals/make-scenes.ts')).makeScenes,
  ),
  'stitch-source': claimedJobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./render/stitch-source.ts')).stitchSource,
  ),
  'read-source': claimedJobCommand(
    'process',
    'transcription-failed',
    async () => (await import('./source/read-source.ts')).readSource,
  ),
  'animate-scenes': unclaimedJobCommand(
    'render',
    'visuals-failed',
    async () => (await import('./visuals/animate-scenes.ts')).animateScenes,
  ),
  'render-batch': bestEffortJobCommand('render', async () => (await import('./render/render-parts.ts')).renderBatch),
  'render-sound': bestEffortJobCommand('render', async () => (await import('./render/render-parts.ts')).renderSound),
  'render-thumbnail': bestEffortJobCommand(
    'render',
    async () => (await import('./render/render-parts.ts')).renderThumbnail,
  ),
  'render-video': claimedJobCommand(
    'render',
    'render-failed',
    async () => (await import('./render/render-video.ts')).renderVideo,
  ),
  'draw-scene-image': syncJobCommand(
    'visuals-failed',
    async () => (await import('./visuals/draw-scene-image.ts')).drawSceneImage,
  ),
  'make-presenter': syncJobCommand(
    'visuals-failed',
    async () => (await import('./visuals/make-presenter.ts')).makePresenter,
  ),
  canary: checkCommand(async () => (await import('./render/canary.ts')).runCanary),
}

assertHidden()
const [name = '', workspaceId = '', videoId = '', runId = '', ...rest] = process.argv.slice(2)
const command = commands[name]
if (!command || !runId) {
  // The build of the image makes such a call, to fill Node's compile cache with the modules of all commands.
  for (const { load } of Object.values(commands)) await load()
  console.error(
    `usage: main.ts ${Object.keys(commands).join('|')} WORKSPACE VIDEO RUN [PLAN | SCENES | KIND TARGET | FROM TO | SHA256]`,
  )
  process.exit(2)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('The task received SIGTERM.')))

const directory = await mkdtemp(join(tmpdir(), 'reelsmith-'))
try {
  process.exitCode = await withLogFields({ task: name, workspaceId, videoId, runId }, () => runCommand(command))
} finally {
  await rm(directory, { recursive: true, force: true })
}

/**
 * Returns the exit code. A permanent failure ends the run here; after any other, the state machine starts a new task.
 */
async function runCommand({ claim }: Command): Promise<number> {
  try {
    const { work, fail } = await claim({ workspaceId, videoId, runId }, rest)
    await work({ directory, signal: stop.signal }).catch((error) => {
      if (stop.signal.aborted || !isNonRetryable(error)) throw error
      logJobFailure('task.failed', error)
      return fail(error)
    })
    return 0
  } catch (error) {
    if (error instanceof Superseded) {
      log.info('task.superseded')
      return 0
    }
    logJobFailure('task.failed', error)
    return error instanceof ProviderBusy ? exitCodes.providerBusy : exitCodes.failed
  }
}
