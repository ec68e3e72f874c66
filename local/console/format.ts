// The lines that `npm start` prints, as text for people. Pure: no clock, no output.

import { styleText } from 'node:util'
import type { ShownJob } from './jobs.ts'

const titleLengthMax = 60

export interface LineStyle {
  readonly colour: boolean
  /** `HH:MM:SS`. */
  readonly time: string
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string
const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text

const marks = { running: ['cyan', '…'], completed: ['green', '✓'], failed: ['red', '✗'] } as const

/** One line: what runs for which video, how far it is, for how long, and how it ended. */
export function formatJob(
  job: ShownJob,
  { title = '', elapsedMs }: { title?: string | undefined; elapsedMs: number },
  style: LineStyle,
): string {
  const paint = painter(style.colour)
  const [colour, mark] = marks[job.status]
  const isRunning = job.status === 'running'
  return [
    `  ${paint(colour, mark)} ${paint('dim', style.time)}`,
    job.what.padEnd(11),
    job.videoId,
    job.progress.padStart(8),
    `${(elapsedMs / 1000).toFixed(1)} s`.padStart(8),
    ((isRunning && job.detail) || job.status).padEnd(9),
    shorten(job.title ?? title),
    isRunning || !job.detail ? '' : paint('red', `(${job.detail})`),
  ]
    .filter(Boolean)
    .join('  ')
    .trimEnd()
}

function shorten(title: string): string {
  const characters = Array.from(title.replace(/\s+/g, ' '))
  return characters.length <= titleLengthMax
    ? characters.join('')
    : `${characters.slice(0, titleLengthMax - 1).join('')}…`
}

interface LogRecord {
  readonly level: string
  readonly message: string
  readonly error?: { name?: string; message?: string; stack?: string }
  readonly [field: string]: unknown
}

/** Fields of a log record that say nothing on one machine. */
const hiddenFields = ['level', 'message', 'error', 'timestamp', 'service', 'sampling_rate', 'workspaceId', 'requestId']
const stackLines = 5

/**
 * What a printed line looks like: a warning or an error of the service's logger as text, and a refused body of a client; nothing for its
 * other records (metrics, requests), any other line as it is.
 */
export function formatOutput(line: string, style: LineStyle): string | undefined {
  const record = parseLogRecord(line)
  if (!record) return line
  if (isRefusedBody(record)) {
    const { route, status, code, path } = record
    return formatNote([route, status, code, path].filter(Boolean).join('  '), 'warning', style)
  }
  if (record.level !== 'WARN' && record.level !== 'ERROR') return undefined
  const { message, error } = record
  const fields = Object.entries(record)
    .filter(([name, value]) => !hiddenFields.includes(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const frames = record.level === 'ERROR' ? (error?.stack?.match(/^\s+at .+$/gm) ?? []).slice(0, stackLines) : []
  const text = [message, ...fields, ...(error ? [`${error.name}: ${error.message}`] : [])].join('  ')
  return [formatNote(text, record.level === 'ERROR' ? 'error' : 'warning', style), ...frames].join('\n')
}

/** Refusals of a key or of too many requests are not about the body, and would flood the terminal. */
const isRefusedBody = ({ message, route, status, code }: LogRecord): boolean =>
  message === 'request' &&
  /^(POST|PUT|PATCH) /.test(String(route)) &&
  code !== undefined &&
  ![401, 429, 503].includes(Number(status))

/** A line of the local run itself in the form of the service's logger (`lib/log.ts`). */
export function rawLine(message: string, error: unknown, at: Date): string {
  const { name, message: text, stack } = error instanceof Error ? error : new Error(String(error))
  return JSON.stringify({
    level: error === undefined ? 'INFO' : 'WARN',
    message,
    timestamp: at.toISOString(),
    service: 'local',
    ...(error !== undefined && { error: { name, message: text, stack } }),
  })
}

/** One line about the local run itself, or about something that went wrong. */
export function formatNote(text: string, kind: 'note' | 'warning' | 'error', style: LineStyle): string {
  const paint = painter(style.colour)
  const [colour, mark] = ({ note: ['dim', '·'], warning: ['yellow', '!'], error: ['red', '✗'] } as const)[kind]
  return `  ${paint(colour, mark)} ${paint('dim', style.time)}  ${text}`
}

function parseLogRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{"level":')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
