/** Polls of a platform that processes for long get rarer, and frequent again before the deadline. */
import { expect, it } from 'vitest'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { pollWaitSeconds } from '../../../lib/domain/publishing/poll-backoff.ts'
import { newPosting } from '../../../lib/domain/publishing/posting.ts'
import { applyStepOutcome, secondsUntilStep } from '../../../lib/domain/publishing/posting-transitions.ts'

const start = '2026-11-21T10:00:00.000Z'
const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }
const check = { step: 'check' }
const polled = newPosting(
  {
    workspaceId: 'wsp_1',
    videoId: 'vid_1',
    runId: 'run_1',
    profileId: 'prf_1',
    accountId: 'acc_1',
    platform: 'instagram',
    post: { id: 'run_1-acc_1', caption: 'A', title: 'A', language: 'en', film, acceptedAt: start },
    filmKey: 'film.mp4',
    deadlineAt: secondsAfter(start, 900),
  },
  check,
)
const waitAt = (seconds: number, timeScale = 1) => {
  const now = secondsAfter(start, seconds)
  const polls = { kind: 'continue', state: check, waitSeconds: 3 } as const
  return secondsUntilStep(applyStepOutcome(polled, polls, false, { now, timeScale }), now)
}

it('a poll waits as long as its publisher asks, then for a tenth of the age of the post', () => {
  expect([0, 20, 30, 100, 400, 600].map((seconds) => waitAt(seconds))).toEqual([3, 3, 3, 10, 40, 60])
})

it('never waits more than a quarter of the time that is left, nor less than its publisher asks', () => {
  expect([800, 880, 890].map((seconds) => waitAt(seconds))).toEqual([25, 5, 3])
  expect(pollWaitSeconds(120, 10, 20)).toBe(120)
  expect([pollWaitSeconds(3, 59, 900), pollWaitSeconds(3, 400, 59)]).toEqual([5, 14])
})

it('a step that moves on is not a poll: it waits as long as it asks', () => {
  const now = secondsAfter(start, 600)
  const next = applyStepOutcome(polled, { kind: 'continue', state: { step: 'other' }, waitSeconds: 3 }, false, {
    now,
    timeScale: 1,
  })
  expect(secondsUntilStep(next, now)).toBe(3)
})

it('fifteen minutes take fifty polls in place of 300', () => {
  let [age, polls] = [0, 0]
  for (; age < 900; polls++) age += pollWaitSeconds(3, age, 3_600)
  expect(polls).toBeLessThan(50)
})
