/** Writes: one at a time, with one idempotency key for repeats of the same request. */
import { useRef, useState } from 'preact/hooks'
import { type Client, ReelsmithError } from '../../packages/client/index.js'
import { announce } from './notices.tsx'
import { endIfUnauthorized, requireClient } from './session.ts'

export interface Action<Input, Result> {
  /** Undefined where the call fails: `error` has the reason. */
  run(input: Input): Promise<Result | undefined>
  /** The same request once more. */
  retry(): void
  reset(): void
  isRunning: boolean
  error: unknown
}

type Send<Input, Result> = (client: Client, input: Input, options: { idempotencyKey: string }) => Promise<Result>

/** `done`: what is announced on success. */
export function useAction<Input = void, Result = unknown>(
  send: Send<Input, Result>,
  done?: string | ((result: Result, input: Input) => unknown),
): Action<Input, Result> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const last = useRef<{ input: Input; text: string; idempotencyKey: string } | undefined>(undefined)
  const run = async (input: Input): Promise<Result | undefined> => {
    const text = JSON.stringify(input) ?? ''
    if (last.current?.text !== text) last.current = { input, text, idempotencyKey: crypto.randomUUID() }
    setRunning(true)
    setError(undefined)
    try {
      const result = await send(requireClient(), input, { idempotencyKey: last.current.idempotencyKey })
      last.current = undefined
      if (typeof done === 'string') announce(done)
      else done?.(result, input)
      return result
    } catch (failure) {
      setError(failure)
      if (failure instanceof ReelsmithError) endIfUnauthorized(failure)
      return undefined
    } finally {
      setRunning(false)
    }
  }
  return {
    run,
    retry: () => last.current && void run(last.current.input),
    reset: () => setError(undefined),
    isRunning,
    error,
  }
}
