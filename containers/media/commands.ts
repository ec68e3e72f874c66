/** The commands of the media container, and how one runs: the same in a task and in a function. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProviderBusy, Superseded } from '../../lib/domain/core/failures.ts'
import { log, withLogFields } from '../../lib/log.ts'
import { withOrderPatience } from '../../lib/pipelines/order-patience.ts'
import { isNonRetryable, logJobFailure, type RunInput } from '../../lib/pipelines/step.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'
import { bestEffortJobCommand, type Command, checkCommand, claimedJobCommand, syncJobCommand } from './command.ts'
import type { TaskContext } from './task.ts'

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
  'animate-scenes': claimedJobCommand(
    'render',
    'visuals-failed',
    async () => (await import('./visuals/animate-scenes.ts')).animateScenes,
    'QUEUED',
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

/**
 * `done`: the record holds the result or the permanent failure, or another worker owns the run. `pending`: a vendor is
 * still processing an order, for which the state machine waits. `busy`: a vendor stayed busy through all retries.
 * `failed`: another worker may succeed.
 */
export type Outcome = 'done' | 'pending' | 'busy' | 'failed'

interface CommandResult {
  outcome: Outcome
  /** What a check of the deployment found. */
  result?: unknown
}

export const usage = `${Object.keys(commands).join('|')} WORKSPACE VIDEO RUN [PLAN | SCENES | KIND TARGET | FROM TO | SHA256]`

export const isCommand = ([name = '', , , runId]: readonly string[]): boolean =>
  Object.hasOwn(commands, name) && !!runId

/** Imports the modules of all commands. */
export async function loadCommands(): Promise<void> {
  for (const { load } of Object.values(commands)) await load()
}

/** Prefix of scratch directories. A function deletes those of its crashed predecessors. */
export const scratchPrefix = 'reelsmith-work-'

/**
 * Runs a command in a scratch directory, which is deleted afterwards. A permanent failure ends the run here. `startedAt`:
 * when the execution started, of states that wait for vendors.
 */
export async function runCommand(
  [name = '', workspaceId = '', videoId = '', runId = '', ...rest]: readonly string[],
  { startedAt, ...context }: Omit<TaskContext, 'directory'> & { startedAt?: string | undefined },
): Promise<CommandResult> {
  const directory = await mkdtemp(join(tmpdir(), scratchPrefix))
  try {
    const run = { workspaceId, videoId, runId }
    return await withLogFields({ task: name, ...run }, async () => {
      try {
        const { work, fail } = await commands[name]!.claim(run, rest)
        const result = await withOrderPatience(startedAt, () => work({ ...context, directory })).catch(
          async (error) => {
            if (context.signal.aborted || !isNonRetryable(error)) throw error
            await logJobFailure('task.failed', error, run)
            return fail(error)
          },
        )
        return { outcome: 'done', ...(result === undefined ? {} : { result }) }
      } catch (error) {
        return { outcome: await outcomeOf(error, run) }
      }
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function outcomeOf(error: unknown, run: RunInput): Promise<Outcome> {
  if (error instanceof Superseded) {
    log.info('task.superseded')
    return 'done'
  }
  if (error instanceof OrderPending) {
    log.info('task.pending', { reason: error.message })
    return 'pending'
  }
  await logJobFailure('task.failed', error, run)
  return error instanceof ProviderBusy ? 'busy' : 'failed'
}
