/** The state machine of a posting at its boundaries: waits, attempts, deadlines and restarts, each to the second. */
import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { newPosting, type Posting, type StepOutcome } from '../../../lib/domain/publishing/posting.ts'
import {
  applyLookup,
  applyNoResponse,
  applyNotSent,
  applyStepOutcome,
  endUnknown,
  isSettledByRestart,
  isStepDue,
  markSending,
  postponePosting,
  secondsUntilStep,
} from '../../../lib/domain/publishing/posting-transitions.ts'

const now = '2026-11-21T10:00:00.000Z'
const later = (seconds: number) => secondsAfter(now, seconds)
const clock = { now, timeScale: 1 }
const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }
const fresh = newPosting(
  {
    ...{ workspaceId: 'wsp_1', videoId: 'vid_1', runId: 'run_1', profileId: 'prf_1', accountId: 'acc_1' },
    ...{ platform: 'tiktok', filmKey: 'film.mp4', deadlineAt: later(900) },
    post: { id: 'run_1-acc_1', caption: 'A', title: 'A', language: 'en', film, acceptedAt: now },
  },
  { step: 'begin' },
)
const sending = markSending({ ...fresh, state: { step: 'upload' } }, false)
const moved = (posting: Posting, outcome: StepOutcome, at = clock) => applyStepOutcome(posting, outcome, false, at)
const errorOf = ({ end }: Posting) => (end?.status === 'FAILED' ? end.error : undefined)
const retry = (waitSeconds: number): StepOutcome => ({ kind: 'retry', waitSeconds, message: 'Busy.' })
const next = (waitSeconds?: number): StepOutcome => ({
  ...{ kind: 'continue', state: { step: 'upload' } },
  ...(waitSeconds === undefined ? {} : { waitSeconds }),
})

describe('a step is due', () => {
  it.each<[string, Partial<Posting>, string | undefined, boolean]>([
    ['at once', {}, undefined, true],
    ['after its wait', { notBefore: now }, undefined, true],
    ['not before', { notBefore: later(1) }, undefined, false],
    ['never after the end', { phase: 'ended' }, undefined, false],
    ['after a restart that ended its wait', { notBefore: later(1), scheduledAt: later(-9) }, later(-8), true],
    ['not where its wait began with that restart', { notBefore: later(1), scheduledAt: later(-8) }, later(-8), false],
    ['not where nobody knows when its wait began', { notBefore: later(1) }, later(-8), false],
  ])('%s', (_name, fields, restartedAt, expected) => {
    expect(isStepDue({ ...fresh, ...fields }, now, restartedAt)).toBe(expected)
  })

  it('in whole seconds, rounded up, and never in the past', () => {
    const until = (notBefore: string | null) => secondsUntilStep({ ...fresh, notBefore }, now)
    expect([null, later(-5), now, later(0.001), later(1), later(1.5)].map(until)).toEqual([0, 0, 0, 1, 1, 2])
  })

  it('a request that was sent before a restart has taken effect, or never will', () => {
    const isSettled = (fields: Partial<Posting>, restartedAt?: string) =>
      isSettledByRestart({ ...sending, ...fields }, restartedAt)
    expect(isSettled({ sentAt: later(-9) }, later(-8))).toBe(true)
    expect(isSettled({ sentAt: later(-8) }, later(-8))).toBe(false)
    expect(isSettled({ sentAt: later(-9) })).toBe(false)
    expect(isSettled({}, later(-8))).toBe(false)
    expect(isSettled({ phase: 'open', sentAt: later(-9) }, later(-8))).toBe(false)
  })
})

describe('a request', () => {
  it('that was not sent is tried again after five seconds', () => {
    const expected = { phase: 'open', attempts: 1, notBefore: later(5), scheduledAt: now, wantsNewToken: false }
    expect(applyNotSent({ ...sending, wantsNewToken: true }, 'Down.', clock)).toMatchObject(expected)
    expect(applyNoResponse({ ...fresh, wantsNewToken: true }, 'Cut.', clock)).toMatchObject(expected)
  })

  it('without an answer is looked up after five seconds', () => {
    const expected = { phase: 'sending', attempts: 3, notBefore: later(5), scheduledAt: now, wantsNewToken: false }
    expect(applyNoResponse({ ...sending, attempts: 2, wantsNewToken: true }, 'Cut.', clock)).toMatchObject(expected)
  })

  it('is sent ten times at most, and the last reason is told', () => {
    const tried = (attempts: number) => moved({ ...fresh, attempts }, retry(5))
    expect(tried(8)).toMatchObject({ phase: 'open', attempts: 9 })
    expect(errorOf(tried(9))).toMatchObject({
      ...{ code: 'publish-failed', message: 'TikTok did not accept the post. Busy.' },
    })
  })

  it('that certainly had no effect is sent ten times at most', () => {
    const absent = (attempts: number) =>
      applyLookup({ ...sending, attempts }, { kind: 'absent', state: { step: 'upload' } }, clock)
    expect(absent(0)).toMatchObject({ phase: 'open', attempts: 1, isOnItsWay: false, notBefore: null })
    expect(absent(9)).toMatchObject({ phase: 'open', attempts: 9 })
    expect(errorOf(absent(10))?.message).toBe('TikTok did not accept the post. Its responses do not arrive.')
  })

  it('is begun again five times at most', () => {
    const back = (restarts: number) =>
      moved(
        { ...fresh, state: { step: 'upload' }, restarts },
        {
          ...{ kind: 'continue', state: { step: 'begin' } },
        },
      )
    expect(back(4)).toMatchObject({ phase: 'open', restarts: 5 })
    expect(errorOf(back(5))?.message).toContain('Repeated uploads were lost.')
    expect(moved({ ...fresh, restarts: 9 }, { kind: 'continue', state: { step: 'begin' } })).toMatchObject({
      restarts: 9,
    })
  })
})

describe('a wait', () => {
  it('for a step ends before the deadline', () => {
    expect(moved(fresh, next(899))).toMatchObject({ phase: 'open', notBefore: later(899) })
    expect(errorOf(moved(fresh, next(900)))?.code).toBe('timeout')
    expect(errorOf(moved(fresh, next(), { ...clock, now: later(899.999) }))).toBeUndefined()
    expect(errorOf(moved(fresh, next(), { ...clock, now: later(900) }))?.code).toBe('timeout')
  })

  it('for a look-up ends ten seconds before the deadline, and is at least a second', () => {
    const unsure = (waitSeconds: number, at: number) =>
      applyLookup(sending, { kind: 'unsure', waitSeconds }, { ...clock, now: later(at) })
    expect(unsure(5_000, 0).notBefore).toBe(later(890))
    expect(unsure(0, 0).notBefore).toBe(later(1))
    expect(unsure(30, 889)).toMatchObject({ phase: 'sending', notBefore: later(890) })
    expect(errorOf(unsure(30, 889.001))?.code).toBe('publish-outcome-unknown')
  })

  it('that a platform asks for is told where it is after the deadline', () => {
    expect(errorOf(moved(fresh, retry(900)))?.message).toBe(
      'TikTok did not accept the post. It asks to retry in 900 seconds, after the deadline of this run: Busy.',
    )
    expect(errorOf(moved({ ...fresh, deadlineAt: now }, { kind: 'unauthorised' }))?.code).toBe('timeout')
  })

  it('is a day at most, divided by the time scale and rounded up', () => {
    const late = { ...fresh, deadlineAt: later(10 ** 6) }
    expect(moved(late, next(10 ** 9)).notBefore).toBe(later(86_400))
    expect(moved(late, next(10 ** 9), { now, timeScale: 1_000 }).notBefore).toBe(later(87))
    expect(moved(late, retry(86_399)).notBefore).toBe(later(86_399))
  })

  it('that does not come from the platform counts no attempt', () => {
    expect(postponePosting(fresh, 0, clock)).toMatchObject({ attempts: 0, notBefore: null })
    expect(postponePosting(sending, 0, clock)).toMatchObject({ phase: 'sending', attempts: 0, notBefore: later(1) })
  })
})

it('an ended posting keeps what it was, and what ended it is told with what to do', () => {
  const done = moved(sending, { kind: 'done', externalId: '7', url: null })
  expect(done).toEqual({
    ...sending,
    phase: 'ended',
    notBefore: null,
    end: { status: 'COMPLETED', externalId: '7', url: null },
  })
  const duplicate = moved(fresh, { kind: 'duplicate', externalId: null, url: null })
  expect(errorOf(duplicate)).toEqual({
    ...{ code: 'warning-publish-duplicate', blocked: true, message: 'TikTok reports that it already has this post.' },
  })
  expect(errorOf(moved(fresh, retry(900)))).toMatchObject({ blocked: false })
})

describe('a post that may be visible', () => {
  const onItsWay = { ...fresh, isOnItsWay: true, state: { step: 'check' } }

  it('is polled without a limit of attempts', () => {
    const tried = moved({ ...onItsWay, attempts: 50 }, retry(30))
    expect(tried).toMatchObject({ phase: 'open', attempts: 51, notBefore: later(30) })
  })

  it('goes on at once where its next step needs no wait', () => {
    const outcome: StepOutcome = { kind: 'continue', state: { step: 'other' } }
    expect(applyStepOutcome(onItsWay, outcome, true, clock)).toMatchObject({ phase: 'open', notBefore: null })
    const last = { ...clock, now: later(895) }
    expect(errorOf(applyStepOutcome(onItsWay, { ...outcome, waitSeconds: 1 }, true, last))?.code).toBe(
      'publish-outcome-unknown',
    )
  })

  it('ends without an outcome where no look-up can tell', () => {
    expect(errorOf(endUnknown(sending))?.code).toBe('publish-outcome-unknown')
  })

  it('whose token is refused during a look-up is looked up at once with a new one', () => {
    const refused = { kind: 'unsure', waitSeconds: 30, isTokenRefused: true } as const
    expect(applyLookup(sending, refused, clock)).toMatchObject({ wantsNewToken: true, notBefore: later(1) })
    const unsure = { kind: 'unsure', waitSeconds: 30 } as const
    expect(applyLookup({ ...sending, wantsNewToken: true }, unsure, clock)).toMatchObject({ wantsNewToken: false })
  })
})
