/** Events: when each is emitted, and the envelope and headers with which it is posted. */
import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { exampleEventEnvelopes } from '../../../lib/contract/openapi/examples/index.ts'
import { eventEnvelopes } from '../../../lib/contract/resources/events.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import { failJob, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { given } from '../../support/given/videos.ts'
import { givenWebhook } from '../../support/given/webhooks.ts'
import { startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'
import { commitVideoEvent, dispatchAll, onlyDelivery } from '../../workers/support/run-workers.ts'
import { rule } from '../rules/rule.ts'

let receiver: TestReceiver
beforeAll(async () => {
  receiver = await startTestReceiver()
})
afterAll(() => receiver.stop())

const typesOf = async ({ workspaceId }: World) => (await listEvents(workspaceId)).map(({ type }) => type)

/** An event in a new workspace, with what its one subscriber received. */
async function posted() {
  const world = await newWorld()
  const path = `/${world.workspaceId}`
  const { secret } = await givenWebhook(world, { url: `${receiver.url}${path}` })
  const event = await commitVideoEvent(world.workspaceId)
  const [told] = await listEvents(world.workspaceId)
  await dispatchAll(world.workspaceId)
  const delivery = await onlyDelivery(world.workspaceId)
  await attemptDelivery({ workspaceId: world.workspaceId, deliveryId: delivery.id, attempt: 0, isReserved: true })
  const posts = receiver.posts.filter((post) => post.path === path)
  expect(posts).toHaveLength(1)
  return { ...posts[0]!, world, secret, event, told: told!, delivery }
}

describe('what is posted', () => {
  rule(['webhooks.deliver.post', 'events.envelope', 'events.created-at'], async () => {
    const { body, headers, world, event, told } = await posted()
    expect(headers['content-type']).toBe('application/json')
    const { data, ...envelope } = JSON.parse(body.toString())
    expect(envelope).toEqual({
      event: 'video.created',
      workspaceId: world.workspaceId,
      createdAt: event.createdAt,
      sequence: told.sequence,
    })
    expect(data).toMatchObject({ video: { process: { status: 'QUEUED' } } })
  })

  rule(['events.header.event', 'events.header.delivery', 'events.header.signature'], async () => {
    const { body, headers, secret, delivery } = await posted()
    expect(headers).toMatchObject({
      'x-service-event': 'video.created',
      'x-service-delivery': delivery.id,
      'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    })
  })

  rule('events.header.standard', async () => {
    const { body, headers, secret, delivery } = await posted()
    expect(headers['webhook-id']).toBe(delivery.id)
    const verified = new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)
    expect(verified).toEqual(JSON.parse(body.toString()))
  })

  rule('events.sequence', async () => {
    const world = await newWorld()
    for (let count = 0; count < 5; count++) await commitVideoEvent(world.workspaceId)
    const numbers = (await listEvents(world.workspaceId)).map(({ sequence }) => sequence)
    expect(new Set(numbers).size).toBe(5)
    const times = (await listEvents(world.workspaceId)).map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
  })

  rule('events.data', () => {
    const examples = exampleEventEnvelopes()
    const keysOf = (type: keyof typeof examples) => Object.keys(eventEnvelopes[type].entries.data.entries)
    for (const type of eventTypes) expect(Object.keys(examples[type].data)).toEqual(keysOf(type))
    expect(Object.fromEntries(eventTypes.map((type) => [type, keysOf(type).join(' ')]))).toEqual({
      'video.created': 'video',
      'video.generation_completed': 'video',
      'video.generation_failed': 'video error',
      'video.render_completed': 'video',
      'video.render_failed': 'video error',
      'video.scheduled': 'video scheduledAt platforms',
      'video.published': 'video platforms',
      'video.publish_failed': 'video error',
      'automation.clip_created': 'automation video',
      'automation.blocked': 'automation blockers',
      'automation.stopped': 'automation reason kind',
    })
  })

  rule('events.subscribable', async () => {
    const { apiKey } = await newWorld()
    const subscribe = (events: string[]) =>
      callApi('POST', '/webhooks', { key: apiKey, body: { url: 'https://example.com/hook', events } })
    expect((await subscribe([...eventTypes])).body.data.events).toEqual(eventTypes)
    expect(await subscribe(['webhook.test'])).toMatchObject({
      status: 400,
      body: { error: { code: 'warning-invalid-events', validEvents: eventTypes } },
    })
    expect(eventTypes).toHaveLength(11)
  })
})

describe('an event is emitted', () => {
  rule('events.video.created', async () => {
    const world = await newWorld()
    const send = (path: string, body: object) => callApi('POST', path, { key: world.apiKey, body })
    const { id } = await given.generatedVideo(world)
    await send('/videos', { prompt: 'An idea', subType: 'presentation' })
    await send(`/videos/${id}/clips`, {})
    const film = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(8)])
    const { data } = (await send('/uploads', { fileName: 'a.mp4', contentType: 'video/mp4', bytes: film.length })).body
    await fetch(data.uploadUrl, { method: 'PUT', headers: data.headers, body: film })
    await callApi('GET', `/uploads/${data.id}`, { key: world.apiKey })
    expect((await typesOf(world)).filter((type) => type === 'video.created')).toHaveLength(4)
  })

  rule('events.video.generation-completed', async () => {
    const world = await newWorld()
    await given.generatedVideo(world)
    expect(await typesOf(world)).toEqual(['video.created', 'video.generation_completed'])
  })

  rule('events.video.generation-failed', async () => {
    const world = await newWorld()
    const { body } = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x' } })
    await failGeneration(world, body.data.id)
    expect(await typesOf(world)).toEqual(['video.created', 'video.generation_failed'])
  })

  rule('events.video.render-completed', async () => {
    const world = await newWorld()
    await given.renderedVideo(world)
    expect((await typesOf(world)).slice(2)).toEqual(['video.render_completed'])
  })

  rule('events.video.render-failed', async () => {
    const world = await newWorld()
    const { workspaceId } = world
    const { id: videoId } = await given.generatedVideo(world)
    const [workspace, runId] = [await getWorkspace(workspaceId), mintId('run', now())]
    const late = { code: 'timeout' as const, message: 'Late.', blocked: false }
    await changeVideo({ workspaceId, videoId }, (video) => requestRender(workspace, video, runId, now()))
    await changeVideo({ workspaceId, videoId }, (video) => failJob(video, 'render', runId, late, now()))
    expect((await typesOf(world)).slice(2)).toEqual(['video.render_failed'])
  })
})
