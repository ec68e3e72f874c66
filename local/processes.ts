// Child processes of the local run. However this process ends, kill -9 included, no child or grandchild outlives it.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface Child {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** SIGTERM to the child alone, as ECS does; after `graceMs` SIGKILL to its whole group. Resolves once it has exited. */
  stop(graceMs?: number): Promise<void>
}

// The command leads its own process group. A shell in the group reads from a pipe: when this process dies, or closes the pipe after the
// command has ended, the shell gets end of file and kills the rest of the group.
// (PR_SET_PDEATHSIG signals only the command, not its ffmpeg, and exists only on Linux.)
const GUARDED = `
exec 3<&0 </dev/null
{ trap '' HUP INT TERM; while read -r line; do :; done <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`

const GRACE_MS = 4_000

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already exited.
  }
}

interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly onLine?: (line: string) => void
  /** Runs below the priority of this process, which answers requests meanwhile. */
  readonly isBackground?: boolean
}

const BACKGROUND_NICENESS = 10

/** Children of the child inherit it. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + BACKGROUND_NICENESS, constants.priority.PRIORITY_LOW))
    lowerSessionPriority(pid)
  } catch {
    // The process has already exited.
  }
}

/** The kernel allows a user without privileges one change of a session in this time. */
const AUTOGROUP_RETRY_MS = 100

/**
 * Linux shares the processors between sessions before it shares them between the processes of one (autogroups, sched(7)). A child
 * leads a session of its own, so its own niceness alone has no effect on this process.
 */
function lowerSessionPriority(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICENESS), { flag: 'r+' })
  } catch (error) {
    // Other errors: the process has exited, or the system has no autogroups.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    setTimeout(() => lowerSessionPriority(pid), AUTOGROUP_RETRY_MS).unref()
  }
}

/**
 * Starts a command in a new process group. `env` is added to the environment, `onLine` receives each printed line.
 * A command that does not exist exits with code 127, as in a shell.
 */
export function startChild(command: readonly string[], options: ChildOptions = {}): Child {
  const child = spawn('/bin/sh', ['-c', GUARDED, 'sh', ...command], {
    detached: true,
    env: { ...process.env, ...options.env },
    stdio: 'pipe',
  })
  const onLine = options.onLine ?? (() => {})
  createInterface({ input: child.stdout }).on('line', onLine)
  createInterface({ input: child.stderr }).on('line', onLine)

  const { promise: exited, resolve } = Promise.withResolvers<Exit>()
  child.on('error', (error) => {
    onLine(String(error))
    resolve({ code: 127, signal: null })
  })
  child.on('exit', (code, name) => {
    child.stdin.destroy()
    resolve({ code, signal: name })
  })

  const pid = child.pid ?? 0
  if (options.isBackground && pid > 0) lowerPriority(pid)
  const stop = async (graceMs = GRACE_MS): Promise<void> => {
    if (pid === 0 || child.exitCode !== null || child.signalCode !== null) return
    signal(pid, 'SIGTERM')
    const killer = setTimeout(() => signal(-pid, 'SIGKILL'), graceMs)
    await exited
    clearTimeout(killer)
  }
  return { pid, exited, stop }
}

interface SupervisedProcess {
  /** The current process; it changes after a crash. */
  readonly pid: number
  stop(graceMs?: number): Promise<void>
}

const RESTART_FIRST_MS = 50
const RESTART_LAST_MS = 5_000

/** Restarts a child when it exits unexpectedly, with exponential backoff while it keeps crashing. */
export function superviseChild(name: string, start: () => Child, log: Log): SupervisedProcess {
  const stopping = new AbortController()
  let child = start()
  const watch = async (): Promise<void> => {
    for (let waitMs = RESTART_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RESTART_LAST_MS)) {
      const startedAt = Date.now()
      const { code, signal: by } = await child.exited
      if (stopping.signal.aborted) return
      log(`${name} exited (${by ?? `code ${code}`}), restarting it`)
      if (Date.now() - startedAt > RESTART_LAST_MS) waitMs = RESTART_FIRST_MS
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      child = start()
    }
  }
  const watched = watch()
  return {
    get pid() {
      return child.pid
    },
    stop: async (graceMs) => {
      stopping.abort()
      await child.stop(graceMs)
      await watched
    },
  }
}
