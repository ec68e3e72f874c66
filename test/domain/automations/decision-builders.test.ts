/** Decisions on an automation and its clip, merged into one. */
import { describe, expect, it } from 'vitest'
import type { Blueprint } from '../../../lib/domain/automations/blueprint.ts'
import { type AutomationContext, contextAfter } from '../../../lib/domain/automations/decision-builders.ts'
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
