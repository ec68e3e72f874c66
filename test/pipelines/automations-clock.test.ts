/**
 * Moves the test clock of a workspace through the slots of an automation on the real store; generation, rendering and
 * posting are stubbed. `DAYS=90 vitest run test/pipelines/automations-clock` covers a quarter with both daylight saving
 * changes.
 */
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { nextSlotAfter } from '../../lib/domain/automations/slot-times.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Schedule } from '../../lib/domain/records/schedule.ts'
import type { Slot } from '../../lib/domain/records/slot.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { listSlotRecords } from '../../lib/store/slot-records.ts'
import { getVideo, listClipIds } from '../../lib/store/videos.ts'
import { advanceWorkspaceClock } from '../../lib/store/workspaces.ts'
import { markAccountExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { decideAutomationEdit } from '../../lib/use-cases/automations/edit-automation.ts'
import { advanceTestClock } from '../../lib/use-cases/automations/move-test-clock.ts'
import { eventCounts } from '../support/events.ts'
import { finishJobs } from '../support/finish-jobs.ts'
import { connectedProfile, givenAutomation } from '../support/given/automations.ts'
import { newWorld } from '../support/world.ts'

const daySeconds = 24 * 60 * 60
/** Each half of the period contains the day on which the zone changes its daylight saving time. */
const days = Math.max(Number(process.env.DAYS ?? 4), 4)
const halfDays = Math.floor(days / 2)
const changes = { 'America/New_York': '2027-03-14T12:00:00.000Z', 'Europe/Berlin': '2027-03-28T12:00:00.000Z' }

const thrice = (timezone: string): Schedule => ({
  frequency: 'thrice-daily',
  timezone,
  times: [
    { time: '02:30', mode: 'fixed' },
    { time: '12:00', mode: 'random' },
    { time: '23:59', mode: 'fixed' },
  ],
  days: [],
})

const meanwhile = (open: readonly Video[]) => Promise.all(open.map((video) => finishJobs(video)))

/** The slots of a timetable after the used ones, up to a time. */
function slotsUpTo(schedule: Schedule, id: string, from: string, to: string, used: Slot[]): Slot[] {
  const slots: Slot[] = []
  for (let after = from; ; after = slots.at(-1)!.at) {
    const slot = nextSlotAfter(schedule, id, after, slots.at(-1) ?? used.at(-1) ?? null)
    if (slot.at > to) return slots
    slots.push(slot)
  }
}

describe('the clock of a test workspace', () => {
  it(`matches the model over ${days} days of three slots and both daylight saving changes: clips, events and stops`, async () => {
    const { workspaceId } = await newWorld()
    // Half of each half lies before its change.
    const starts = secondsAfter(changes['America/New_York'], (-halfDays / 2) * daySeconds)
    const turns = halfDays > 20 ? secondsAfter(starts, halfDays * daySeconds) : undefined
    const profileId = await connectedProfile({ workspaceId }, ['bluesky', 'threads'])
    const { id } = await givenAutomation(
      { workspaceId },
      { profileId, platforms: ['bluesky', 'threads'], status: 'paused' },
    )
    await advanceWorkspaceClock(workspaceId, starts)
    const edit = async (fields: Parameters<typeof decideAutomationEdit>[2]) =>
      commit((await decideAutomationEdit(workspaceId, id, fields, now())).decision)
    const options = { allowAnyWorkspace: true, whileOpen: meanwhile }

    await edit({ status: 'active', schedule: thrice('America/New_York') })
    const middle = (await advanceTestClock(workspaceId, halfDays * daySeconds, options)).clockAt
    expect(turns ?? middle).toBe(middle)
    const first = slotsUpTo(thrice('America/New_York'), id, starts, middle, [])

    // The short variant jumps to the next change; no decision is made in between.
    await edit({ status: 'paused' })
    const resumes = [middle, secondsAfter(changes['Europe/Berlin'], (-halfDays / 2) * daySeconds)].toSorted().at(-1)!
    await advanceWorkspaceClock(workspaceId, resumes)
    await edit({ status: 'active', schedule: thrice('Europe/Berlin') })
    const late = (await advanceTestClock(workspaceId, halfDays * daySeconds, options)).clockAt
    const second = slotsUpTo(thrice('Europe/Berlin'), id, resumes, late, first)

    for (const account of (await getProfile(workspaceId, profileId)).accounts) await markAccountExpired(account)
    await advanceTestClock(workspaceId, 3 * daySeconds, options)
    const [blocked, stopped] = slotsUpTo(thrice('Europe/Berlin'), id, late, secondsAfter(late, 3 * daySeconds), second)

    const published = [...first, ...second]
    expect(published.length).toBeGreaterThanOrEqual(days * 3 - 3)
    expect(published.map(({ at }) => at)).toEqual([...new Set(published.map(({ at }) => at))].toSorted())
    const slots = (await listSlotRecords(workspaceId, id, 1_000)).toReversed()
    expect(slots.map(({ at, outcome }) => [at, outcome])).toEqual([
      ...published.map(({ at }) => [at, 'published']),
      [blocked!.at, 'blocked'],
      [stopped!.at, 'stopped'],
    ])
    const clipIds = await listClipIds(workspaceId, id)
    const posted = slots.filter(({ outcome }) => outcome === 'published').map(({ clipId }) => clipId)
    expect(new Set(posted).size).toBe(published.length)
    expect(clipIds).toHaveLength(published.length + 1)
    const { automation } = await getVideo(workspaceId, id)
    expect(automation).toMatchObject({ status: 'paused', stopped: { reason: 'publish_auth', kind: 'config' } })
    expect(await eventCounts(workspaceId)).toEqual({
      'video.created': 1 + clipIds.length,
      'video.generation_completed': 1 + clipIds.length,
      'video.render_completed': clipIds.length,
      'automation.clip_created': clipIds.length,
      // The clip that waited at the pause was assigned a slot before it and after it.
      'video.scheduled': clipIds.length + 1,
      'video.published': published.length,
      'automation.blocked': 1,
      'automation.stopped': 1,
    })
  }, 600_000)

  it('is not moved if the workspace is not a test workspace', async () => {
    const { workspaceId } = await newWorld()
    await expect(advanceTestClock(workspaceId, 60)).rejects.toMatchObject({ code: 'warning-invalid-input' })
  })

  it('never moves backwards', async () => {
    const { workspaceId } = await newWorld()
    await advanceWorkspaceClock(workspaceId, '2030-01-02T00:00:00.000Z')
    await expect(advanceWorkspaceClock(workspaceId, '2030-01-01T00:00:00.000Z')).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await advanceTestClock(workspaceId, 60)).clockAt).toBe('2030-01-02T00:01:00.000Z')
  })
})
