/** A workspace: what it begins with, what a change of its plan does to its balance, and whose clock it has. */
import { describe, expect, it } from 'vitest'
import { planIds, plans } from '../../../lib/domain/workspaces/plan.ts'
import {
  changePlan,
  createWorkspace,
  grantCredits,
  renewalOf,
  requestLimitsOf,
} from '../../../lib/domain/workspaces/workspace.ts'
import { at, workspaceOn } from '../support/videos.ts'

describe('a new workspace', () => {
  it.each(planIds)('on the plan %s has its monthly grant, and nothing is used', (planId) => {
    const granted = plans[planId].creditsPerMonth ?? 0
    const workspace = workspaceOn(planId)
    expect(workspace).toMatchObject({ creditsBalance: granted, creditsGranted: granted, month: '2026-11' })
    const { creditsBalance: _balance, creditsGranted: _granted, ...counters } = workspace
    expect(Object.values(counters).filter((value) => typeof value === 'number' && value !== 0)).toEqual([])
  })

  it('has a clock of its own only for tests', () => {
    const fields = { id: 'wsp_1', name: 'Test', planId: 'free' as const, organizationId: null, mediaSecret: 'secret' }
    expect(createWorkspace(fields, at(0))).not.toHaveProperty('clockAt')
    expect(createWorkspace({ ...fields, isTest: true }, at(0)).clockAt).toBe(at(0))
  })

  it('has the request limits of its plan, or those of the operator', () => {
    const own = { reads: 1, writes: 2, paid: 3 }
    expect(requestLimitsOf(workspaceOn('starter'))).toEqual(plans.starter.requestsPerMinute)
    expect(requestLimitsOf(workspaceOn('self-hosted'))).toBeNull()
    expect(requestLimitsOf(workspaceOn('self-hosted', { requestsPerMinute: own }))).toBe(own)
  })
})

describe('another plan', () => {
  const used = workspaceOn('starter', { creditsBalance: 1_700, creditsGranted: 2_500, creditsExtra: 500 })

  it('changes the balance by the difference of the grants: what was spent stays spent', () => {
    expect(changePlan(used, 'pro')).toEqual({
      ...used,
      planId: 'pro',
      creditsGranted: 10_500,
      creditsBalance: 1_700 + 8_000,
    })
    expect(changePlan(used, 'free')).toMatchObject({ creditsGranted: 700, creditsBalance: -100 })
    expect(changePlan(changePlan(used, 'pro'), 'starter')).toEqual(used)
  })

  it('without a balance keeps the figures', () => {
    expect(changePlan(used, 'self-hosted')).toEqual({ ...used, planId: 'self-hosted' })
  })
})

describe('a grant of the operator', () => {
  const grant = (now: string) => grantCredits(workspaceOn('starter'), { credits: 5, unit: 'avatar' }, 'grant_1', now)

  it('is charged once by its id, and wakes the automations that waited for credits', () => {
    expect(grant(at(1))).toMatchObject({
      changes: [],
      month: '2026-11',
      charges: [{ kind: 'grant', runId: 'grant_1', credits: 5, unit: 'avatar', metered: true }],
      automationWakeUps: [{ profileId: null, cause: 'grant_1' }],
    })
    expect(grant(at(1))).not.toHaveProperty('renewal')
  })

  it('in a new month renews it first', () => {
    const decision = grant('2026-12-01T00:00:00.000Z')
    expect(decision).toMatchObject({ month: '2026-12', renewal: { from: '2026-11', month: '2026-12', credits: 0 } })
  })
})

describe('a renewal', () => {
  const december = '2026-12-01T00:00:00.000Z'

  it.each([
    [1_999, 0, 1],
    [2_000, 0, 0],
    [2_001, 0, 0],
    [1_000, 999, 1],
    [-5, 0, 2_005],
  ])('tops a balance of %i, with %i reserved, up by %i credits', (creditsBalance, creditsReserved, credits) => {
    const renewal = renewalOf(workspaceOn('starter', { creditsBalance, creditsReserved }), december)
    expect(renewal).toMatchObject({
      credits,
      granted: 2_000,
      seenBalance: creditsBalance,
      seenReserved: creditsReserved,
    })
  })

  it('is none in the same month, in an earlier one, and grants nothing without a balance', () => {
    expect(renewalOf(workspaceOn('starter'), '2026-11-30T23:59:59.999Z')).toBeUndefined()
    expect(renewalOf(workspaceOn('starter'), '2026-10-31T00:00:00.000Z')).toBeUndefined()
    expect(renewalOf(workspaceOn('self-hosted'), december)).toMatchObject({ credits: 0, granted: 0 })
  })
})
