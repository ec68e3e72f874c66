/**
 * Runs a model in a child process: started by the first request, restarted after a crash, ended when idle and with the
 * service. Memory and time are bounded. Knows nothing about what the model does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { InputRefused, type ModelAnswer } from './child.ts'

export interface ModelProcessOptions {
  /** For messages. */
  name: string
  /** Calls `serveRequests`. */
  script: URL
  /** Passed to the script as JSON. */
  settings: object
  /** Of the model, beside what Node itself reserves. */
  memoryBytes: number
  /** Default: five minutes; loading a model takes seconds. */
  idleMs?: number
  loadMs?: number
  /** A crash: the end of stderr. */
  onCrash?: (message: string) => void
}

export interface ModelProcess<Input, Output> {
  /** One at a time. `signal` ends the process where the request is running. */
  request(input: Input, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Output>
  readonly pid: number | undefined
  stop(): void
}

/** The process ended, or took longer than it may. The next request starts another one. */
export class ModelFailed extends Error {
  override name = 'ModelFailed'
}

/** Writable memory that V8 reserves at its start, measured as 0.6 GB with Node 24. */
const nodeBytes = 2 ** 30
const heapMegabytes = 512
const idleMsDefault = 5 * 60_000
const loadMsDefault = 120_000
const logCharactersMax = 4_000
/** A process that cannot load its model is not started again at once. */
const restartMs = 10_000

interface Running {
  child: ChildProcess
  ready: Promise<void>
  /** The request in progress. */
  pending: { id: number; resolve: (output: unknown) => void; reject: (error: Error) => void } | undefined
}

export function modelProcess<Input, Output>(options: ModelProcessOptions): ModelProcess<Input, Output> {
  const { name, idleMs = idleMsDefault, loadMs = loadMsDefault } = options
  let running: Running | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let requests = 0
  let idle: NodeJS.Timeout | undefined
  let notBefore = 0
  let isStopped = false

  const end = () => {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  function start(): Running {
    if (performance.now() < notBefore) throw new ModelFailed(`${name} could not be loaded. Try again in a moment.`)
    const child = startChild(options)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const started: Running = { child, ready: promise, pending: undefined }
    promise.catch(() => {})
    let errors = ''
    let isReady = false
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-logCharactersMax)
    })
    child.on('message', (answer: ModelAnswer) => {
      if ('ready' in answer) {
        isReady = true
        return resolve()
      }
      const { pending } = started
      if (!pending || pending.id !== answer.id) return
      started.pending = undefined
      if ('output' in answer) pending.resolve(answer.output)
      else pending.reject(answer.isRefused ? new InputRefused(answer.failure) : new ModelFailed(answer.failure))
    })
    const onEnd = (reason: string) => {
      const isOurs = running !== started
      if (!isOurs) running = undefined
      if (!isReady && !isOurs) notBefore = performance.now() + restartMs
      const failure = new ModelFailed(`${name} ended with ${reason}.`)
      reject(failure)
      started.pending?.reject(failure)
      if (!isOurs) options.onCrash?.(`${failure.message} ${errors.trim()}`.trim())
    }
    child.once('error', (error) => onEnd(error.message))
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`))
    return started
  }

  async function run(input: Input, timeoutMs: number, signal?: AbortSignal): Promise<Output> {
    signal?.throwIfAborted()
    if (isStopped) throw new ModelFailed(`${name} was stopped.`)
    clearTimeout(idle)
    running ??= start()
    const current = running
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const fail = (message: string) => {
      if (running === current) end()
      reject(new ModelFailed(message))
    }
    const onAbort = () => fail(`${name} was interrupted.`)
    signal?.addEventListener('abort', onAbort)
    let timer = setTimeout(() => fail(`${name} was not loaded within ${loadMs / 1000} s.`), loadMs)
    try {
      await Promise.race([current.ready, promise])
      clearTimeout(timer)
      timer = setTimeout(() => fail(`${name} took longer than ${timeoutMs / 1000} s.`), timeoutMs)
      const id = ++requests
      current.pending = { id, resolve, reject }
      current.child.send({ id, input })
      return (await promise) as Output
    } finally {
      clearTimeout(timer)
      current.pending = undefined
      signal?.removeEventListener('abort', onAbort)
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    request: (input, { timeoutMs, signal }) => {
      if (signal) setMaxListeners(0, signal)
      const result = queue.then(() => run(input, timeoutMs, signal))
      queue = result.catch(() => {})
      return result
    },
    get pid() {
      return running?.child.pid
    },
    stop: () => {
      isStopped = true
      end()
    },
  }
}

/**
 * RLIMIT_DATA bounds what the process can write: heap and anonymous mappings, those of native libraries included. A model
 * file that is only mapped does not count. Where the system has no such limit (macOS), only V8's heap is bounded.
 */
function startChild({ script, settings, memoryBytes }: ModelProcessOptions): ChildProcess {
  const kilobytes = Math.ceil((memoryBytes + nodeBytes) / 1024)
  const node = [process.execPath, `--max-old-space-size=${heapMegabytes}`, '--disable-warning=ExperimentalWarning']
  const command = [...node, fileURLToPath(script), JSON.stringify(settings)]
  return spawn('sh', ['-c', 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(kilobytes), ...command], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // Options of this process (inspector, loader, hooks of a test runner) must not reach the model.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
}
