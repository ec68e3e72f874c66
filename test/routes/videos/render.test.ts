/** POST /videos/{id}/render. */
import { describe, expect } from 'vitest'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const newVideo = async ({ apiKey }: World): Promise<string> =>
  (await callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x' } })).body.data.id

const render = ({ apiKey }: World, id: string, headers: Record<string, string> = {}) =>
  callApi('POST', `/videos/${id}/render`, { key: apiKey, headers })

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
})
