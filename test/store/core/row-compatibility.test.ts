/**
 * Rows written by earlier versions stay readable and usable. Detects fields that a fresh record has and an older one
 * lacks.
 */
import { describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { syncJobResponse } from '../../../lib/domain/videos/sync-job-transitions.ts'
import { fanOutDeliveries } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { createWorkspace, monthOf } from '../../../lib/domain/workspaces/workspace.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../../lib/store/core/outbox.ts'
import { claimDelivery, findDeliveryByKey } from '../../../lib/store/deliveries.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { findSyncJob } from '../../../lib/store/sync-jobs.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWebhook, listWebhooks } from '../../../lib/store/webhooks.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { type LegacyRow, legacyVersions, legacyWorld, putRows } from '../../support/given/legacy-rows.ts'
import { callApi, newKey, videoInputOf } from '../../support/world.ts'

/** The fields that `fresh` has and `older` does not. */
const lacking = (fresh: object, older: object) =>
  Object.entries(fresh).flatMap(([name, value]) =>
    value !== undefined && (older as Record<string, unknown>)[name] === undefined ? [name] : [],
  )

const idsOf = (rows: readonly LegacyRow[], sort: string) =>
  rows.filter(({ sk }) => sk === sort).map(({ id }) => String(id))

const freshWorkspace = () =>
  createWorkspace({ id: 'wsp_x', name: 'Fresh', planId: 'scale', organizationId: null, mediaSecret: '' }, now())

const expectNumbers = async (workspaceId: string) => {
  const figures = Object.entries(await getWorkspace(workspaceId)).filter(([, value]) => typeof value === 'number')
  expect(figures.filter(([, value]) => !Number.isInteger(value))).toEqual([])
}

describe.each(legacyVersions)('the rows that %s wrote, the first with %s,', (version) => {
  it('have every field of a fresh record', async () => {
    const { workspaceId, rows } = await legacyWorld(version)
    expect(lacking(freshWorkspace(), await getWorkspace(workspaceId))).toEqual([])
    const fresh = createVideo(
      freshWorkspace(),
      videoInputOf({ prompt: 'x' }),
      { videoId: 'vid_x', runId: 'run_x' },
      now(),
    )
    for (const id of idsOf(rows, 'VIDEO')) {
      const video = await getVideo(workspaceId, id)
      expect(lacking(fresh.video, video), id).toEqual([])
      expect(lacking(fresh.video.brief, video.brief), id).toEqual([])
      expect(lacking(fresh.video.process!, video.process!), id).toEqual([])
    }
  })

  it('are shown and counted', async () => {
    const { workspaceId, apiKey: key, rows } = await legacyWorld(version)
    const { videoCounts } = await getWorkspace(workspaceId)
    const { status, body } = await callApi('GET', '/videos', { key })
    expect(status).toBe(200)
    expect(body.paging.total).toBe(Object.values(videoCounts).reduce((sum, count) => sum + count, 0))
    expect(body.data).toHaveLength(body.paging.total)
    for (const id of idsOf(rows, 'VIDEO')) {
      expect((await callApi('GET', `/videos/${id}`, { key })).status, id).toBe(200)
      expect((await callApi('GET', `/videos/${id}/clips`, { key })).status, id).toBe(200)
    }
  })

  it('can be edited, rendered, cut into clips and regenerated, and every number stays a number', async () => {
    const { workspaceId, apiKey: key, rows } = await legacyWorld(version)
    const { generationsUsed } = await getWorkspace(workspaceId)
    const id = String(rows.find(({ sk, status }) => sk === 'VIDEO' && status === 'ready')!.id)
    const statuses = [
      await callApi('PATCH', `/videos/${id}`, { key, body: { title: 'Another name' } }),
      await callApi('PATCH', `/videos/${id}/config`, { key, body: { captionsAnimation: 'popIn' } }),
      await callApi('POST', `/videos/${id}/render`, { key }),
      await callApi('POST', `/videos/${id}/clips`, { key, body: {} }),
      await callApi('POST', '/videos', { key, body: { prompt: 'Tea' } }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 202, 201, 201])
    expect((await getWorkspace(workspaceId)).generationsUsed).toBe(generationsUsed + 1)
    await expectNumbers(workspaceId)
  })

  it('can be deleted, with all bytes refunded', async () => {
    const { workspaceId, apiKey: key, rows } = await legacyWorld(version)
    for (const { id, parentVideoId } of rows.filter(({ sk }) => sk === 'VIDEO'))
      if (!parentVideoId) expect((await callApi('DELETE', `/videos/${id}`, { key })).status).toBe(200)
    const { storageUsedBytes, videoCounts } = await getWorkspace(workspaceId)
    expect(storageUsedBytes).toBe(0)
    expect(new Set(Object.values(videoCounts))).toEqual(new Set([0]))
  })

  it('replay the stored response for a repeated request', async () => {
    const { apiKey: key, rows } = await legacyWorld(version)
    const body = { text: 'Cats knead blankets. They learned it as kittens.', process: { render: true } }
    const headers = { 'Idempotency-Key': 'older-key' }
    const repeated = await callApi('POST', '/videos', { key, body, headers, isStoredEarlier: true })
    expect(repeated.status).toBe(201)
    expect(idsOf(rows, 'VIDEO')).toContain(repeated.body.data.id)
  })

  it('emit their events, each with a sequence number', async () => {
    const { workspaceId, rows } = await legacyWorld(version)
    const [row] = rows.filter(({ sk }) => sk.startsWith('OUT#'))
    expect(await findOutboxRow(row!)).toMatchObject({ sequence: expect.any(Number) })
    expect(await listEvents(workspaceId)).toMatchObject([{ sequence: expect.any(Number) }])
  })
})

describe('a sync job of an earlier version', () => {
  it('still has its result', async () => {
    const { workspaceId, rows } = await legacyWorld('4b75c1c')
    const { videoId } = rows.find(({ sk }) => sk.startsWith('ACTION#'))!
    const place = { workspaceId, videoId: String(videoId), kind: 'description', target: '' } as const
    expect(syncJobResponse((await findSyncJob(place))!)).toMatchObject({ videoId, description: expect.any(String) })
  })
})

describe.each(['d1c535a', '2679a5f'])('the endpoints and deliveries of %s', (version) => {
  it('have every field of fresh ones', async () => {
    const { workspaceId, apiKey: key, rows } = await legacyWorld(version)
    const { id: event, createdAt } = { id: 'evt_x', createdAt: now() }
    const body = { url: 'http://127.0.0.1:50321/fresh', events: ['video.created'] }
    const made = await callApi('POST', '/webhooks', { key, body })
    const fresh = await getWebhook(workspaceId, made.body.data.id)
    for (const webhook of await listWebhooks(workspaceId)) expect(lacking(fresh, webhook)).toEqual([])
    const [queued] = fanOutDeliveries({ id: event, type: 'video.created', createdAt }, '{}', [fresh])
    for (const id of idsOf(rows, 'DELIVERY'))
      expect(lacking(queued!, (await findDeliveryByKey(keys.delivery(workspaceId, id)))!)).toEqual([])
  })

  it('can be shown, claimed, resent and toggled', async () => {
    const { workspaceId, apiKey: key, rows } = await legacyWorld(version)
    const { id, attempts } = rows.find(({ sk }) => sk === 'DELIVERY')!
    expect(await claimDelivery(workspaceId, String(id), Number(attempts), now())).toMatchObject({
      claims: expect.any(Number),
    })
    const listed = await callApi('GET', '/webhooks/deliveries', { key, isStoredEarlier: true })
    expect(listed.body.paging.total).toBeGreaterThan(0)
    const [{ id: webhookId }] = (await callApi('GET', '/webhooks', { key })).body.data
    expect((await callApi('PATCH', `/webhooks/${webhookId}`, { key, body: { enabled: true } })).status).toBe(200)
    const resent = await callApi('POST', `/webhooks/deliveries/${id}/resend`, { key, isStoredEarlier: true })
    expect(resent.status).toBe(201)
    await expectNumbers(workspaceId)
  })
})

describe('the workspace of the first version', () => {
  /**
   * As `createWorkspace` and `putWorkspace` wrote it in a932329: without a credit month and without reserved credits.
   */
  async function firstWorkspace(month: string) {
    const id = mintId('wsp', now())
    const counters = {
      avatarCreditsBalance: 0,
      storageUsedBytes: 0,
      automationsUsed: 0,
      webhooksUsed: 0,
      apiKeysUsed: 0,
    }
    const credits = { creditsBalance: 200, creditsGranted: 200, creditsUsed: 0 }
    const row = {
      ...{ ...keys.workspace(id), listPk: 'WORKSPACES', listSk: `2026-11-01T00:00:00.000Z#${id}` },
      ...{ id, name: 'First', organizationId: null, planId: 'free', createdAt: '2026-11-01T00:00:00.000Z' },
      ...{ ...credits, ...counters, generationsMonth: month, generationsUsed: 0, videoCounts: {} },
      mediaSecret: '0'.repeat(32),
    }
    await putRows([row])
    return { workspaceId: id, ...(await newKey(id)) }
  }

  it('can be charged, and its reserved credits count from 0', async () => {
    const { workspaceId, apiKey: key } = await firstWorkspace(monthOf(now()))
    for (const _ of [1, 2])
      expect((await callApi('POST', '/videos', { key, body: { prompt: 'Tea' } })).status).toBe(201)
    const { creditsBalance, creditsReserved, month } = await getWorkspace(workspaceId)
    expect([creditsBalance + creditsReserved, month]).toEqual([200, monthOf(now())])
    expect(creditsReserved).toBeGreaterThan(0)
  })

  it('starts a new month', async () => {
    const { workspaceId, apiKey: key } = await firstWorkspace('2026-01')
    expect((await callApi('POST', '/videos', { key, body: { prompt: 'Tea' } })).status).toBe(201)
    expect(await getWorkspace(workspaceId)).toMatchObject({ month: monthOf(now()), generationsUsed: 1 })
    await expectNumbers(workspaceId)
  })

  it('accepts webhooks up to the limit', async () => {
    const { workspaceId, apiKey: key } = await firstWorkspace(monthOf(now()))
    const body = { url: 'http://127.0.0.1:50321/first', events: ['video.created'] }
    expect((await callApi('POST', '/webhooks', { key, body })).status).toBe(201)
    expect((await getWorkspace(workspaceId)).webhooksUsed).toBe(1)
  })
})
