/** The state machine of a posting: what is recorded before and after each step, and how it ends. */
import { describe, expect, it } from 'vitest'
import { postRefusalCodes, timeoutError, toJobError } from '../../../lib/domain/core/failures.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { newPosting, type Posting, type StepOutcome } from '../../../lib/domain/publishing/posting.ts'
import {
  applyLookup,
  applyNoResponse,
  applyNotSent,
  applyStepOutcome,
  endPosting,
  failAtDeadline,
  failPreflight,
  failUnauthorised,
  markSending,
  postponePosting,
  restartsMax,
  secondsUntilStep,
  stepAttemptsMax,
} from '../../../lib/domain/publishing/posting-transitions.ts'

const now = '2026-11-21T10:00:00.000Z'
const pace = { now, timeScale: 1 }
const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }
const fresh = newPosting(
  {
    workspaceId: 'wsp_1',
    videoId: 'vid_1',
    runId: 'run_1',
    profileId: 'prf_1',
    accountId: 'acc_1',
    platform: 'tiktok',
    post: { id: 'run_1-acc_1', caption: 'A caption', title: 'A title', language: 'en', film, acceptedAt: now },
    filmKey: 'film.mp4',
    deadlineAt: secondsAfter(now, 900),
  },
  { step: 'begin' },
)
const sending = markSending({ ...fresh, state: { step: 'upload' } }, false)
const onItsWay: Posting = { ...fresh, state: { step: 'check' }, isOnItsWay: true }
const moved = (posting: Posting, outcome: StepOutcome, isOnItsWay = posting.isOnItsWay) =>
  applyStepOutcome(posting, outcome, isOnItsWay, pace)
const codeOf = ({ phase, end }: Posting) =>
  phase === 'ended' && end?.status === 'FAILED' ? end.error.code : end?.status
const refused = (code: string): StepOutcome => ({ kind: 'refused', code, message: 'No.' })
const asksToWait = (waitSeconds: number): StepOutcome => ({ kind: 'retry', waitSeconds, message: 'Too many posts.' })
const published = { externalId: '7', url: 'https://a.example/7' }

describe('a step that is not the last', () => {
  it('reopens the posting with its new state, not before the wait is over', () => {
    const next = moved(sending, { kind: 'continue', state: { step: 'check' }, waitSeconds: 10 }, true)
    expect(next).toMatchObject({ phase: 'open', state: { step: 'check' }, isOnItsWay: true, attempts: 0 })
    expect([secondsUntilStep(next, now), secondsUntilStep(next, secondsAfter(now, 10))]).toEqual([10, 0])
  })

  it('waits whole seconds, divided by the time scale, and at least one', () => {
    const polls = { kind: 'continue', state: { step: 'check' }, waitSeconds: 30 } as const
    const next = applyStepOutcome(fresh, polls, false, { now, timeScale: 1000 })
    expect(secondsUntilStep(next, now)).toBe(1)
    for (const waitSeconds of [0.2, 0, -7]) {
      expect(secondsUntilStep(moved(fresh, { ...polls, waitSeconds }), now)).toBe(1)
      expect(secondsUntilStep(moved(fresh, asksToWait(waitSeconds)), now)).toBe(1)
    }
    expect(moved(fresh, { kind: 'continue', state: { step: 'check' } }).notBefore).toBeNull()
  })

  it('resets the failed attempts, so that each part has ten, but keeps those of a publishing step that waits', () => {
    const tried = { ...fresh, attempts: 4 }
    expect(moved(tried, { kind: 'continue', state: { step: 'begin' } }).attempts).toBe(0)
    expect(moved(tried, { kind: 'continue', state: { step: 'upload' } }).attempts).toBe(0)
    const part = { ...sending, isPart: true, attempts: 4 }
    expect(moved(part, { kind: 'continue', state: { step: 'upload' } }).attempts).toBe(0)
    expect(moved({ ...sending, attempts: 4 }, { kind: 'continue', state: { step: 'upload' } }).attempts).toBe(4)
    expect(moved({ ...sending, attempts: 4 }, { kind: 'continue', state: { step: 'check' } }).attempts).toBe(0)
  })

  it('may be restarted five times, and then the posting fails: an upload that always fails must not use up a quota', () => {
    const back = { kind: 'continue', state: { step: 'begin' } } as const
    const again = (posting: Posting) => moved(moved(posting, { kind: 'continue', state: { step: 'upload' } }), back)
    const often = Array.from({ length: restartsMax }).reduce<Posting>(again, fresh)
    expect(often).toMatchObject({ phase: 'open', restarts: restartsMax })
    expect(codeOf(again(often))).toBe('publish-failed')
    const lost = applyLookup({ ...sending, restarts: restartsMax }, { kind: 'absent', state: { step: 'begin' } }, pace)
    expect(codeOf(lost)).toBe('publish-failed')
  })
})

describe('a post that may exist', () => {
  it('is looked up after a lost answer, and nothing is sent', () => {
    expect(applyNoResponse(sending, 'Cut.', pace)).toMatchObject({ phase: 'sending', state: { step: 'upload' } })
  })

  it('is looked up until right before the deadline, and then is unknown', () => {
    const unsure = { kind: 'unsure', waitSeconds: 600 } as const
    const first = applyLookup(sending, unsure, pace)
    const second = applyLookup(first, unsure, { ...pace, now: first.notBefore! })
    expect([first.phase, second.phase]).toEqual(['sending', 'sending'])
    expect(second.notBefore! < sending.deadlineAt).toBe(true)
    expect(codeOf(applyLookup(second, unsure, { ...pace, now: second.notBefore! }))).toBe('publish-outcome-unknown')
  })

  it('is looked up however often the answers are lost', () => {
    const often = Array.from({ length: 30 }).reduce<Posting>((posting) => applyNoResponse(posting, '', pace), sending)
    expect(often.phase).toBe('sending')
  })

  it('is sent again when it certainly does not exist, and fails after too many vain attempts', () => {
    const absent = { kind: 'absent', state: { step: 'upload' } } as const
    const again = applyLookup({ ...sending, isOnItsWay: true }, absent, pace)
    expect(again).toMatchObject({ phase: 'open', isOnItsWay: false, notBefore: null })
    expect(codeOf(applyLookup({ ...sending, attempts: stepAttemptsMax }, absent, pace))).toBe('publish-failed')
  })

  it('is not reported as failed while an aborted request may still take effect', () => {
    const late = applyLookup(sending, { kind: 'absent', state: { step: 'upload' }, mayBeLate: true }, pace)
    expect(late).toMatchObject({ phase: 'open', isOnItsWay: true })
    const again = markSending(late, false)
    expect(codeOf(moved(again, asksToWait(3600)))).toBe('publish-outcome-unknown')
    expect(codeOf(moved({ ...again, attempts: stepAttemptsMax - 1 }, asksToWait(5)))).toBe('publish-outcome-unknown')
    expect(codeOf(moved(again, refused('spam')))).toBe('publish-failed')
  })

  it('may be the one that the platform calls a duplicate, also when a worker died in the middle and no attempt was counted', () => {
    const again = markSending(applyLookup(sending, { kind: 'absent', state: sending.state }, pace), false)
    const duplicate = { kind: 'duplicate', externalId: null, url: null } as const
    expect(codeOf(moved(again, duplicate))).toBe('publish-outcome-unknown')
  })

  it('is adopted when it exists', () => {
    expect(applyLookup(sending, { kind: 'published', ...published }, pace).end).toEqual({
      status: 'COMPLETED',
      ...published,
    })
  })

  it('is looked up once more with a new token when the token is refused', () => {
    const refusedToken = { kind: 'unsure', waitSeconds: 30, isTokenRefused: true } as const
    const next = applyLookup(sending, refusedToken, pace)
    expect(next).toMatchObject({ phase: 'sending', wantsNewToken: true })
    expect(codeOf(applyLookup(next, refusedToken, pace))).toBe('publish-outcome-unknown')
  })

  it.each([
    ['the deadline', failAtDeadline],
    ['a token that has ended', failUnauthorised],
    ['a run that died', (posting: Posting) => endPosting(posting, toJobError(undefined, 'publish-failed'))],
  ])('is unknown after %s, and a post that was never sent has failed', (_what, end) => {
    expect([codeOf(end(sending)), codeOf(end(onItsWay))]).toEqual(Array(2).fill('publish-outcome-unknown'))
    expect(codeOf(end(fresh))).toMatch(/^(timeout|warning-publish-auth|publish-failed)$/)
  })

  it('does not exist after a part that is not the last, unless an aborted last part may still arrive', () => {
    const part = markSending({ ...fresh, state: { step: 'upload' } }, true)
    expect([codeOf(failAtDeadline(part)), codeOf(failUnauthorised(part))]).toEqual(['timeout', 'warning-publish-auth'])
    expect(codeOf(failAtDeadline({ ...part, isOnItsWay: true }))).toBe('publish-outcome-unknown')
    expect(codeOf(failAtDeadline(markSending({ ...part, phase: 'open' }, false)))).toBe('publish-outcome-unknown')
  })

  it('is not failed because its look-up is refused, until the deadline', () => {
    const tired = { ...onItsWay, attempts: 50 }
    expect(moved(tired, asksToWait(30)).phase).toBe('open')
    const polls = { kind: 'continue', state: onItsWay.state, waitSeconds: 3600 } as const
    for (const outcome of [asksToWait(3600), polls]) {
      const last = moved(tired, outcome)
      expect(last).toMatchObject({ phase: 'open', notBefore: secondsAfter(now, 890) })
      const end = applyStepOutcome(last, outcome, true, { ...pace, now: last.notBefore! })
      expect(codeOf(end)).toBe('publish-outcome-unknown')
    }
  })

  it('has failed when the platform says so', () => {
    expect(codeOf(moved(onItsWay, refused('video-too-dull')))).toBe('publish-failed')
  })
})

describe('a refused token', () => {
  it('is renewed once; after that the account has to be reconnected', () => {
    const next = moved(fresh, { kind: 'unauthorised' })
    expect(next).toMatchObject({ phase: 'open', wantsNewToken: true, notBefore: null })
    const { end } = moved(next, { kind: 'unauthorised' })
    expect(end).toMatchObject({ error: { code: 'warning-publish-auth', blocked: true, action: 'connect' } })
  })

  it('may be renewed again after a successful step', () => {
    const next = moved({ ...fresh, wantsNewToken: true }, { kind: 'continue', state: { step: 'upload' } })
    expect(next.wantsNewToken).toBe(false)
  })

  it('that is being renewed is waited for, and counts as no attempt', () => {
    expect(postponePosting(fresh, 4, pace)).toMatchObject({ attempts: 0, notBefore: secondsAfter(now, 4) })
    expect(postponePosting(sending, 4, pace)).toMatchObject({ phase: 'sending', notBefore: secondsAfter(now, 4) })
  })
})

describe('a request that was certainly not sent', () => {
  it('is repeated with the same state', () => {
    expect(applyNotSent(sending, 'No route.', pace)).toMatchObject({ phase: 'open', state: sending.state, attempts: 1 })
    expect(applyNoResponse(fresh, 'Cut.', pace)).toMatchObject({ phase: 'open', attempts: 1 })
  })

  it('fails after the attempt limit, with the last reason', () => {
    const { end } = applyNotSent({ ...sending, attempts: stepAttemptsMax - 1 }, 'No route.', pace)
    expect(end).toMatchObject({ error: { code: 'publish-failed', message: expect.stringContaining('No route.') } })
  })
})

describe('a wait beyond the deadline', () => {
  it('ends the posting immediately, with the reason', () => {
    const { end } = moved(fresh, asksToWait(3600))
    expect(end).toMatchObject({ error: { code: 'publish-failed', message: expect.stringMatching(/3600.*Too many/) } })
    const polls: StepOutcome = { kind: 'continue', state: { step: 'begin' }, waitSeconds: 900 }
    expect(codeOf(moved(fresh, polls))).toBe(timeoutError.code)
    expect(moved(fresh, asksToWait(899)).phase).toBe('open')
  })
})

describe('a wait that is not a valid duration', () => {
  it.each([1e300, Number.POSITIVE_INFINITY])('becomes one day: %d seconds', (waitSeconds) => {
    const { end } = moved(fresh, asksToWait(waitSeconds))
    expect(end).toMatchObject({ error: { code: 'publish-failed', message: expect.stringContaining('86400 seconds') } })
    expect(codeOf(moved(fresh, { kind: 'continue', state: { step: 'upload' }, waitSeconds }))).toBe('timeout')
    expect(applyLookup(sending, { kind: 'unsure', waitSeconds }, pace).phase).toBe('sending')
    expect(codeOf(postponePosting(fresh, waitSeconds, pace))).toBe('timeout')
  })
})

describe('the end of a posting', () => {
  it.each(postRefusalCodes)('has the code of a known limit: %s', (code) => {
    expect(moved(sending, refused(code)).end).toMatchObject({ error: { code, message: 'No.', blocked: true } })
    expect(codeOf(failPreflight(fresh, { code, message: 'No.' }))).toBe(code)
  })

  it("has the platform's message for any other code, truncated", () => {
    const { end } = moved(sending, { kind: 'refused', code: 'spam', message: 'x'.repeat(9_000) })
    expect(end).toMatchObject({ error: { code: 'publish-failed', blocked: false } })
    const message = end?.status === 'FAILED' ? end.error.message : ''
    expect([message.startsWith('TikTok refused the post (spam): xxx'), message.length]).toEqual([true, 500])
  })

  it('is that of the existing post, when the platform names it', () => {
    expect(codeOf(moved(sending, { kind: 'duplicate', ...published }))).toBe('COMPLETED')
    const unnamed: StepOutcome = { kind: 'duplicate', externalId: null, url: null }
    expect(codeOf(moved(sending, unnamed))).toBe('warning-publish-duplicate')
    // The existing post may be the result of an earlier attempt.
    expect(codeOf(moved({ ...sending, attempts: 1 }, unnamed))).toBe('publish-outcome-unknown')
    expect(codeOf(moved({ ...onItsWay, attempts: 1 }, unnamed))).toBe('warning-publish-duplicate')
  })

  it('is final', () => {
    const done = moved(sending, { kind: 'done', ...published })
    expect(endPosting(done, timeoutError)).toBe(done)
  })
})
