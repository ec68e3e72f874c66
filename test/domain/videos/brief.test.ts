/** What follows from a brief before any job runs, and how a plan change treats spent credits. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestedSecondsMax, speaksOwnText, workingTitle } from '../../../lib/domain/records/brief.ts'
import { changePlan } from '../../../lib/domain/workspaces/workspace.ts'
import { briefWith, workspaceOn } from '../support/videos.ts'

describe('a brief', () => {
  it.each([
    ['auto', 'A script.', true],
    ['auto', ' ', false],
    ['auto', null, false],
    ['idea', 'A script.', false],
    ['script', 'A script.', true],
  ] as const)('of input mode %s with the text %j speaks its own text: %s', (inputMode, text, own) => {
    expect(speaksOwnText(briefWith({ inputMode, text }))).toBe(own)
  })

  it('asks for the named duration, else for the maximum of its class', () => {
    expect(requestedSecondsMax(briefWith({ targetDuration: 12 }))).toBe(12)
    const classes = (['subminute', 'short', 'medium'] as const).map((videoDuration) => briefWith({ videoDuration }))
    expect(classes.map(requestedSecondsMax)).toEqual([60, 180, 600])
  })

  it('has a one-line working title that begins like the idea and splits no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (prompt) => {
        const title = workingTitle(briefWith({ prompt }))
        const line = prompt.trim().replace(/\s+/g, ' ')
        expect(line.startsWith(title.replace(/…$/, ''))).toBe(true)
        expect(title.isWellFormed()).toBe(true)
        expect(Array.from(title).length).toBeLessThanOrEqual(61)
      }),
    )
  })

  it('has a title that ends between words when the idea is long', () => {
    const prompt = 'Three small habits that make every single morning of the year calm'
    expect(workingTitle(briefWith({ prompt }))).toBe('Three small habits that make every single morning of the…')
    expect(workingTitle(briefWith({ prompt: ' ', text: 'A script.' }))).toBe('A script.')
  })
})

describe('a plan change', () => {
  it.each([
    ['free', 150, 'starter', 1_950],
    ['starter', 2_000, 'pro', 10_000],
    ['starter', 500, 'free', -1_300],
    ['pro', 9_900, 'free', 100],
    ['starter', 500, 'starter', 500],
  ] as const)('than %s with %i credits left: %s leaves %i', (from, creditsBalance, to, balance) => {
    expect(changePlan(workspaceOn(from, { creditsBalance }), to)).toMatchObject({ planId: to, creditsBalance: balance })
  })

  it.each(['free', 'self-hosted'] as const)('to %s and back keeps both spent and granted credits', (between) => {
    const before = workspaceOn('starter', { creditsBalance: 900, creditsGranted: 2_500, creditsExtra: 500 })
    expect(changePlan(changePlan(before, between), 'starter')).toEqual(before)
  })
})
