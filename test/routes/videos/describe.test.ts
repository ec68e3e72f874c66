/** POST /videos/{id}/description. */
import { beforeAll, describe, expect } from 'vitest'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld({ planId: 'starter' })
})
const newVideo = async (): Promise<string> =>
  (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'Why cats knead blankets' } })).body.data.id
const describeIt = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi('POST', `/videos/${id}/description`, { key: world.apiKey, body, headers })
const briefOf = async (id: string) => (await callApi('GET', `/videos/${id}`, { key: world.apiKey })).body.data.brief
const creditsOf = async () => (await callApi('GET', '/', { key: world.apiKey })).body.data.credits

describe('POST /videos/{id}/description', () => {
  rule(['description.answer', 'description.stored'], async () => {
    const id = await newVideo()
    const { status, body } = await describeIt(id)
    expect(status).toBe(200)
    expect(body).toEqual({ data: { videoId: id, description: expect.stringMatching(/\S/) } })
    expect(await briefOf(id)).toMatchObject({ description: body.data.description })
  })

  rule('description.prompt', async () => {
    const id = await newVideo()
    const asked = await describeIt(id, { prompt: 'Name the city of Lisbon' })
    expect(await briefOf(id)).toMatchObject({ descriptionPrompt: 'Name the city of Lisbon' })
    const again = await describeIt(id, {})
    expect(await briefOf(id)).toMatchObject({ descriptionPrompt: 'Name the city of Lisbon' })
    expect(again.body).toEqual(asked.body)
  })

  rule('description.price', async () => {
    const id = await newVideo()
    const before = await creditsOf()
    await describeIt(id)
    expect(await creditsOf()).toMatchObject({ balance: before.balance - 10, used: before.used + 10 })
  })

  rule('description.idempotent', async () => {
    const id = await newVideo()
    const first = await describeIt(id, {}, { 'Idempotency-Key': 'one' })
    const before = await creditsOf()
    const again = await describeIt(id, {}, { 'Idempotency-Key': 'one' })
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
    expect(await creditsOf()).toEqual(before)
  })
})
