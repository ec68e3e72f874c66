/** POST /videos/{id}/render. */
import { describe, expect, it } from 'vitest'
import { handler as dispatchOutbox } from '../../../functions/workers/dispatch-outbox.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { deleteOutboxRow } from '../../../lib/store/core/outbox.ts'
import { acquireRunPermit, releaseRunPermit } from '../../../lib/store/run-permits.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const newVideo = async ({ apiKey }: World): Promise<string> =>
  (await callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x' } })).body.data.id

const render = ({ apiKey }: World, id: string, headers: Record<string, string> = {}) =>
  callApi('POST', `/videos/${id}/render`, { key: apiKey, headers })

/** Runs that hold all slots of the plan `starter`. */
async function occupySlots(world: World): Promise<void> {
  const slots = 5
  for (let slot = 0; slot < slots; slot++) {
    const { runId } = (await getVideo(world.workspaceId, await newVideo(world))).process!
    await acquireRunPermit(world.workspaceId, runId, slots)
    await deleteOutboxRow(keys.outbox(world.workspaceId, runId))
  }
}

/** Requests the render of a new video, and dispatches its start. Returns the id of the video. */
async function queueRender(world: World): Promise<string> {
  const { workspaceId } = world
  const { id, process } = await given.generatedVideo(world)
  await releaseRunPermit(workspaceId, process!.runId)
  expect((await render(world, id)).status).toBe(202)
  const { pk, sk } = keys.outbox(workspaceId, (await getVideo(workspaceId, id)).render!.runId)
  await dispatchOutbox({ Records: [{ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: sk } }] })
  return id
}

const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

describe('POST /videos/{id}/render', () => {
  rule(['render.requeues', 'render.free'], async () => {
    const world = await newWorld({ planId: 'free' })
    const [generated, rendered] = [await given.generatedVideo(world), await given.renderedVideo(world)]
    const before = await accountOf(world)
    for (const { id } of [generated, rendered])
      expect(await render(world, id)).toMatchObject({
        status: 202,
        body: { data: { id, status: 'rendering', render: { status: 'QUEUED', progress: 0, error: null } } },
      })
    expect((await accountOf(world)).credits).toEqual(before.credits)
  })

  rule('render.idempotent', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const send = () => render(world, id, { 'Idempotency-Key': 'one' })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  rule('render.not-ready', async () => {
    const world = await newWorld()
    const answer = await render(world, await newVideo(world))
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'warning-source-not-ready' } } })
  })

  rule('render.in-progress', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world, { brief: { process: { render: true } } })
    expect(await render(world, id)).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
  })

  it('202: a render that waits for a slot shows its place; beyond the twentieth, that it is later', async () => {
    const world = await newWorld({ planId: 'starter' })
    await occupySlots(world)
    const first = await queueRender(world)
    for (let waiting = 0; waiting < 18; waiting++) await newVideo(world)
    const [last, later] = [await queueRender(world), await queueRender(world)]
    const shown = async (id: string) =>
      (await callApi('GET', `/videos/${id}`, { key: world.apiKey })).body.data.render.statusText
    expect(await Promise.all([first, last, later].map(shown))).toEqual([
      'Waiting for a free slot (1st)',
      'Waiting for a free slot (20th)',
      'Waiting for a free slot (21st or later)',
    ])
  })
})
