/** PATCH /automations/{id}. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { decideClip } from '../../../lib/domain/automations/clip-runs.ts'
import { decideAutomation } from '../../../lib/domain/automations/reconcile.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getBlueprint, loadAutomationContext } from '../../../lib/use-cases/automations/load-automation.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { apiClientOf, idsOf } from '../../support/api-client.ts'
import {
  armedAutomation,
  connectedProfile,
  finishClip,
  givenAutomation,
  readyAutomation,
} from '../../support/given/automations.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

describe('PATCH /automations/{id}', () => {
  const slot = (time: string) => ({ time, mode: 'fixed' })

  const times = ['07:00', '12:30', '19:00', '21:00'].map(slot)

  const days = ['monday', 'wednesday', 'friday', 'sunday'].map((day) => ({ day, ...slot('18:00') }))

  rule('automations.edit', async () => {
    const { patch, get } = apiClientOf(world)
    const { id } = await givenAutomation(world)
    const read = async () => (await get(`/automations/${id}`)).body.data
    const profileId = await connectedProfile(world, ['bluesky', 'reddit'])
    const schedule = { frequency: 'daily', timezone: 'Europe/Berlin', times: [slot('06:15')], days: [] }
    const edits = [
      [{ schedule }, { schedule }],
      [{ profileId }, { publishing: { profileId, platforms: [] } }],
      [
        { platforms: ['bluesky', 'reddit', 'bluesky'] },
        { publishing: { profileId, platforms: ['bluesky', 'reddit'] } },
      ],
      [{ autoRefill: false }, { autoRefill: false }],
      [{ status: 'paused' }, { status: 'paused', health: { ready: true, nextScheduledAt: null } }],
      [
        { status: 'active', unknown: 1 },
        { status: 'active', health: { ready: true } },
      ],
    ] as const
    for (const [edit, seen] of edits) {
      const before = await read()
      const { status, body } = await patch(`/automations/${id}`, edit)
      expect([status, body.data]).toEqual([200, await read()])
      const { health: _, updatedAt: __, statusUpdatedAt: ___, source: ____, ...kept } = before
      expect(body.data).toMatchObject({ ...kept, ...seen })
    }
    expect(await patch(`/automations/${id}`, { profileId: null })).toMatchObject({
      body: { data: { publishing: { profileId: null }, health: { blockers: [{ id: 'no-profile' }] } } },
    })
    for (const nothing of [{}, { unknown: 1 }, { title: 'New' }])
      expect(await patch(`/automations/${id}`, nothing)).toMatchObject(expectedError(400, 'invalid-request'))
  })

  rule(['automations.edit.daily', 'automations.edit.weekly', 'automations.edit.exclusive'], async () => {
    const { patch } = apiClientOf(world)
    const { id } = await givenAutomation(world)
    const send = async (schedule: object) =>
      (await patch(`/automations/${id}`, { schedule: { timezone: 'UTC', ...schedule } })).body
    for (const [index, often] of ['', 'twice-', 'thrice-'].entries())
      for (let count = 0; count <= 4; count++) {
        const isRight = count === index + 1
        const daily = await send({ frequency: `${often}daily`, times: times.slice(0, count) })
        const weekly = await send({ frequency: `${often}weekly`, days: days.slice(0, count) })
        const name = `${often || 'once '}${count}`
        if (isRight) {
          expect(daily.data.schedule, name).toMatchObject({ times: times.slice(0, count), days: [] })
          expect(weekly.data.schedule, name).toMatchObject({ times: [], days: days.slice(0, count) })
        } else {
          expect(daily.error, name).toMatchObject({ status: 400, details: [{ path: 'body.schedule.times' }] })
          expect(weekly.error, name).toMatchObject({ status: 400, details: [{ path: 'body.schedule.days' }] })
        }
      }
    const both = await send({ frequency: 'daily', times: times.slice(0, 1), days: days.slice(0, 1) })
    expect(both.error.details).toEqual([expect.objectContaining({ path: 'body.schedule.days' })])
  })

  rule('automations.edit.profile', async () => {
    const { patch, get } = apiClientOf(world)
    const { id } = await givenAutomation(world)
    const foreign = await connectedProfile(await newWorld(), ['bluesky'])
    for (const profileId of [foreign, 'prf_00000000000000000000000000'])
      expect(await patch(`/automations/${id}`, { profileId })).toMatchObject(expectedError(404, 'not-found'))
    expect((await get(`/automations/${id}`)).body.data.publishing.profileId).toBeNull()
  })

  rule('automations.edit.activate', async () => {
    const { patch, get } = apiClientOf(world)
    const { id } = await givenAutomation(world)
    await patch(`/automations/${id}`, { status: 'paused' })
    const answer = await patch(`/automations/${id}`, { status: 'active' })
    expect(answer).toMatchObject(expectedError(409, 'warning-publish-not-configured'))
    expect(idsOf(answer.body.error.blockers)).toEqual(['no-profile', 'no-platforms'])
    for (const { label } of answer.body.error.blockers) expect(answer.body.error.message).toContain(label)
    expect((await get(`/automations/${id}`)).body.data.status).toBe('paused')
    // What the edit itself brings counts.
    const profileId = await connectedProfile(world, ['bluesky'])
    const without = await patch(`/automations/${id}`, { status: 'active', profileId, platforms: ['reddit'] })
    expect(idsOf(without.body.error.blockers)).toEqual(['no-accounts'])
    const whole = await patch(`/automations/${id}`, { status: 'active', profileId, platforms: ['bluesky'] })
    expect(whole).toMatchObject({ status: 200, body: { data: { status: 'active', health: { ready: true } } } })
  })

  rule(['automations.edit.pause', 'events.video.scheduled', 'events.automation.clip-created'], async () => {
    const own = await newWorld()
    const { patch, get } = apiClientOf(own)
    const { id, clipId } = await armedAutomation(own)
    const clip = async () => {
      const { body } = await get(`/videos/${clipId}`)
      expectMatchesOpenApi('GET', '/videos/{id}', 200, body)
      return body.data
    }
    const { nextScheduledAt } = (await get(`/automations/${id}/health`)).body.data
    expect((await clip()).publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: nextScheduledAt })
    const told = (await listEvents(own.workspaceId)).map(({ type }) => type)
    for (const type of ['automation.clip_created', 'video.scheduled'])
      expect(told.filter((one) => one === type)).toEqual([type])
    expect((await patch(`/automations/${id}`, { status: 'paused' })).body.data.health.nextScheduledAt).toBeNull()
    expect((await clip()).publish).toBeNull()
    await patch(`/automations/${id}`, { status: 'active' })
    await reconcileAutomation(own.workspaceId, id, null)
    expect((await clip()).publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: nextScheduledAt })
  })

  it('a decision made before a pause or a demotion assigns no slot: its commit conflicts', async () => {
    const own = await newWorld()
    const { id, workspaceId } = await readyAutomation(own)
    await reconcileAutomation(workspaceId, id, null)
    await finishClip(own, (await getVideo(workspaceId, id)).automation!.waitingClipId!)
    const arming = async () =>
      decideAutomation(await loadAutomationContext(await getBlueprint(workspaceId, id)), now())!
    const late = [await arming()]
    await apiClientOf(own).patch(`/automations/${id}`, { status: 'paused' })
    await apiClientOf(own).patch(`/automations/${id}`, { status: 'active' })
    late.push(await arming())
    await apiClientOf(own).post(`/videos/${id}/promote`, { enabled: false })
    for (const decision of late) {
      expect(decision.events.map(({ type }) => type)).toEqual(['video.scheduled'])
      await expect(commit(decision)).rejects.toBeInstanceOf(WriteConflict)
    }
  })

  it('a decision made before the destination changed does not publish the clip of a manual run: its commit conflicts', async () => {
    const own = await newWorld()
    const { patch, post } = apiClientOf(own)
    const { id, workspaceId } = await readyAutomation(own)
    const made = (await post(`/automations/${id}/run`)).body.data.id
    const clip = await finishClip(own, made)
    const publishing = async () =>
      decideClip(await loadAutomationContext(await getBlueprint(workspaceId, id)), clip, now())!
    const late = [await publishing()]
    const profileId = await connectedProfile(own, ['bluesky'])
    await patch(`/automations/${id}`, { profileId })
    late.push(await publishing())
    await post(`/videos/${id}/promote`, { enabled: false })
    for (const decision of late) {
      expect(decision.starts).toMatchObject([{ pipeline: 'publish', videoId: made }])
      await expect(commit(decision)).rejects.toBeInstanceOf(WriteConflict)
    }
  })
})
