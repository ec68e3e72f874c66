/**
 * Which events wake automations before their slots, and how they recover if a wake-up is lost or the clock of their
 * workspace is ahead.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { changePlan, grantCredits } from '../../lib/domain/workspaces/workspace.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys, outboxPrefix } from '../../lib/store/core/keys.ts'
import type { Row } from '../../lib/store/core/rows.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { getVideo, listClipIds } from '../../lib/store/videos.ts'
import { advanceWorkspaceClock, getWorkspace, replacePlan } from '../../lib/store/workspaces.ts'
import { markAccountExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { storeConnectedAccount } from '../../lib/use-cases/accounts/store-connected-account.ts'
import { decideAutomationEdit, decidePromotion } from '../../lib/use-cases/automations/edit-automation.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'
import { cloneVideoRows } from '../support/finish-jobs.ts'
import { connectionWith, hourSeconds, tokensFor } from '../support/given/accounts.ts'
import { connectedProfile, finishClip, givenAutomation, readyAutomation } from '../support/given/automations.ts'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld } from '../support/world.ts'
import { dispatchOnly } from '../workers/support/run-workers.ts'

/** The outbox rows of a workspace. */
async function waitingIn(workspaceId: string, kind: string): Promise<Row[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :outbox AND begins_with(sk, :rows)',
      ExpressionAttributeValues: { ':outbox': keys.outbox(workspaceId, '').pk, ':rows': outboxPrefix },
      ConsistentRead: true,
    }),
  )
  return (Items as Row[]).filter((row) => row.kind === kind)
}

/** Hands the wake-ups of a workspace to the dispatcher until there are none. */
async function dispatchNudges(workspaceId: string): Promise<void> {
  for (let nudges = await waitingIn(workspaceId, 'nudge'); nudges.length > 0; ) {
    for (const { sk } of nudges) await dispatchOnly(workspaceId, sk.slice(outboxPrefix.length))
    nudges = await waitingIn(workspaceId, 'nudge')
  }
}

const waitingClipOf = async (workspaceId: string, id: string) =>
  (await getVideo(workspaceId, id)).automation!.waitingClipId

describe('a clip is made ahead of its slot as soon as the missing precondition is met:', () => {
  it('a connected account wakes the automations that publish to its profile, and no others', async () => {
    const { workspaceId } = await newWorld()
    const { id: profileId } = await addProfile(workspaceId, { name: 'Studio' })
    const { id: otherId } = await addProfile(workspaceId, { name: 'Other' })
    const wish = { profileId, platforms: ['bluesky' as const] }
    const { id } = await givenAutomation({ workspaceId }, wish)
    const { id: other } = await givenAutomation({ workspaceId }, { ...wish, profileId: otherId })
    const { id: paused } = await givenAutomation({ workspaceId }, { ...wish, status: 'paused' })
    await dispatchNudges(workspaceId)
    expect(await waitingClipOf(workspaceId, id)).toBeNull()
    await storeConnectedAccount(workspaceId, profileId, 'bluesky', connectionWith(tokensFor(hourSeconds), 'studio'))
    expect(await waitingIn(workspaceId, 'nudge')).toHaveLength(1)
    await dispatchNudges(workspaceId)
    const clips = [id, other, paused].map((one) => waitingClipOf(workspaceId, one))
    expect(await Promise.all(clips)).toEqual([expect.stringMatching(/^vid_/), null, null])
  })

  it('a reconnected account: the clip that was rendered meanwhile is assigned its slot', async () => {
    const { workspaceId } = await newWorld()
    const { id, destination } = await readyAutomation({ workspaceId })
    const profileId = destination!.profileId!
    await dispatchNudges(workspaceId)
    const clipId = (await waitingClipOf(workspaceId, id))!
    for (const account of (await getProfile(workspaceId, profileId)).accounts) await markAccountExpired(account)
    await finishClip({ workspaceId }, clipId)
    await dispatchNudges(workspaceId)
    expect((await getVideo(workspaceId, clipId)).publish).toBeNull()
    await storeConnectedAccount(
      workspaceId,
      profileId,
      'bluesky',
      connectionWith(tokensFor(hourSeconds), `${profileId}-bluesky`),
    )
    await dispatchNudges(workspaceId)
    expect((await getVideo(workspaceId, clipId)).publish?.status).toBe('SCHEDULED')
  })

  it('credits that are granted, or a plan that changes', async () => {
    for (const mend of ['grant', 'plan']) {
      const world = await newWorld({ planId: 'starter' })
      const { workspaceId } = world
      await given.workspaceWith(world, { creditsBalance: 15 })
      const { id } = await readyAutomation(world)
      await given.workspaceWith(world, { creditsBalance: 5 })
      await dispatchNudges(workspaceId)
      expect(await waitingClipOf(workspaceId, id)).toBeNull()
      const workspace = await getWorkspace(workspaceId)
      if (mend === 'plan') await replacePlan(workspace, changePlan(workspace, 'pro'))
      else await commit(grantCredits(workspace, { credits: 50, unit: 'video' }, mintId('run', now()), now()))
      await dispatchNudges(workspaceId)
      expect(await waitingClipOf(workspaceId, id), mend).toMatch(/^vid_/)
    }
  })

  it('any number of waiting automations: no wake-up reconciles more than a page of them', async () => {
    const world = await newWorld({ planId: 'self-hosted' })
    const { workspaceId } = world
    const first = await readyAutomation(world)
    await dispatchNudges(workspaceId)
    const ids = [first.id, ...(await cloneVideoRows(first, 59))]
    const workspace = await getWorkspace(workspaceId)
    await commit(grantCredits(workspace, { credits: 50, unit: 'video' }, mintId('run', now()), now()))
    const [grant] = await waitingIn(workspaceId, 'nudge')
    await dispatchOnly(workspaceId, grant!.sk.slice(outboxPrefix.length))
    expect(await waitingIn(workspaceId, 'nudge')).toHaveLength(51)
    expect(await listClipIds(workspaceId, ids.at(-1)!)).toEqual([])
    await dispatchNudges(workspaceId)
    for (const id of ids) expect(await listClipIds(workspaceId, id), id).toHaveLength(1)
  })

  it('a destination that is set, a promoted video, or an idea for the blueprint', async () => {
    const world = await newWorld()
    const { workspaceId } = world
    const place = { profileId: await connectedProfile(world, ['bluesky']), platforms: ['bluesky' as const] }
    const { id } = await givenAutomation(world)
    await dispatchNudges(workspaceId)
    await commit((await decideAutomationEdit(workspaceId, id, place, now())).decision)
    await dispatchNudges(workspaceId)
    expect(await waitingClipOf(workspaceId, id)).toMatch(/^vid_/)

    const { brief } = await getVideo(workspaceId, id)
    const plain = await given.generatedVideo(world, {
      fields: { destination: place, brief: { ...brief, prompt: null, text: null } },
    })
    await commit((await decidePromotion(workspaceId, plain.id, true, now())).decision!)
    await dispatchNudges(workspaceId)
    expect(await waitingClipOf(workspaceId, plain.id)).toBeNull()
    await callApi('PATCH', `/videos/${plain.id}`, { key: world.apiKey, body: { prompt: 'An idea' } })
    await dispatchNudges(workspaceId)
    expect(await waitingClipOf(workspaceId, plain.id)).toMatch(/^vid_/)
  })
})

it('an automation that makes no clips itself assigns its slot to the first clip that its client has rendered', async () => {
  const world = await newWorld()
  const { workspaceId } = world
  const { id } = await readyAutomation(world, { autoRefill: false })
  await dispatchNudges(workspaceId)
  const clip = await given.renderedVideo(world, { fields: { parentVideoId: id } })
  await dispatchNudges(workspaceId)
  const { automation } = await getVideo(workspaceId, id)
  expect(automation!.waitingClipId).toBe(clip.id)
  const { publish } = await getVideo(workspaceId, clip.id)
  expect(publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: automation!.nextSlot!.at })
})

describe('in a workspace whose clock is ahead', () => {
  it('jobs and waiting work are due in real time', async () => {
    const world = await newWorld()
    const { workspaceId, apiKey } = world
    // Far from the slots of nine o'clock: a slot that has just passed would be filled at once.
    const ahead = `${secondsAfter(now(), 30 * 24 * 60 * 60).slice(0, 10)}T15:00:00.000Z`
    const { id } = await readyAutomation(world)
    await advanceWorkspaceClock(workspaceId, ahead)
    const soon = secondsAfter(now(), 31 * 60)
    await reconcileAutomation(workspaceId, id, null)
    const clipId = (await waitingClipOf(workspaceId, id))!
    const clip = await getVideo(workspaceId, clipId)
    expect(clip.createdAt).toBe(ahead)
    expect(clip.process!.queuedAt < soon && clip.process!.deadlineAt < soon && clip.dueAt! < soon).toBe(true)

    await finishClip(world, clipId)
    await reconcileAutomation(workspaceId, id, clipId)
    const { nextSlot } = (await getVideo(workspaceId, id)).automation!
    expect((await getVideo(workspaceId, clipId)).publish).toMatchObject({ scheduledAt: nextSlot!.at, deadlineAt: null })
    await advanceWorkspaceClock(workspaceId, nextSlot!.at)
    await reconcileAutomation(workspaceId, id, null)
    const { publish, dueAt } = await getVideo(workspaceId, clipId)
    expect(publish).toMatchObject({ status: 'QUEUED', scheduledAt: nextSlot!.at })
    expect(publish!.deadlineAt! < soon && dueAt! < soon).toBe(true)

    const made = await callApi('POST', `/automations/${id}/run`, { key: apiKey })
    const { process } = await getVideo(workspaceId, made.body.data.id)
    expect(process!.deadlineAt < soon).toBe(true)
    expect(made.body.data.process.queuedAt).toBe(process!.queuedAt)

    for (const kind of ['start', 'nudge', 'event'])
      for (const { sk, dueSk } of await waitingIn(workspaceId, kind))
        expect(String(dueSk) < soon, `${kind} ${sk}`).toBe(true)
  })

  it('a job that continues while its automation is edited or demoted is reconciled in real time', async () => {
    const world = await newWorld()
    const { workspaceId } = world
    const { id } = await readyAutomation(world)
    const queued = await callApi('POST', `/videos/${id}/render`, { key: world.apiKey })
    expect(queued.status).toBe(202)
    await advanceWorkspaceClock(workspaceId, secondsAfter(now(), 30 * 24 * 60 * 60))
    const soon = secondsAfter(now(), 120)
    const isLookedAfter = async () => (await getVideo(workspaceId, id)).dueAt! < soon
    await commit((await decideAutomationEdit(workspaceId, id, { status: 'paused' }, now())).decision)
    expect(await isLookedAfter()).toBe(true)
    for (const isWanted of [false, true]) {
      await commit((await decidePromotion(workspaceId, id, isWanted, now())).decision!)
      expect(await isLookedAfter()).toBe(true)
    }
  })
})
