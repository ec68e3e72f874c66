/** Decisions on an automation and its clip, merged into one. */
import { describe, expect, it } from 'vitest'
import type { Blueprint } from '../../../lib/domain/automations/blueprint.ts'
import {
  type AutomationContext,
  contextAfter,
  mergeDecisions,
} from '../../../lib/domain/automations/decision-builders.ts'
import { newDecision } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { at } from '../support/videos.ts'
import { AutomationHarness } from './automation-harness.ts'

const harness = new AutomationHarness().configure().finish()
const blueprintWith = (fields: Partial<Blueprint['automation']>): Blueprint => ({
  ...harness.blueprint,
  automation: { ...harness.blueprint.automation, ...fields },
})
const context = (blueprint: Blueprint, clip: Video | undefined): AutomationContext => ({
  workspace: harness.workspace,
  blueprint,
  clip,
  spare: harness.waiting,
  profile: undefined,
  accounts: [],
})
const decisionOn = (...videos: Video[]) => ({
  ...newDecision(
    'wsp_1',
    videos.map((after) => ({ record: 'video' as const, before: after, after })),
    at(0),
  ),
  video: videos[0]!,
})

describe('the context after a decision', () => {
  const waiting = harness.waiting!

  it('has the new blueprint and the clip that it waits for, and no spare one', () => {
    const after = blueprintWith({ waitingClipId: waiting.id })
    const made = { ...waiting, title: 'Made now' }
    expect(contextAfter(context(harness.blueprint, waiting), decisionOn(after, made))).toMatchObject({
      blueprint: after,
      clip: made,
      spare: undefined,
    })
  })

  it('has the clip of before, where the decision is on the blueprint alone', () => {
    const after = blueprintWith({ waitingClipId: waiting.id, autoRefill: false })
    expect(contextAfter(context(harness.blueprint, waiting), decisionOn(after))).toMatchObject({ clip: waiting })
  })

  it('has no clip where a refill makes the next one', () => {
    const after = blueprintWith({ waitingClipId: null, autoRefill: true })
    expect(contextAfter(context(harness.blueprint, undefined), decisionOn(after))).toMatchObject({ clip: undefined })
  })

  it('is unknown where the next clip has to be read', () => {
    const spare = blueprintWith({ waitingClipId: null, autoRefill: false })
    expect(contextAfter(context(harness.blueprint, undefined), decisionOn(spare))).toBeUndefined()
    const other = blueprintWith({ waitingClipId: 'vid_other', autoRefill: true })
    expect(contextAfter(context(harness.blueprint, waiting), decisionOn(other))).toBeUndefined()
  })
})

it('a merged decision has all of both: the changes of the first one first, and its video', () => {
  const part = (name: string) => ({
    ...decisionOn(harness.blueprint),
    charges: [{ kind: 'release' as const, runId: name, credits: 1, unit: 'video' as const, metered: true }],
    starts: [{ pipeline: 'render' as const, videoId: 'vid_1', runId: name }],
    automationWakeUps: [{ automationId: 'vid_1', clipId: null, cause: name }],
    slotTimers: [{ automationId: 'vid_1', at: at(1), cause: name }],
    slotRecords: [
      {
        ...{ date: '2026-11-02', index: 0, at: at(1), automationId: name },
        ...{ outcome: 'missed' as const, clipId: null, decidedAt: at(2) },
      },
    ],
  })
  const [first, second] = [part('run_1'), { ...part('run_2'), month: '2026-11', video: harness.waiting! }]
  const merged = mergeDecisions(first, second)
  expect(merged).toMatchObject({ video: harness.blueprint, month: '2026-11' })
  expect(merged.changes).toEqual([...first.changes, ...second.changes])
  expect(merged.charges).toEqual([...first.charges, ...second.charges])
  expect(merged.starts).toEqual([...first.starts, ...second.starts])
  expect(merged.automationWakeUps).toEqual([...first.automationWakeUps, ...second.automationWakeUps])
  expect(merged.slotRecords).toEqual([...first.slotRecords, ...second.slotRecords])
  expect(merged.slotTimers).toEqual([...first.slotTimers, ...second.slotTimers])
  expect(mergeDecisions(second, first)).toMatchObject({ video: harness.waiting, month: '2026-11' })
})
