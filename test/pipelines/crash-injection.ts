/**
 * A generation whose process dies: the real steps in this process, over the real emulators, with stand-ins for all vendors. It dies
 * at one place, before or after a request to storage or to the table, and from there on nothing that it does has any effect; then
 * the state that it was in is entered again, as the state machine does.
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
import { table } from '../../lib/store/core/client.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import type { RunRef } from '../../lib/use-cases/videos/change-video.ts'

/** Where a process is in its life. */
interface ProcessLife {
  /** Requests that it has sent or had answered, two for each. */
  at: number
  diesAt: number
  isDead: boolean
  /** What it has stored for good. */
  stored: string[]
}

const lives = new AsyncLocalStorage<ProcessLife>()

class SimulatedCrash extends Error {}

/** A moment at which a process may die. The dead do nothing. */
function crashPoint(life: ProcessLife): void {
  life.at += 1
  if (life.at === life.diesAt) life.isDead = true
  if (life.isDead) throw new SimulatedCrash(`Killed at ${life.diesAt}.`)
}

/** Requests of processes that may die; whoever asks from outside a life is not concerned. Once for this file. */
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

/** The states of a generation in their order, each with what the ones before it have left, as the ASL file hands it on. */
function statesOf(type: 'faceless' | 'ai', run: RunRef, directory: string): [name: string, state: State][] {
  const step =
    (handler: (event: unknown) => Promise<unknown>): State =>
    (left) =>
      handler({ ...run, ...left })
  const task =
    (work: (task: JobTask) => Promise<void>): State =>
    async ({ visuals }) => {
      const video = await claimAttempt(run.workspaceId, run.videoId, 'process', run.runId)
      const { key } = visuals as { key: string }
      await work({ run, video, rest: [key], directory, signal: new AbortController().signal })
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

/** Generates, and dies once at this moment; with 0 it lives on. `onDeath` hears what was stored until then. */
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
        // Whoever died after the last commit has nothing left to do.
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
