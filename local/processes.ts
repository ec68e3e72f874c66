// Child processes of the local run. Whatever way this process ends, kill -9 included, no child and no grandchild outlives it.

import { spawn } from 'node:child_process'
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
  /** SIGTERM to the child alone, as ECS does; after `graceMs` SIGKILL to its whole group. Resolves when it is gone. */
  stop(graceMs?: number): Promise<void>
}

// The command leads its own process group. Beside it waits a shell that holds the other end of a pipe: our death, or our
// closing the pipe when the command has ended, reaches it as end of file, and it kills whatever is left of the group.
// (PR_SET_PDEATHSIG would reach the command alone, leaving its ffmpeg behind, and exists on Linux only.)
const GUARDED = `
exec 3<&0 </dev/null
{ trap '' HUP INT TERM; while read -r line; do :; done <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`

const GRACE_MS = 4_000

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already: a signal can always arrive too late.
  }
}

/**
 * Starts a command in a group of its own; `env` is added to ours, `onLine` gets each line it prints.
 * A command that does not exist exits with code 127, as in a shell.
 */
export function startChild(
  command: readonly string[],
  options: { env?: Readonly<Record<string, string>>; onLine?: (line: string) => void } = {},
): Child {
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
  /** The process that runs now; another one after a crash. */
  readonly pid: number
  stop(graceMs?: number): Promise<void>
}

const RESTART_FIRST_MS = 50
const RESTART_LAST_MS = 5_000

/** Starts a child again whenever it ends unasked: at once after a long life, slower and slower when it keeps crashing. */
export function superviseChild(name: string, start: () => Child, log: Log): SupervisedProcess {
  const stopping = new AbortController()
  let child = start()
  const watch = async (): Promise<void> => {
    for (let waitMs = RESTART_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RESTART_LAST_MS)) {
      const startedAt = Date.now()
      const { code, signal: by } = await child.exited
      if (stopping.signal.aborted) return
      log(`${name} ended (${by ?? `code ${code}`}), starting it again`)
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
