import { describe, expect, it } from 'vitest'
import { callApi, newWorld } from '../../support/world.ts'

describe('DELETE /videos/{id}', () => {
  it('200: the video is gone at once, and a second call finds nothing', async () => {
    const { apiKey: key } = await newWorld({ planId: 'free' })
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'An idea' } })
    const path = `/videos/${body.data.id}`
    expect(await callApi('DELETE', path, { key })).toMatchObject({
      status: 200,
      body: { data: { ok: true, deletedClips: 0, deletedBytes: 0 } },
    })
    expect((await callApi('GET', path, { key })).status).toBe(404)
    expect((await callApi('DELETE', path, { key })).status).toBe(404)
    expect((await callApi('GET', '/videos', { key })).body.paging.total).toBe(0)
  })

  it('200: releases what was reserved for a generation that it ends', async () => {
    const { apiKey: key } = await newWorld({ planId: 'free' })
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'An idea' } })
    await callApi('DELETE', `/videos/${body.data.id}`, { key })
    expect((await callApi('GET', '/', { key })).body.data.credits).toMatchObject({ balance: 200, used: 0 })
  })
})
