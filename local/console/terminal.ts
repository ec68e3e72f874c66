// What `npm start` prints. Every line of the process passes here, those of the service's logger and of child processes too; jobs that run are
// redrawn at the bottom of a terminal, jobs that have ended leave one line. `LOG=json` prints one JSON object a line.

import type { Log } from '../log.ts'
import { formatJob, formatNote, formatOutput, rawLine } from './format.ts'
import { jobsInRow, type ShownJob, videoIdInKey } from './jobs.ts'
import type { OnRow } from './row-watcher.ts'

export interface Terminal {
  readonly log: Log
  /** A line that a child process printed. */
  readonly onLine: (line: string) => void
  /** Shows the jobs of a row that has changed; absent where no jobs are shown. */
  readonly onRow?: OnRow
  /** Ends the redrawing. */
  readonly close: () => void
}

export interface Screen {
  readonly write: (text: string) => unknown
  /** Lines are redrawn on a terminal only; 0 columns stands for anything else. */
  readonly columns: number
  readonly colour: boolean
  readonly now: () => number
}

/** `LOG=json`: nothing is formatted, and the lines of the local run itself have the form of the service's. */
export const rawTerminal: Terminal = {
  log: (message, error) => console.log(rawLine(message, error, new Date())),
  onLine: (line) => console.log(line),
  close: () => {},
}

/** Takes over the standard streams of this process. */
export function openTerminal(): Terminal {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const terminal = createTerminal({
    write,
    columns: stdout.isTTY ? stdout.columns : 0,
    colour: stdout.isTTY && stdout.hasColors(),
    now: Date.now,
  })
  for (const stream of [stdout, stderr]) stream.write = lineWriter(terminal.onLine) as typeof stream.write
  return terminal
}

/** A `write` that passes on whole lines. */
function lineWriter(onLine: (line: string) => void): (chunk: string | Uint8Array) => boolean {
  let rest = ''
  return (chunk) => {
    const lines = (rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
    return true
  }
}

const redrawMs = 500

/** Cursor up and clear to the end of the screen (ECMA-48: CPL, ED). */
const cleared = (lines: number) => (lines > 0 ? `\x1b[${lines}F\x1b[J` : '')

export function createTerminal({ write, columns, colour, now }: Screen): Terminal {
  const openedAt = now()
  const running = new Map<string, ShownJob>()
  /** Runs that have their line: a row is read again whenever it changes. */
  const ended = new Set<string>()
  const titles = new Map<string, string>()
  let drawn = 0
  let ticking: NodeJS.Timeout | undefined

  const style = (painted = colour) => ({ colour: painted, time: new Date(now()).toTimeString().slice(0, 8) })
  const textOf = (job: ShownJob, painted = colour) =>
    formatJob(job, { title: titles.get(job.videoId), elapsedMs: now() - Date.parse(job.startedAt) }, style(painted))

  /** Prints lines above the running jobs. */
  const print = (...lines: string[]): void => {
    // Cut to the width, without colour: an escape sequence must not be cut.
    const live = columns > 0 ? [...running.values()].map((job) => textOf(job, false).slice(0, columns - 1)) : []
    write(cleared(drawn) + [...lines, ...live].map((line) => `${line}\n`).join(''))
    drawn = live.length
    if (drawn > 0) ticking ??= setInterval(print, redrawMs).unref()
    else close()
  }
  const close = (): void => {
    clearInterval(ticking)
    ticking = undefined
  }

  const update = (job: ShownJob): string[] => {
    if (job.title !== undefined) titles.set(job.videoId, job.title)
    const wasRunning = running.get(job.slot)?.runId === job.runId
    if (job.status === 'running') {
      running.set(job.slot, job)
      return []
    }
    if (wasRunning) running.delete(job.slot)
    // What ended before this process started has had its line, or is no news.
    if (ended.has(job.runId) || (!wasRunning && Date.parse(job.queuedAt) < openedAt)) return []
    ended.add(job.runId)
    return [textOf(job)]
  }

  const forget = (videoId: string | undefined): string[] => {
    if (videoId === undefined) return []
    titles.delete(videoId)
    const jobs = [...running.values()].filter((job) => job.videoId === videoId)
    for (const { slot } of jobs) running.delete(slot)
    return jobs.map((job) => textOf({ ...job, status: 'failed', detail: 'the video was deleted' }))
  }

  return {
    log: (message, error) => {
      const text = error === undefined ? message : `${message}: ${error instanceof Error ? error.message : error}`
      print(formatNote(text, error === undefined ? 'note' : 'warning', style()))
    },
    onLine: (line) => {
      const text = formatOutput(line, style())
      if (text !== undefined) print(text)
    },
    onRow: (key, row) => {
      const lines = row ? jobsInRow(row).flatMap(update) : forget(videoIdInKey(key))
      if (lines.length > 0 || columns > 0) print(...lines)
    },
    close,
  }
}
