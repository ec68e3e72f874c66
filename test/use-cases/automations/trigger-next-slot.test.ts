/** An operator triggers a slot ahead of its time. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { bringSlotForward } from '../../../lib/domain/automations/automation-lifecycle.ts'
import { upcomingSlots } from '../../../lib/domain/automations/blueprint.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { listSlotRecords } from '../../../lib/store/slot-records.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { advanceWorkspaceClock } from '../../../lib/store/workspaces.ts'
import { decideAutomationEdit } from '../../../lib/use-cases/automations/edit-automation.ts'
import { getBlueprint } from '../../../lib/use-cases/automations/load-automation.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { triggerNextSlot } from '../../../lib/use-cases/automations/trigger-next-slot.ts'
import { armedAutomation, givenAutomation, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld, type World } from '../../support/world.ts'
import { dispatchOnly } from '../../workers/support/run-workers.ts'

let world: World
let workspaceId: string
beforeAll(async () => {
  world = await newWorld()
  workspaceId = world.workspaceId
})

const nextOf = async (id: string) => (await getVideo(workspaceId, id)).automation!.nextSlot!

describe('a triggered slot', () => {
  it('is published immediately and only once: the next slot is another one', async () => {
    const { id, clipId } = await armedAutomation(world)
    const { at, ...name } = await nextOf(id)
    expect(await triggerNextSlot(workspaceId, id)).toEqual({ ...name, automationId: id, outcome: 'published', clipId })
    expect((await getVideo(workspaceId, clipId)).publish?.status).toBe('QUEUED')
    expect((await nextOf(id)).at > at).toBe(true)
    await reconcileAutomation(workspaceId, id, null)
    expect(await listSlotRecords(workspaceId, id, 10)).toMatchObject([{ ...name, outcome: 'published', clipId }])
  })

  it('waits for its clip when there is none yet, and is no longer shown at its original time', async () => {
    const { id } = await readyAutomation(world)
    const { at } = await nextOf(id)
    const fired = await triggerNextSlot(workspaceId, id)
    expect(fired).toMatchObject({ outcome: 'waiting', clipId: expect.stringMatching(/^vid_/) })
    // A second trigger still names the same slot.
    expect(await triggerNextSlot(workspaceId, id)).toEqual(fired)
    const upcoming = upcomingSlots(id, (await getBlueprint(workspaceId, id)).automation).map((slot) => slot.at)
    expect(upcoming).toHaveLength(5)
    expect(upcoming).not.toContain(at)
  })

  it('is distinguished from one of the same day that was triggered before its time was edited', async () => {
    const { id, clipId } = await armedAutomation(world)
    const first = await triggerNextSlot(workspaceId, id)
    const times = [{ time: '10:00', mode: 'fixed' as const }]
    const schedule = { frequency: 'daily' as const, timezone: 'UTC', times, days: [] }
    await commit((await decideAutomationEdit(workspaceId, id, { schedule }, now())).decision)
    const second = await triggerNextSlot(workspaceId, id)
    expect(first).toMatchObject({ outcome: 'published', clipId })
    expect(second).toMatchObject({ date: first.date, index: first.index, outcome: 'waiting' })
    expect(second.clipId).not.toBe(clipId)
  })

  it('is decided by the dispatcher when the command crashed after writing it', async () => {
    const { id, clipId } = await armedAutomation(world)
    const decision = bringSlotForward(await getBlueprint(workspaceId, id), now())!
    await commit(decision)
    await dispatchOnly(workspaceId, `alarm#${decision.slotTimers![0]!.cause}`)
    expect(await listSlotRecords(workspaceId, id, 10)).toMatchObject([{ outcome: 'published', clipId }])
  })

  it('is blocked when something is missing', async () => {
    const { id } = await givenAutomation(world)
    expect(await triggerNextSlot(workspaceId, id)).toMatchObject({ outcome: 'blocked', clipId: null })
  })

  it('is reported with its own outcome when a later one was due as well', async () => {
    const own = await newWorld()
    const { id } = await givenAutomation(own)
    const times = [
      { time: '09:00', mode: 'fixed' as const },
      { time: '09:30', mode: 'fixed' as const },
    ]
    const schedule = { frequency: 'twice-daily' as const, timezone: 'UTC', times, days: [] }
    await commit((await decideAutomationEdit(own.workspaceId, id, { schedule }, now())).decision)
    const tomorrow = secondsAfter(now(), 24 * 60 * 60).slice(0, 10)
    await advanceWorkspaceClock(own.workspaceId, `${tomorrow}T00:00:00.000Z`)
    await reconcileAutomation(own.workspaceId, id, null)
    await advanceWorkspaceClock(own.workspaceId, `${tomorrow}T09:40:00.000Z`)
    expect(await triggerNextSlot(own.workspaceId, id)).toMatchObject({
      ...{ date: tomorrow, index: 0 },
      ...{ outcome: 'blocked', clipId: null },
    })
  })

  it('409: a paused automation has no next slot, and a video that is no blueprint is not found', async () => {
    const { id } = await givenAutomation(world, { status: 'paused' })
    await expect(triggerNextSlot(workspaceId, id)).rejects.toMatchObject({ code: 'conflict' })
    const plain = await given.generatedVideo(world)
    await expect(triggerNextSlot(workspaceId, plain.id)).rejects.toMatchObject({ code: 'not-found' })
  })
})
