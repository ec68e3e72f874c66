/** Every pair of states, against the tables of the specification. */
import { describe, expect, it } from 'vitest'
import { canTransition, isOpen, jobStatuses, publishStatuses, videoStatus } from '../../../lib/domain/core/states.ts'

const allowed = [
  'SCHEDULED to QUEUED',
  'SCHEDULED to PROCESSING',
  'SCHEDULED to FAILED',
  'QUEUED to PROCESSING',
  'QUEUED to FAILED',
  'PROCESSING to COMPLETED',
  'PROCESSING to FAILED',
]
const pairs = publishStatuses.flatMap((from) => publishStatuses.map((to) => [from, to] as const))

describe('transitions', () => {
  it.each(pairs)('%s to %s follows the table', (from, to) => {
    expect(canTransition(from, to)).toBe(allowed.includes(`${from} to ${to}`))
  })

  it('only a queued or running job is open', () => {
    expect(publishStatuses.filter((status) => isOpen({ status }))).toEqual(['QUEUED', 'PROCESSING'])
    expect(isOpen(null)).toBe(false)
  })
})

describe('the status of a video', () => {
  const jobs = [null, ...jobStatuses.map((status) => ({ status }))]
  const lives = jobs.flatMap((process) =>
    jobs.flatMap((render) => [null, 'a.mp4'].map((renderKey) => ({ process, render, media: { renderKey } }))),
  )
  const [failed, waiting] = [['FAILED'], ['QUEUED', 'PROCESSING']]
  const is = (job: { status: string } | null, statuses: string[]) => job !== null && statuses.includes(job.status)

  /** The precedence of the specification, one rule per line; the first match wins. */
  const rules = [
    ['failed', ({ process, render }: (typeof lives)[number]) => is(process, failed) || is(render, failed)],
    ['rendering', ({ render }: (typeof lives)[number]) => is(render, waiting)],
    ['processing', ({ process }: (typeof lives)[number]) => is(process, waiting)],
    ['ready', ({ media }: (typeof lives)[number]) => media.renderKey !== null],
    ['draft', () => true],
  ] as const

  it.each(lives)('of process $process.status, render $render.status, render key $media.renderKey', (life) => {
    expect(videoStatus(life)).toBe(rules.find(([, holds]) => holds(life))![0])
  })
})
