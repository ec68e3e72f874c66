/**
 * Crash injection for a generation: the real steps in this process, on the real emulators, with stand-ins for all
 * vendors. The process crashes at one point, before or after a request to storage or to the table, and nothing that it
 * does from then on has an effect; then the state that it was in is entered again, as the state machine does.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobTask } from '../../containers/media/task.ts'
import { fetchVisuals } from '../../containers/media/visuals/fetch-visuals.ts'
import { makeScenes } from '../../containers/media/visuals/make-scenes.ts'
import { handler as begin } from '../../functions/pipelines/generate/begin.ts'
import { handler as complete } from '../../functions/pipelines/generate/complete.ts'
import { handler as completeScenes } from '../../functions/pipelines/generate/complete-scenes.ts'
import { handler as narrate } from '../../functions/pipelines/generate/narrate.ts'
import { handler as narrateScenes } from '../../functions/pipelines/generate/narrate-scenes.ts'
import { handler as planVisuals } from '../../functions/pipelines/generate/plan-visuals.ts'
import { handler as writeScenes } from '../../functions/pipelines/generate/write-scenes.ts'
import { handler as writeScript } from '../../functions/pipelines/generate/write-script.ts'
import { s3 } from '../../lib/aws/media-bucket.ts'
import { Superseded } from '../../lib/domain/core/failures.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'
import { table } from '../../lib/store/core/client.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import type { RunRef } from '../../lib/use-cases/videos/change-video.ts'

/** Progress of a process up to its crash. */
interface ProcessLife {
  /** Requests that were sent or answered, two for each. */
  at: number
  diesAt: number
  isDead: boolean
  /** Artefacts that were stored for good. */
  stored: string[]
}

const lives = new AsyncLocalStorage<ProcessLife>()

class SimulatedCrash extends Error {}

/** A point at which a process may crash. A crashed process does nothing. */
function crashPoint(life: ProcessLife): void {
  life.at += 1
  if (life.at === life.diesAt) life.isDead = true
  if (life.isDead) throw new SimulatedCrash(`Killed at ${life.diesAt}.`)
}

/** Counts requests of processes that may crash; requests from outside are not affected. Call it once in a file. */
export function injectCrashes(): void {
  for (const { middlewareStack } of [s3, table] as { middlewareStack: typeof s3.middlewareStack }[])
    middlewareStack.add(
      (next, context) => async (request) => {
        const life = lives.getStore()
        if (!life) return next(request)
        crashPoint(life)
        const answer = await next(request)
        if (context.commandName === 'PutObjectCommand') life.stored.push((request.input as { Key: string }).Key)
        crashPoint(life)
        return answer
      },
      { step: 'initialize', priority: 'high', name: 'mayDie' },
    )
}

type State = (left: Record<string, unknown>) => Promise<unknown>

/** The states of a generation in their order, each with the output of the ones before it, as the ASL file passes it. */
function statesOf(type: 'faceless' | 'ai', run: RunRef, directory: string): [name: string, state: State][] {
  const step =
    (handler: (event: unknown) => Promise<unknown>): State =>
    (left) =>
      handler({ ...run, ...left })
  const task =
    (work: (task: JobTask) => Promise<void>): State =>
    async ({ visuals }) => {
      const { key } = visuals as { key: string }
      for (let isPending = true; isPending; ) {
        const video = await claimAttempt(run.workspaceId, run.videoId, 'process', run.runId)
        const done = work({ run, video, rest: [key], directory, signal: new AbortController().signal })
        isPending = await done.then(
          () => false,
          (error) => {
            if (error instanceof OrderPending) return true
            throw error
          },
        )
      }
    }
  const scenes: [string, State][] = [
    ['scenes', step(writeScenes)],
    ['visuals', step(narrateScenes)],
    ['made', task(makeScenes)],
    ['done', step(completeScenes)],
  ]
  const segments: [string, State][] = [
    ['narration', step(narrate)],
    ['visuals', step(planVisuals)],
    ['made', task(fetchVisuals)],
    ['done', step(complete)],
  ]
  return [['begun', step(begin)], ['script', step(writeScript)], ...(type === 'ai' ? scenes : segments)]
}

/** Generates, and crashes once at this point; 0 means never. `onDeath` gets what was stored until then. */
export async function generateWithCrash(
  type: 'faceless' | 'ai',
  run: RunRef,
  diesAt: number,
  onDeath: (stored: string[]) => void = () => {},
): Promise<{ moments: number; stored: string[] }> {
  const life: ProcessLife = { at: 0, diesAt, isDead: false, stored: [] }
  const directory = mkdtempSync(join(tmpdir(), 'kill-'))
  const left: Record<string, unknown> = {}
  try {
    for (const [name, state] of statesOf(type, run, directory)) {
      const enter = () => lives.run(life, () => state(left))
      left[name] = await enter().catch((error) => {
        if (!life.isDead) throw error
        onDeath([...life.stored])
        life.isDead = false
        // A crash after the last commit leaves nothing to do.
        return enter().catch((late) => {
          if (!(late instanceof Superseded)) throw late
        })
      })
    }
    return { moments: life.at, stored: life.stored }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
