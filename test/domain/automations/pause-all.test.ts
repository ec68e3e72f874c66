/** The operator pauses all automations, for a restore or because their workspace is suspended, and resumes the same ones. */
import { describe, expect, it } from 'vitest'
import { workspaceOn } from '../support/videos.ts'
import { AutomationHarness } from './automation-harness.ts'

describe('an automation that is paused for its owner', () => {
  it('starts nothing at its slots, and loses none but those of that time', () => {
    const harness = new AutomationHarness().configure().finish().pauseForOwner()
    expect(harness.automation).toMatchObject({ status: 'paused', nextSlot: null })
    expect(harness.waiting?.publish).toBeNull()
    harness.at('02 09:00').at('03 09:00')
    expect(harness.slots).toEqual([])
    harness.resumeForOwner()
    expect(harness.automation).toMatchObject({ status: 'active', nextSlot: { at: '2026-11-04T09:00:00.000Z' } })
    expect(harness.automation).not.toHaveProperty('pausedBy')
    expect(harness.waiting?.publish?.scheduledAt).toBe('2026-11-04T09:00:00.000Z')
  })

  it('is resumed also while something blocks it, as it was before', () => {
    const harness = new AutomationHarness().configure().setAccountHealth('expired').pauseForOwner().resumeForOwner()
    expect(harness.automation.status).toBe('active')
  })

  it('stays paused where the owner paused it, before or in between', () => {
    const before = new AutomationHarness().configure().edit({ status: 'paused' }).pauseForOwner().resumeForOwner()
    expect(before.automation.status).toBe('paused')
    const between = new AutomationHarness().configure().pauseForOwner().edit({ status: 'paused' }).resumeForOwner()
    expect(between.automation.status).toBe('paused')
  })

  it('is resumed for the reason for which it was paused, and by no other', () => {
    const harness = new AutomationHarness().configure().pauseForOwner('operator').pauseForOwner('suspension')
    expect(harness.resumeForOwner('suspension').automation.status).toBe('paused')
    expect(harness.resumeForOwner('operator').automation.status).toBe('active')
  })
})

it('a suspended workspace decides on no slot and on no clip', () => {
  const harness = new AutomationHarness(workspaceOn('self-hosted')).configure().finish()
  harness.workspace = { ...harness.workspace, suspendedAt: harness.now }
  harness.at('02 09:00').at('03 09:00')
  expect([harness.slots, harness.clips.length, harness.eventsOfType('automation.stopped')]).toEqual([[], 1, []])
})
