/**
 * The only place that starts ffmpeg. The process has a minimal environment, without credentials, no network and resource
 * limits, and it is killed on abort, on timeout and when it makes no progress.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { findFfmpeg } from './binary.ts'
import { commonArguments, withAllowedProtocols, withResourceLimits } from './limits.ts'
import { withoutNetwork } from './no-network.ts'
import { type FfmpegProgress, parseProgress } from './progress.ts'

const stallMsDefault = 30_000
/** SIGKILL follows SIGTERM after this. ffmpeg usually exits within 0.1 s, but not from inside a busy filter graph. */
const graceMs = 3_000
const logCharactersMax = 8_192
/**
 * The whole environment of ffmpeg. By default, glibc returns frame-sized memory to the system after each frame and gets
 * zeroed memory for the next, which takes an eighth of the encoding time. Larger blocks are allocated only once.
 */
const environment = { MALLOC_MMAP_THRESHOLD_: String(2 ** 22), MALLOC_TRIM_THRESHOLD_: String(2 ** 26) }

/** What to run. The result is ffmpeg's standard output, if the arguments write to `pipe:1`. */
export interface FfmpegRun {
  /** Inputs, filters and outputs. Names are relative to `directory`. */
  arguments: readonly string[]
  directory: string
  /** Written to standard input (`pipe:0`). A chunk may be reused once the next one is requested. */
  input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  onProgress?: (progress: FfmpegProgress) => void
  signal?: AbortSignal
  timeoutMs: number
  /** Longest time without a further frame, byte or millisecond of output; 30 s by default. */
  stallMs?: number
}

/** Why a run failed: `failed` means that ffmpeg exited with an error; the message has the end of its log. */
export class FfmpegFailure extends Error {
  override name = 'FfmpegFailure'
  readonly code: 'cancelled' | 'timeout' | 'stalled' | 'failed'
  /** Whether ffmpeg itself rejected the files, so that a retry would fail too. */
  readonly isPermanent: boolean

  constructor(code: FfmpegFailure['code'], message: string, isPermanent = false) {
    super(message)
    this.code = code
    this.isPermanent = isPermanent
  }
}

/** Runs ffmpeg to completion. `output` is its whole standard output, `log` the last 8 KB of its messages. */
export async function runFfmpeg(run: FfmpegRun): Promise<{ output: Buffer; log: string }> {
  const started = startFfmpeg(run)
  const chunks: Buffer[] = []
  started.output.on('data', (chunk: Buffer) => chunks.push(chunk))
  const log = await started.finished
  return { output: Buffer.concat(chunks), log }
}

/** Streams ffmpeg's standard output with backpressure. ffmpeg is stopped when the reader ends the iteration early. */
export async function* streamFfmpeg(run: FfmpegRun): AsyncGenerator<Uint8Array, void> {
  const readerLeft = new AbortController()
  const signal = run.signal ? AbortSignal.any([run.signal, readerLeft.signal]) : readerLeft.signal
  const started = startFfmpeg({ ...run, signal })
  // Awaited after the output; until then a rejection must not count as unhandled.
  started.finished.catch(() => {})
  let leftEarly = true
  try {
    yield* started.output
    leftEarly = false
  } catch (failure) {
    leftEarly = false
    // The output also fails when ffmpeg is stopped: then the reason for the stop takes precedence.
    await started.finished
    throw failure
  } finally {
    if (leftEarly) {
      readerLeft.abort()
      await started.finished.catch(() => {})
    }
  }
  await started.finished
}

/** Starts ffmpeg. `finished` settles when the process has exited. */
function startFfmpeg(run: FfmpegRun): { output: Readable; finished: Promise<string> } {
  const command = withoutNetwork([findFfmpeg(), ...commonArguments])
  const [program, ...rest] = withResourceLimits(command, Math.ceil(run.timeoutMs / 1000) * 4)
  const child = spawn(program!, [...rest, '-nostats', '-progress', 'pipe:3', ...withAllowedProtocols(run.arguments)], {
    cwd: run.directory,
    env: environment,
    stdio: [run.input ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  return { output: child.stdout!, finished: superviseFfmpeg(child, run) }
}

async function superviseFfmpeg(child: ChildProcess, run: FfmpegRun): Promise<string> {
  let log = ''
  let stopped: FfmpegFailure | undefined
  let kill: NodeJS.Timeout | undefined
  const stop = (failure: FfmpegFailure) => {
    if (stopped) return
    stopped = failure
    child.kill('SIGTERM')
    kill = setTimeout(() => child.kill('SIGKILL'), graceMs)
    // A full pipe without a reader would keep ffmpeg from exiting.
    child.stdout?.destroy()
  }
  const stallMs = run.stallMs ?? stallMsDefault
  const timeout = setTimeout(
    () => stop(new FfmpegFailure('timeout', `ffmpeg did not finish within ${run.timeoutMs} ms`)),
    run.timeoutMs,
  )
  const stall = setTimeout(
    () => stop(new FfmpegFailure('stalled', `ffmpeg made no progress for ${stallMs} ms`)),
    stallMs,
  )
  const cancel = () => stop(new FfmpegFailure('cancelled', 'the run was cancelled'))
  run.signal?.addEventListener('abort', cancel, { once: true })
  if (run.signal?.aborted) cancel()

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-logCharactersMax)
  })
  followProgress(child.stdio[3] as Readable, (progress, moved) => {
    if (moved) stall.refresh()
    run.onProgress?.(progress)
  })
  let inputFailure: unknown
  const fed = run.input
    ? writeInput(child.stdin!, run.input).catch((failure) => {
        inputFailure = failure
        child.kill('SIGKILL')
      })
    : undefined
  try {
    await once(child, 'close')
    await fed
  } catch (failure) {
    throw new FfmpegFailure('failed', `ffmpeg could not be started: ${failure}`)
  } finally {
    clearTimeout(timeout)
    clearTimeout(stall)
    clearTimeout(kill)
    run.signal?.removeEventListener('abort', cancel)
  }
  if (stopped) throw stopped
  if (inputFailure) throw inputFailure
  // ffmpeg 4 exits with 0 even if the end of its output did not fit on the disk.
  if (child.exitCode === 0 && !/^Error writing trailer/m.test(log)) return log
  const reason = `ffmpeg ended with ${child.exitCode ?? child.signalCode}: ${log.trim()}`
  throw new FfmpegFailure('failed', reason, isPermanent(child.exitCode, log))
}

/** Not permanent: killed by a signal, could not be executed (126 or 127), or a full disk. */
const isPermanent = (status: number | null, log: string) =>
  status !== null && ![126, 127].includes(status) && !/No space left on device/.test(log)

/**
 * Writes each chunk and waits until it is flushed. Stops silently when ffmpeg no longer reads: its exit gives the
 * reason.
 */
async function writeInput(stdin: Writable, input: NonNullable<FfmpegRun['input']>): Promise<void> {
  stdin.on('error', () => {})
  for await (const chunk of input) {
    const accepted = await new Promise<boolean>((resolve) => stdin.write(chunk, (error) => resolve(!error)))
    if (!accepted) return
  }
  stdin.end()
}

function followProgress(pipe: Readable, report: (progress: FfmpegProgress, moved: boolean) => void): void {
  let rest = ''
  let last = ''
  pipe.setEncoding('utf8').on('data', (text: string) => {
    const accepted = parseProgress(rest + text)
    rest = accepted.rest
    for (const progress of accepted.reports) {
      const now = `${progress.frame} ${progress.outTimeMs} ${progress.bytes}`
      report(progress, now !== last)
      last = now
    }
  })
}
