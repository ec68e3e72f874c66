/** Warnings beside `data`: on writes and lists, repeated by a replay, absent where there is nothing to say. */
import { beforeAll, expect, inject, it } from 'vitest'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

it('201: a tolerated typing error is named beside data, and a replay repeats it', async () => {
  const request = {
    key: world.apiKey,
    body: { prompt: 'An idea', render: true },
    headers: { 'Idempotency-Key': 'with-a-typing-error' },
  }
  const first = await callApi('POST', '/videos', request)
  expect(first.status).toBe(201)
  expect(first.body.warnings).toEqual([
    { path: 'body.render', message: expect.any(String), didYouMean: 'process.render' },
  ])
  expectMatchesOpenApi('POST', '/videos', 201, first.body)
  const replay = await callApi('POST', '/videos', request)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.body).toEqual(first.body)
})

it('200: a synchronous job names it too, a replay repeats it, and one of another body has none', async () => {
  const created = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'An idea' } })
  const path = `/videos/${created.body.data.id}/description`
  const describeIt = (body: unknown) =>
    callApi('POST', path, { key: world.apiKey, body, headers: { 'Idempotency-Key': 'one' } })
  const first = await describeIt({ promt: 'Short' })
  expect(first.status).toBe(200)
  expect(first.body.warnings).toEqual([{ path: 'body.promt', message: expect.any(String), didYouMean: 'prompt' }])
  expect((await describeIt({ promt: 'Short' })).body).toEqual(first.body)
  const other = await describeIt({ prompt: 'Long' })
  expect(other.headers.get('idempotency-mismatch')).toBe('true')
  expect(other.body).toEqual({ data: first.body.data })
})

it('200: an unknown value of a filter is named beside data and paging', async () => {
  const { body } = await callApi('GET', '/videos?status=done', { key: world.apiKey })
  expect(Object.keys(body)).toEqual(['data', 'paging', 'warnings'])
  expect(body.warnings).toMatchObject([{ path: 'query.status' }])
  expectMatchesOpenApi('GET', '/videos', 200, body)
})

it('404: a path without the version names the one with it', async () => {
  const response = await fetch(new URL('/videos', inject('baseUrl')), {
    headers: { Authorization: `Bearer ${world.apiKey}` },
  })
  const { error } = (await response.json()) as { error: { message: string } }
  expect(response.status).toBe(404)
  expect(error.message).toBe('There is no /videos. Did you mean /v1/videos?')
})
