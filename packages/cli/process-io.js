/** What a command has of its process: streams, environment, network, clock, and the end by Ctrl-C. */
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** @import { Io } from './types.js' */

/** @param {Partial<Io>} [more] @returns {Io} */
export function processIo(more = {}) {
  const ended = new AbortController()
  const end = () => {
    ended.abort(new Error('Interrupted.'))
    // A read that waits for input would keep the process alive.
    process.stdin.destroy()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  // The reader of a pipe has gone, as in `reelsmith listen | head -1`.
  process.stdout.on('error', end)
  return {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    fetch,
    now: Date.now,
    sleep: async (milliseconds, signal) => {
      await delay(milliseconds, undefined, { signal: signal ?? ended.signal })
    },
    signal: ended.signal,
    platform: process.platform,
    launch,
    ...more,
  }
}

/** @param {string} command @param {string[]} args @returns {Promise<boolean>} */
function launch(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
