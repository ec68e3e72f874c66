/** `node:timers/promises` in virtual time. */

const abortError = (signal: AbortSignal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  })

export function setTimeout<Value>(ms = 0, value?: Value, { signal }: { signal?: AbortSignal } = {}): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  if (signal?.aborted) {
    reject(abortError(signal))
    return promise
  }
  const timer = simulator.setTimeout(() => {
    signal?.removeEventListener('abort', abort)
    resolve(value as Value)
  }, ms)
  const abort = () => {
    timer.cancel()
    reject(abortError(signal!))
  }
  signal?.addEventListener('abort', abort, { once: true })
  return promise
}

export const setImmediate = (): Promise<void> => setTimeout(0)
