// Task tokens of states that wait for SendTaskSuccess or SendTaskFailure. A token is valid while its state waits: after a restart the
// state starts again with a new token, and a used or old token gives TaskTimedOut.

import { randomUUID } from 'node:crypto'
import { namedError } from '../named-error.ts'

interface Waiter {
  readonly succeed: (output: unknown) => void
  readonly fail: (error: Error) => void
  readonly beat: () => void
}

const TOKEN = /task-token-[0-9a-f-]{36}/

export type TaskTokens = ReturnType<typeof createTaskTokens>

export function createTaskTokens() {
  const waiting = new Map<string, Waiter>()

  const waiter = (token: string): Waiter => {
    const found = waiting.get(token)
    if (!found) throw namedError('TaskTimedOut', 'Task Timed Out: the state of this token no longer waits.')
    return found
  }

  return {
    mint: (): string => `task-token-${randomUUID()}`,

    /** Resolves with the output sent for the token in these parameters. Rejects on failure, missing heartbeat or abort. */
    wait: (parameters: unknown, heartbeatSeconds: number | undefined, signal: AbortSignal): Promise<unknown> => {
      const token = TOKEN.exec(JSON.stringify(parameters))?.[0]
      if (!token) throw namedError('States.Runtime', 'The parameters do not contain $$.Task.Token.')
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      let heartbeat: NodeJS.Timeout | undefined
      const beat = () => {
        clearTimeout(heartbeat)
        if (heartbeatSeconds === undefined) return
        heartbeat = setTimeout(() => reject(namedError('States.HeartbeatTimeout', '')), heartbeatSeconds * 1000)
      }
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      waiting.set(token, { succeed: resolve, fail: reject, beat })
      beat()
      return promise.finally(() => {
        clearTimeout(heartbeat)
        signal.removeEventListener('abort', abort)
        waiting.delete(token)
      })
    },

    succeed: (token: string, output: string): void => waiter(token).succeed(JSON.parse(output)),
    fail: (token: string, error = 'States.TaskFailed', cause = ''): void =>
      waiter(token).fail(namedError(error, cause)),
    beat: (token: string): void => waiter(token).beat(),
  }
}
