/** What the service really answers is what the OpenAPI document says it answers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { type ApiRequest, callApi, newWorld, type World } from '../support/world.ts'

let world: World
let id: string
beforeAll(async () => {
  world = await newWorld({ planId: 'free' })
  id = (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x' } })).body.data.id
})

const cases: [method: string, path: string, status: number, call: (world: World) => ApiRequest & { at?: string }][] = [
  ['GET', '/', 200, ({ apiKey }) => ({ key: apiKey })],
  ['GET', '/voices', 200, ({ apiKey }) => ({ key: apiKey })],
  ['GET', '/platforms', 200, ({ apiKey }) => ({ key: apiKey })],
  ['GET', '/videos', 200, ({ apiKey }) => ({ key: apiKey })],
  ['GET', '/videos', 400, ({ apiKey }) => ({ key: apiKey, at: '/videos?limit=101' })],
  ['GET', '/videos', 401, () => ({})],
  ['POST', '/videos', 201, ({ apiKey }) => ({ key: apiKey, body: { prompt: 'x', presenter: { name: 'Ann' } } })],
  ['POST', '/videos', 400, ({ apiKey }) => ({ key: apiKey, body: { prompt: 'x', imageStyle: 'oil' } })],
  ['POST', '/videos', 401, () => ({ body: {} })],
  ['POST', '/videos', 402, ({ apiKey }) => ({ key: apiKey, body: { prompt: 'x', videoDuration: 'medium' } })],
  ['POST', '/videos', 413, ({ apiKey }) => ({ key: apiKey, body: 'x'.repeat(256 * 1024 + 1) })],
  ['GET', '/videos/{id}', 200, ({ apiKey }) => ({ key: apiKey, at: `/videos/${id}?include=captions,bRolls,scenes` })],
  ['GET', '/videos/{id}', 401, () => ({ at: `/videos/${id}` })],
  ['GET', '/videos/{id}', 404, ({ apiKey }) => ({ key: apiKey, at: '/videos/vid_none' })],
  ['POST', '/videos/{id}/render', 401, () => ({ at: `/videos/${id}/render` })],
  ['POST', '/videos/{id}/render', 404, ({ apiKey }) => ({ key: apiKey, at: '/videos/vid_none/render' })],
  ['POST', '/videos/{id}/render', 409, ({ apiKey }) => ({ key: apiKey, at: `/videos/${id}/render` })],
]

describe('the document describes each answer', () => {
  it.each(cases)('%s %s %i', async (method, path, status, request) => {
    const { at = path, ...how } = request(world)
    const answer = await callApi(method, at, how)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expectMatchesOpenApi(method, path, status, answer.body)
  })
})
