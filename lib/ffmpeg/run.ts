/**
 * The one door to the ffmpeg process. ffmpeg sees local files only, gets an empty environment, and never outlives its
 * caller's patience: it is ended when cancelled, when out of time and when it makes no progress.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { findFfmpeg } from './binary.ts'
import { commonArguments, withResourceLimits } from './limits.ts'
import { type FfmpegProgress, parseProgress } from './progress.ts'

const stallMsDefault = 30_000
/** ffmpeg ends within 0.1 s of a SIGTERM, unless a filter graph never looks up. */
const graceMs = 3_000
const logCharactersKept = 8_192
/**
 * All that ffmpeg's environment has. glibc would give memory as large as a frame back to the system after each frame, and have it
 * cleared for the next one: an eighth of the time that encoding takes. Encoders ask for what is larger once.
 */
const environment = { MALLOC_MMAP_THRESHOLD_: String(2 ** 22), MALLOC_TRIM_THRESHOLD_: String(2 ** 26) }

/** What to run. ffmpeg's standard output, if the arguments write to `pipe:1`, is the result. */
export interface FfmpegRun {
  /** Inputs, filters and outputs. Names are looked up in `directory`. */
  arguments: readonly string[]
  directory: string
  /** Fed to standard input (`pipe:0`). A chunk may be reused as soon as the next one is asked for. */
  input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  onProgress?: (progress: FfmpegProgress) => void
  signal?: AbortSignal
  timeoutMs: number
  /** Longest time without a frame, a byte or a millisecond more of output; 30 s by default. */
  stallMs?: number
}

/** Why ffmpeg did not do it: `failed` is ffmpeg's own verdict, with the end of its log in the message. */
export class FfmpegFailure extends Error {
  override name = 'FfmpegFailure'
  readonly code: 'cancelled' | 'timeout' | 'stalled' | 'failed'
  /** True where ffmpeg itself came to an end and said no: with the same files it will say so again. */
  readonly isPermanent: boolean

  constructor(code: FfmpegFailure['code'], message: string, isVerdict = false) {
    super(message)
    this.code = code
    this.isPermanent = isVerdict
  }
}

/** Runs ffmpeg to its end. `output` is all of its standard output, `log` the last 8 KB of its messages. */
export async function runFfmpeg(run: FfmpegRun): Promise<{ output: Buffer; log: string }> {
  const started = startFfmpeg(run)
  const chunks: Buffer[] = []
  started.output.on('data', (chunk: Buffer) => chunks.push(chunk))
  const log = await started.finished
  return { output: Buffer.concat(chunks), log }
}

/** Runs ffmpeg for its standard output, chunk by chunk, at the reader's pace. A reader that leaves early ends ffmpeg. */
export async function* streamFfmpeg(run: FfmpegRun): AsyncGenerator<Uint8Array, void> {
  const left = new AbortController()
  const signal = run.signal ? AbortSignal.any([run.signal, left.signal]) : left.signal
  const started = startFfmpeg({ ...run, signal })
  // Its failure is awaited after the output, and must not count as unhandled before that.
  started.finished.catch(() => {})
  let leftEarly = true
  try {
    yield* started.output
    leftEarly = false
  } catch (failure) {
    leftEarly = false
    // The output breaks off when ffmpeg is stopped: then the reason for stopping it is the one to tell.
    await started.finished
    throw failure
  } finally {
    if (leftEarly) {
      left.abort()
      await started.finished.catch(() => {})
    }
  }
  await started.finished
}

/** Starts ffmpeg. `finished` settles when the process is gone, not before. */
function startFfmpeg(run: FfmpegRun): { output: Readable; finished: Promise<string> } {
  const [program, ...rest] = withResourceLimits([findFfmpeg(), ...commonArguments], Math.ceil(run.timeoutMs / 1000) * 4)
  const child = spawn(program!, [...rest, '-nostats', '-progress', 'pipe:3', ...run.arguments], {
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
    // A reader that has gone away must not keep a full pipe between ffmpeg and its end.
    child.stdout?.destroy()
  }
  const stallMs = run.stallMs ?? stallMsDefault
  const timeout = setTimeout(
    () => stop(new FfmpegFailure('timeout', `ffmpeg was not done after ${run.timeoutMs} ms`)),
    run.timeoutMs,
  )
  const stall = setTimeout(
    () => stop(new FfmpegFailure('stalled', `ffmpeg made no progress for ${stallMs} ms`)),
    stallMs,
  )
  const cancel = () => stop(new FfmpegFailure('cancelled', 'the work was cancelled'))
  run.signal?.addEventListener('abort', cancel, { once: true })
  if (run.signal?.aborted) cancel()

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-logCharactersKept)
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
  // ffmpeg 4 calls it a success when the last bytes of its output found no room on the disk.
  if (child.exitCode === 0 && !/^Error writing trailer/m.test(log)) return log
  const reason = `ffmpeg ended with ${child.exitCode ?? child.signalCode}: ${log.trim()}`
  throw new FfmpegFailure('failed', reason, isPermanent(child.exitCode, log))
}

/** Who is killed has said nothing, nor has who could not be loaded (126 or 127), and a full disk says nothing of the files. */
const isPermanent = (status: number | null, log: string) =>
  status !== null && ![126, 127].includes(status) && !/No space left on device/.test(log)

/** Writes each chunk and waits until it has left our memory. Stops quietly when ffmpeg no longer reads: its exit says why. */
async function writeInput(stdin: Writable, input: NonNullable<FfmpegRun['input']>): Promise<void> {
  stdin.on('error', () => {})
  for await (const chunk of input) {
    const taken = await new Promise<boolean>((resolve) => stdin.write(chunk, (error) => resolve(!error)))
    if (!taken) return
  }
  stdin.end()
}

function followProgress(pipe: Readable, report: (progress: FfmpegProgress, moved: boolean) => void): void {
  let rest = ''
  let last = ''
  pipe.setEncoding('utf8').on('data', (text: string) => {
    const taken = parseProgress(rest + text)
    rest = taken.rest
    for (const progress of taken.reports) {
      const now = `${progress.frame} ${progress.outTimeMs} ${progress.bytes}`
      report(progress, now !== last)
      last = now
    }
  })
}
