/** GET /platforms. */
import { beforeAll, describe, expect } from 'vitest'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })

describe('GET /platforms', () => {
  rule('platforms.list', async () => {
    const ids = 'tiktok youtube instagram twitter facebook linkedin threads pinterest reddit bluesky'.split(' ')
    const here = await send('GET', '/platforms')
    expect(here.body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(Object.keys(here.body.data[0])).toEqual(['id', 'name', 'color'])
    expect((await callApi('GET', '/platforms', { key: (await newWorld()).apiKey })).body).toEqual(here.body)
  })
})
