/**
 * Entry point of the media container as a task. Arguments: a command, then the ids of a run. Exit code 0: the record holds
 * the result, another worker owns the run, or a vendor still processes an order, which the next state finds out. Any other:
 * the state machine retries with a new task.
 */
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { env } from '../../lib/env.ts'
import { exitCodes } from '../../lib/pipelines/exit-codes.ts'
import { assertHidden } from './assert-hidden.ts'
import { isCommand, loadCommands, type Outcome, runCommand, usage } from './commands.ts'

const exitCodeOf: Record<Outcome, number> = {
  done: 0,
  pending: 0,
  busy: exitCodes.providerBusy,
  failed: exitCodes.failed,
}

assertHidden()
const command = process.argv.slice(2)
if (!isCommand(command)) {
  // The build of the image makes such a call, to fill Node's compile cache with the modules of all commands and threads.
  await loadCommands()
  await loadThreads()
  console.error(`usage: main.ts ${usage}`)
  process.exit(2)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('The task received SIGTERM.')))
const { outcome } = await runCommand(command, { signal: stop.signal, startedAt: env.executionStartedAt() })
process.exitCode = exitCodeOf[outcome]

/** Starts each thread without work: it loads its modules and ends. */
async function loadThreads(): Promise<void> {
  for (const file of globSync('**/*-worker.ts', { cwd: import.meta.dirname }))
    await once(new Worker(join(import.meta.dirname, file)), 'exit')
}
