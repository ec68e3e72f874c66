/** Plans and prices: every limit at its exact value, and the precedence of refusals. */
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import type { Brief } from '../../../lib/domain/records/brief.ts'
import { generationPrice, planIds, plans, renderSecondsMax } from '../../../lib/domain/workspaces/plan.ts'
import { priceOfGeneration, refuseLongVideo } from '../../../lib/domain/workspaces/price.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { inCurrentMonth, nextMonthAt, renewalOf } from '../../../lib/domain/workspaces/workspace.ts'
import { at, briefWith, workspaceOn } from '../support/videos.ts'

const outcome = (attempt: () => unknown) => {
  try {
    attempt()
    return 'allowed'
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} (${error.extras.action})`
    throw error
  }
}

const asked = (workspace: Workspace, brief: Brief = briefWith()) =>
  outcome(() => priceOfGeneration(workspace, brief, at(0)))

describe('the plan table', () => {
  const gigabyte = 1024 ** 3
  it.each([
    ['free', 200, 10, gigabyte, 60, 180, 0, false],
    ['starter', 2_000, 100, 20 * gigabyte, 180, 720, 3, true],
    ['pro', 10_000, 500, 100 * gigabyte, 600, 1_800, 20, true],
    ['scale', 60_000, 3_000, 1024 * gigabyte, 600, 3_600, 100, true],
    ['self-hosted', null, null, null, null, null, null, true],
  ] as const)(
    '%s is what was decided',
    (id, credits, generations, storage, duration, render, automations, publishing) => {
      expect(plans[id]).toMatchObject({
        creditsPerMonth: credits,
        generationsPerMonth: generations,
        storageBytesMax: storage,
        durationSecondsMax: duration,
        renderSecondsMax: render,
        automationsMax: automations,
        publishing,
      })
    },
  )

  it('allows more open runs on each larger plan, and any number without limits', () => {
    expect(planIds.map((id) => plans[id].openRunsMax)).toEqual([2, 5, 20, 100, null])
  })

  it('allows an hour of rendering on a plan without a limit', () => {
    expect(planIds.map(renderSecondsMax)).toEqual([180, 720, 1_800, 3_600, 3_600])
  })
})

describe('the price of a generation', () => {
  it.each([
    [{ videoDuration: 'subminute' }, 10, 16],
    [{ videoDuration: 'short' }, 30, 48],
    [{ videoDuration: 'medium' }, 100, 160],
    [{ targetDuration: 1 }, 10, 16],
    [{ targetDuration: 59.9 }, 10, 16],
    [{ targetDuration: 60 }, 10, 16],
    [{ targetDuration: 60.1 }, 20, 32],
    [{ targetDuration: 120 }, 20, 32],
    [{ targetDuration: 600, videoDuration: 'subminute' }, 100, 160],
  ] as [Partial<Brief>, number, number][])(
    'of %j is %i, with an expressive voice %i',
    (fields, standard, expressive) => {
      expect(generationPrice(briefWith(fields))).toBe(standard)
      expect(generationPrice(briefWith({ ...fields, voiceProvider: 'expressive' }))).toBe(expressive)
    },
  )
})

describe('a generation is refused', () => {
  it.each([
    [9, 'warning-no-credits (credits)'],
    [10, 'allowed'],
    [11, 'allowed'],
  ])('without enough credits: of 10, the balance is %i', (creditsBalance, expected) => {
    expect(asked(workspaceOn('starter', { creditsBalance }))).toBe(expected)
  })

  it.each([
    [98, 'allowed'],
    [99, 'allowed'],
    [100, 'warning-plan-generations (upgrade)'],
    [101, 'warning-plan-generations (upgrade)'],
  ])('above the monthly generations: of 100, %i are used', (generationsUsed, expected) => {
    expect(asked(workspaceOn('starter', { generationsUsed }))).toBe(expected)
    expect(asked(workspaceOn('starter', { generationsUsed, month: '2026-10' }))).toBe('allowed')
  })

  it.each([
    [-1, 'allowed'],
    [0, 'warning-plan-storage (upgrade)'],
    [1, 'warning-plan-storage (upgrade)'],
  ])('with the storage used up: %i bytes relative to the limit', (beside, expected) => {
    const storageUsedBytes = plans.starter.storageBytesMax! + beside
    expect(asked(workspaceOn('starter', { storageUsedBytes }))).toBe(expected)
  })

  it.each([
    [179, 'allowed'],
    [180, 'allowed'],
    [180.5, 'warning-plan-duration (upgrade)'],
    [181, 'warning-plan-duration (upgrade)'],
  ])("above the plan's duration: %d of 180 seconds", (targetDuration, expected) => {
    expect(asked(workspaceOn('starter'), briefWith({ targetDuration }))).toBe(expected)
    expect(outcome(() => refuseLongVideo(workspaceOn('starter'), targetDuration))).toBe(expected)
  })

  it('for the first rule that is violated: credits, generations, storage, duration', () => {
    const long = briefWith({ videoDuration: 'medium' })
    const bad = { creditsBalance: 0, generationsUsed: 100, storageUsedBytes: plans.starter.storageBytesMax! }
    const mended: Partial<Workspace>[] = [
      {},
      { creditsBalance: 1_000 },
      { generationsUsed: 0 },
      { storageUsedBytes: 0 },
    ]
    const codes = mended.map((_, index) =>
      asked(workspaceOn('starter', Object.assign({}, bad, ...mended.slice(0, index + 1))), long),
    )
    expect(codes.map((code) => code.split(' ')[0])).toEqual([
      'warning-no-credits',
      'warning-plan-generations',
      'warning-plan-storage',
      'warning-plan-duration',
    ])
  })

  it('never on a plan without limits', () => {
    const fields = { creditsBalance: 0, generationsUsed: 10 ** 9, storageUsedBytes: 10 ** 15 }
    expect(asked(workspaceOn('self-hosted', fields), briefWith({ videoDuration: 'medium' }))).toBe('allowed')
  })

  it('with the required values, so that the client can act', () => {
    expect(() => priceOfGeneration(workspaceOn('free', { creditsBalance: 3 }), briefWith(), at(0))).toThrow(
      'needs 10, the balance is 3',
    )
  })
})

describe('months', () => {
  const used = workspaceOn('starter', { generationsUsed: 7, creditsUsed: 60, creditsBalance: 1_500 })
  const nextMonth = '2026-12-01T00:00:00.000Z'

  it('reset the generations, and top the balance up to the grant of the plan', () => {
    expect(inCurrentMonth(used, at(0))).toEqual(used)
    const [counters, balance] = [
      { generationsUsed: 0, creditsUsed: 0, creditsGranted: 2_000 },
      { month: '2026-12', creditsBalance: 2_000 },
    ]
    expect(inCurrentMonth(used, nextMonth)).toMatchObject({ ...counters, ...balance })
    expect(renewalOf(used, nextMonth)).toMatchObject({ from: '2026-11', month: '2026-12', credits: 500 })
  })

  it('do not grant again what is reserved and may be refunded', () => {
    const reserved = { ...used, creditsBalance: 100, creditsReserved: 1_900 }
    expect(inCurrentMonth(reserved, nextMonth).creditsBalance).toBe(100)
    expect(inCurrentMonth({ ...reserved, creditsReserved: 400 }, nextMonth).creditsBalance).toBe(1_600)
  })

  it('never reduce what the operator granted beyond the plan', () => {
    expect(inCurrentMonth({ ...used, creditsBalance: 9_000 }, nextMonth).creditsBalance).toBe(9_000)
  })

  it.each([
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-31T12:00:00.000Z', '2027-02-01T00:00:00.000Z'],
  ])('that include %s end at %s', (now, next) => {
    expect(nextMonthAt(now)).toBe(next)
  })
})
