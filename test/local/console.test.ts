/** What `npm start` prints: one line a job, warnings and errors of the service as text. */
import { expect, test } from 'vitest'
import type { Video } from '../../lib/domain/records/video.ts'
import { keys } from '../../lib/store/core/keys.ts'
import type { Row } from '../../lib/store/core/rows.ts'
import { formatJob, formatOutput, rawLine } from '../../local/console/format.ts'
import type { ShownJob } from '../../local/console/jobs.ts'
import { createTerminal, type Screen } from '../../local/console/terminal.ts'

const plain = { colour: false, time: '10:00:00' }
const second = 1_000
const startedAt = '2026-01-01T00:00:00.000Z'
const startMs = Date.parse(startedAt)

const job: ShownJob = {
  slot: 'vid_1#process',
  runId: 'run_1',
  what: 'generate',
  videoId: 'vid_1',
  title: 'Calm\n mornings',
  status: 'completed',
  progress: '100 %',
  detail: '',
  queuedAt: startedAt,
  startedAt,
}

test('a job is one line: kind, video, progress, duration, outcome', () => {
  expect(formatJob(job, { elapsedMs: 6_940 }, plain)).toBe(
    '  ✓ 10:00:00  generate     vid_1     100 %     6.9 s  completed  Calm mornings',
  )
  const failed = { ...job, status: 'failed' as const, progress: '45 %', detail: 'No voice.' }
  expect(formatJob(failed, { elapsedMs: 100 }, plain)).toBe(
    '  ✗ 10:00:00  generate     vid_1      45 %     0.1 s  failed     Calm mornings  (No voice.)',
  )
})

test('a long title is truncated, a job without one takes the known title', () => {
  const { title: _, ...untitled } = job
  expect(formatJob({ ...job, title: 'x'.repeat(70) }, { elapsedMs: 0 }, plain)).toMatch(/ x{59}…$/)
  expect(formatJob(untitled, { title: 'Known', elapsedMs: 0 }, plain)).toMatch(/ {2}Known$/)
})

test('colour appears only if it is enabled', () => {
  expect(formatJob(job, { elapsedMs: 0 }, plain)).not.toContain('\x1b')
  expect(formatJob(job, { elapsedMs: 0 }, { ...plain, colour: true })).toContain('\x1b[32m✓')
})

test('warnings and errors of the logger are shown as text, metrics and requests are not', () => {
  const record = (level: string, fields: object) =>
    formatOutput(
      JSON.stringify({ level, message: 'step.failed', timestamp: 'x', service: 'reelsmith', ...fields }),
      plain,
    )
  expect(record('INFO', {})).toBeUndefined()
  expect(
    record('WARN', { videoId: 'vid_1', error: { name: 'Error', message: 'no', stack: 'Error: no\n    at a (b)' } }),
  ).toBe('  ! 10:00:00  step.failed  videoId=vid_1  Error: no')
  expect(record('ERROR', { error: { name: 'Error', message: 'no', stack: 'Error: no\n    at a (b)' } })).toBe(
    '  ✗ 10:00:00  step.failed  Error: no\n    at a (b)',
  )
  expect(formatOutput('any other line', plain)).toBe('any other line')
  expect(formatOutput('{"level": broken', plain)).toBe('{"level": broken')
})

test('a refused body is one line, so that its sender can be helped; other refusals are not shown', () => {
  const request = (fields: object) =>
    formatOutput(JSON.stringify({ level: 'INFO', message: 'request', requestId: 'r', keyId: 'k', ...fields }), plain)
  const refused = { route: 'POST /videos', status: 400, code: 'invalid-request', path: 'body.inputMode' }
  expect(request(refused)).toBe('  ! 10:00:00  POST /videos  400  invalid-request  body.inputMode')
  expect(request({ route: 'PUT /x', status: 409, code: 'conflict' })).toBe('  ! 10:00:00  PUT /x  409  conflict')
  expect(request({ route: 'POST /videos', status: 201 })).toBeUndefined()
  expect(request({ ...refused, route: 'GET /videos' })).toBeUndefined()
  for (const status of [401, 429, 503]) expect(request({ ...refused, status })).toBeUndefined()
})

/** A terminal that writes into `text`; `row` shows a video whose process job has this status. */
function terminalWith(screen: Partial<Screen> = {}) {
  let text = ''
  let nowMs = startMs
  const write = (more: string) => {
    text += more
  }
  const terminal = createTerminal({ write, columns: 0, colour: false, now: () => nowMs, ...screen })
  const row = (status: string, runId = 'run_1', queuedAt = startedAt) => {
    const process = {
      runId,
      status,
      progress: 40,
      queuedAt,
      startedAt: queuedAt,
      error: null,
      statusText: 'Writing',
      work: 'generate',
    }
    const video: Partial<Video> = { id: 'vid_1', title: 'Mornings', render: null, publish: null }
    terminal.onRow!(key, { ...key, ...video, process } as unknown as Row)
  }
  const at = (ms: number) => {
    nowMs = startMs + ms
  }
  return { terminal, row, text: () => text, at }
}
const key = keys.video('wsp_1', 'vid_1')

test('LOG=json: a line of the local run itself has the form of the service, whose lines are shown as text', () => {
  const error = Object.assign(new Error('The task timed out.'), { name: 'Sandbox.Timedout' })
  const at = new Date(startedAt)
  const failed = rawLine('PUT /v1/x failed', error, at)
  const record = { level: 'WARN', message: 'PUT /v1/x failed', timestamp: startedAt, service: 'local' }
  expect(JSON.parse(failed)).toEqual({
    ...record,
    error: { name: error.name, message: error.message, stack: error.stack },
  })
  expect(formatOutput(failed, plain)).toContain('PUT /v1/x failed')
  expect(JSON.parse(rawLine('resuming', undefined, at))).toEqual({ ...record, level: 'INFO', message: 'resuming' })
})

test('a run has one line once it has ended, however often its row is read', () => {
  const { row, text, at } = terminalWith()
  row('QUEUED')
  row('PROCESSING')
  expect(text()).toBe('')
  at(3 * second)
  row('COMPLETED')
  row('COMPLETED')
  expect(text()).toMatch(/^ {2}✓ \S+ {2}generate {5}vid_1 {6}40 % {5}3\.0 s {2}completed {2}Mornings\n$/)
  row('FAILED', 'run_2')
  expect(text().split('\n')).toHaveLength(3)
})

test('a run that ended before the start of this process has no line', () => {
  const { row, text } = terminalWith()
  row('COMPLETED', 'run_1', '2025-12-31T00:00:00.000Z')
  expect(text()).toBe('')
})

test('a run of a deleted video ends with its line', () => {
  const { terminal, row, text } = terminalWith()
  row('PROCESSING')
  terminal.onRow!(key, undefined)
  expect(text()).toContain('failed     Mornings  (the video was deleted)')
})

test('on a terminal, running jobs are redrawn below the other lines', () => {
  const { terminal, row, text } = terminalWith({ columns: 80 })
  row('PROCESSING')
  terminal.onLine('a line')
  terminal.close()
  const [first = '', second = ''] = text().split('\x1b[1F\x1b[J')
  expect(first).toMatch(/^ {2}… .+ s {2}Writing {4}Mornings\n$/)
  expect(second).toMatch(/^a line\n {2}… /)
})
