/**
 * Automations on the real store: repeated and concurrent wake-ups change nothing more. Generation, rendering and
 * posting are stubbed; the clock is that of a test workspace.
 */
import { describe, expect, it } from 'vitest'
import { handler as fireSlot } from '../../functions/workers/run-due-slot.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Automation } from '../../lib/domain/records/automation.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { createClip } from '../../lib/domain/videos/clip.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { listSlotRecords } from '../../lib/store/slot-records.ts'
import { getVideo, listClipIds } from '../../lib/store/videos.ts'
import { advanceWorkspaceClock, getWorkspace } from '../../lib/store/workspaces.ts'
import { markAccountExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { decideAutomationEdit } from '../../lib/use-cases/automations/edit-automation.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'
import { removeVideo } from '../../lib/use-cases/videos/remove-videos.ts'
import { eventCounts, eventsIn } from '../support/events.ts'
import { finishJobs } from '../support/finish-jobs.ts'
import { givenAutomation, readyAutomation } from '../support/given/automations.ts'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

interface Place extends World {
  id: string
}

/** A completely set up automation in a new workspace. */
async function ready(): Promise<Place> {
  const world = await newWorld()
  const { id } = await readyAutomation(world)
  return { ...world, id }
}

/** Every trigger, three times and concurrently. */
async function wake({ workspaceId, id }: Place, clipId: string | null = null): Promise<void> {
  const thrice = (once: () => Promise<unknown>) => [once(), once(), once()]
  await Promise.all([
    ...thrice(() => fireSlot({ workspaceId, automationId: id })),
    ...thrice(() => reconcileAutomation(workspaceId, id, clipId)),
    ...thrice(() => recoverStalled(keys.video(workspaceId, id))),
  ])
  // The sweeper leaves the follow-up work to the outbox, and may have run before all the others.
  await reconcileAutomation(workspaceId, id, null)
}

const automationOf = async ({ workspaceId, id }: Place): Promise<Automation> =>
  (await getVideo(workspaceId, id)).automation!

const waitingClip = async (place: Place): Promise<Video> =>
  getVideo(place.workspaceId, (await automationOf(place)).waitingClipId!)

/** Ends the open job of a clip with success or failure, and wakes the automation as the end of a job does. */
async function end(place: Place, clipId: string, isWell = true): Promise<void> {
  await finishJobs(await getVideo(place.workspaceId, clipId), isWell)
  await wake(place, clipId)
}

/** Moves the clock to this many seconds after the next slot. */
async function toSlot(place: Place, late = 0): Promise<void> {
  const { nextSlot } = await automationOf(place)
  await advanceWorkspaceClock(place.workspaceId, secondsAfter(nextSlot!.at, late))
  await wake(place)
}

const outcomesOf = async ({ workspaceId, id }: Place) =>
  (await listSlotRecords(workspaceId, id, 100)).toReversed().map(({ outcome }) => outcome)

describe('an automation with a complete setup', () => {
  it('makes one clip, arms it, publishes it at its slot and makes the next, however often it is woken', async () => {
    const place = await ready()
    await wake(place)
    const { id: first } = await waitingClip(place)
    await end(place, first)
    const { nextSlot } = await automationOf(place)
    expect((await waitingClip(place)).publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: nextSlot?.at })

    await toSlot(place)
    expect((await getVideo(place.workspaceId, first)).publish).toMatchObject({
      status: 'QUEUED',
      scheduledAt: nextSlot?.at,
    })
    await end(place, first)
    expect(await getVideo(place.workspaceId, first)).toMatchObject({
      publish: { status: 'COMPLETED' },
      run: { isOver: true },
    })
    expect(await outcomesOf(place)).toEqual(['published'])
    const clips = await listClipIds(place.workspaceId, place.id)
    expect(clips).toHaveLength(2)
    expect((await waitingClip(place)).process?.status).toBe('QUEUED')
    expect(await eventCounts(place.workspaceId)).toMatchObject({
      'automation.clip_created': 2,
      'video.scheduled': 1,
      'video.published': 1,
    })
  })

  it('emits events about the clip, its slot and its platforms', async () => {
    const place = await ready()
    await wake(place)
    const { id: clip } = await waitingClip(place)
    await end(place, clip)
    const { nextSlot } = await automationOf(place)
    const told = (await eventsIn(place.workspaceId)).filter(
      ({ facts }) => (facts.video as { id: string } | undefined)?.id === clip,
    )
    expect(told.map(({ type, facts }) => ({ type, facts }))).toMatchObject([
      { type: 'video.created' },
      {
        type: 'automation.clip_created',
        facts: { automation: { id: place.id, status: 'active' }, video: { id: clip } },
      },
      { type: 'video.generation_completed' },
      { type: 'video.render_completed' },
      { type: 'video.scheduled', facts: { scheduledAt: nextSlot?.at, platforms: ['bluesky'] } },
    ])
  })

  it('marks a slot that is an hour old as missed, and shows it', async () => {
    const place = await ready()
    await wake(place)
    const clip = await waitingClip(place)
    await toSlot(place, 59 * 60)
    expect(await outcomesOf(place)).toEqual([])
    const { nextSlot } = await automationOf(place)
    await toSlot(place, 60 * 60)
    const { body } = await callApi('GET', `/automations/${place.id}/health`, { key: place.apiKey })
    expect(body.data.recent).toEqual([{ scheduledAt: nextSlot?.at, outcome: 'missed', clipId: clip.id }])
    await end(place, clip.id)
    const after = await automationOf(place)
    expect((await waitingClip(place)).publish?.scheduledAt).toBe(after.nextSlot?.at)
  })

  it('is stopped by the fifth consecutive failed run', async () => {
    const place = await ready()
    await wake(place)
    for (let run = 0; run < 5; run++) {
      if (run > 0) await toSlot(place)
      await end(place, (await automationOf(place)).waitingClipId!, false)
    }
    expect(await outcomesOf(place)).toEqual(Array(4).fill('failed'))
    expect(await automationOf(place)).toMatchObject({ status: 'paused', stopped: { reason: 'repeated_failures' } })
    const stops = (await eventsIn(place.workspaceId)).filter(({ type }) => type === 'automation.stopped')
    expect(stops).toMatchObject([
      { facts: { reason: 'repeated_failures', kind: 'transient', automation: { status: 'paused' } } },
    ])
  })

  it('makes another clip if the client removes the waiting one', async () => {
    const place = await ready()
    await wake(place)
    const { id } = await waitingClip(place)
    await end(place, id)
    await removeVideo(place.workspaceId, id)
    const nudge = await findOutboxRow(keys.outbox(place.workspaceId, `nudge#${id}#removed`))
    expect(nudge).toMatchObject({ automationId: place.id })
    await wake(place)
    expect((await waitingClip(place)).id).not.toBe(id)
    expect(await listClipIds(place.workspaceId, place.id)).toHaveLength(1)
  })

  it('applies both an edit and a slot that arrive concurrently', async () => {
    const place = await ready()
    await wake(place)
    const { id } = await waitingClip(place)
    await end(place, id)
    const { nextSlot } = await automationOf(place)
    await advanceWorkspaceClock(place.workspaceId, nextSlot!.at)
    const edit = async () =>
      commit((await decideAutomationEdit(place.workspaceId, place.id, { autoRefill: false }, now())).decision)
    await Promise.all([wake(place), edit().catch(edit).catch(edit).catch(edit)])
    expect(await outcomesOf(place)).toEqual(['published'])
    expect((await automationOf(place)).autoRefill).toBe(false)
  })
})

describe('an automation with an incomplete setup', () => {
  it('is blocked at its slot, stopped at the next, and makes nothing', async () => {
    const world = await newWorld()
    const place = { ...world, id: (await givenAutomation(world)).id }
    await toSlot(place)
    await toSlot(place)
    expect(await outcomesOf(place)).toEqual(['blocked', 'stopped'])
    expect(await listClipIds(place.workspaceId, place.id)).toEqual([])
    const told = (await eventsIn(place.workspaceId)).filter(({ type }) => type.startsWith('automation.'))
    expect(told).toMatchObject([
      { type: 'automation.blocked', facts: { blockers: [{ id: 'no-profile' }, { id: 'no-platforms' }] } },
      { type: 'automation.stopped', facts: { reason: 'publish_not_configured', kind: 'config' } },
    ])
  })

  it('keeps the outcome of both slots of a day on which its timetable was edited', async () => {
    const world = await newWorld()
    const place = { ...world, id: (await givenAutomation(world)).id }
    await toSlot(place)
    const times = [{ time: '18:00', mode: 'fixed' as const }]
    const schedule = { frequency: 'daily' as const, timezone: 'UTC', times, days: [] }
    await commit((await decideAutomationEdit(place.workspaceId, place.id, { schedule }, now())).decision)
    await toSlot(place)
    const slots = await listSlotRecords(place.workspaceId, place.id, 10)
    expect(slots.map(({ at, outcome }) => [at.slice(11, 16), outcome])).toEqual([
      ['18:00', 'stopped'],
      ['09:00', 'blocked'],
    ])
    expect(new Set(slots.map(({ date, index }) => `${date} ${index}`)).size).toBe(1)
  })

  it('does not publish a clip whose account expired after it was armed, and keeps the clip for a later slot', async () => {
    const place = await ready()
    await wake(place)
    const { id } = await waitingClip(place)
    await end(place, id)
    const { destination } = await getVideo(place.workspaceId, place.id)
    for (const account of (await getProfile(place.workspaceId, destination!.profileId!)).accounts)
      await markAccountExpired(account)
    await toSlot(place)
    expect(await outcomesOf(place)).toEqual(['blocked'])
    expect(await waitingClip(place)).toMatchObject({ id, publish: null })
    await toSlot(place)
    expect(await automationOf(place)).toMatchObject({
      status: 'paused',
      stopped: { reason: 'publish_auth', kind: 'config' },
    })
  })
})

describe('an automation that makes no clips itself', () => {
  it('takes the oldest clip that its client rendered, also beyond a page of newer ones without a render', async () => {
    const world = await newWorld()
    const { id } = await readyAutomation(world, { autoRefill: false })
    const clip = await given.renderedVideo(world, { fields: { parentVideoId: id } })
    const [workspace, source] = await Promise.all([getWorkspace(world.workspaceId), getVideo(world.workspaceId, id)])
    const wish = { regenerate: false, render: false }
    for (let newer = 0; newer < 100; newer++) {
      const ids = { videoId: mintId('vid', now()), runId: mintId('run', now()) }
      await commit(createClip(workspace, source, wish, ids, now()))
    }
    await reconcileAutomation(world.workspaceId, id, null)
    expect((await automationOf({ ...world, id })).waitingClipId).toBe(clip.id)
  })
})
