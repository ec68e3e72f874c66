import { beforeAll, describe, expect, it } from 'vitest'
import { listEvents } from '../../lib/store/core/outbox.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const create = (body: unknown, headers: Record<string, string> = {}, key = world.apiKey) =>
  callApi('POST', '/videos', { key, body, headers })

describe('POST /videos', () => {
  it('201: queues a generation and answers the whole video with an empty config', async () => {
    const { status, body } = await create({ prompt: 'An idea', mood: 'energetic', process: { render: true } })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      type: 'faceless',
      status: 'processing',
      process: { status: 'QUEUED', progress: 0, error: null },
      render: null,
      publish: null,
      config: {},
      mood: 'energetic',
      brief: {
        prompt: 'An idea',
        inputMode: 'auto',
        videoDuration: 'subminute',
        aspectRatio: '9:16',
        language: 'en',
        imageStyle: 'mixed',
      },
    })
  })

  it('201: a video that was read can be posted back', async () => {
    const first = await create({ prompt: 'An idea', title: 'My title' })
    const read = await callApi('GET', `/videos/${first.body.data.id}?include=captions,bRolls`, { key: world.apiKey })
    const second = await create(read.body.data)
    expect(second.status).toBe(201)
    expect(second.body.data.brief).toEqual(first.body.data.brief)
    expect(second.body.data.title).toBe('My title')
    expect(second.body.data.id).not.toBe(first.body.data.id)
  })

  it('400: names the path and the allowed values, and stores nothing', async () => {
    const fresh = await newWorld()
    const bad: [unknown, string][] = [
      [{}, 'body.prompt'],
      [{ prompt: '   ' }, 'body.prompt'],
      [{ prompt: 5 }, 'body.prompt'],
      [{ prompt: 'x', imageStyle: 'oil' }, 'body.imageStyle'],
      [{ brief: { prompt: 'x', presenter: { occurrences: 0 } } }, 'body.brief.presenter.occurrences'],
      [{ prompt: 'x', presentationAssets: [{ type: 'image', url: 'ftp://a/b' }] }, 'body.presentationAssets.0.url'],
      [{ prompt: 'x', isAutomation: true }, 'body.isAutomation'],
      [{ prompt: 'x', voiceId: 'nobody' }, 'body.voiceId'],
      [{ prompt: 'x', voiceId: 'en-clara', voiceProvider: 'expressive' }, 'body.voiceProvider'],
      [{ prompt: 'x', type: 'video' }, 'body.type'],
      [{ prompt: 'x', inputMode: 'script' }, 'body.text'],
      [{ prompt: 'x', process: { render: 'yes' } }, 'body.process.render'],
      ['{"prompt": ', 'body'],
      ['[]', 'body'],
      ['"text"', 'body'],
      ['{"prompt": "half a character: \\ud83d"}', 'body.prompt'],
      ['{"prompt": "x", "unknown": [{"\\ude00": 1}]}', 'body.unknown.0'],
      ['null', 'body'],
    ]
    for (const [body, path] of bad) {
      const answer = await create(body, {}, fresh.apiKey)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.error.code).toBe('invalid-request')
      expect(answer.body.error.details[0].path, JSON.stringify(body)).toBe(path)
    }
    const style = await create({ prompt: 'x', imageStyle: 'oil' }, {}, fresh.apiKey)
    expect(style.body.error.details[0].allowed).toEqual(['stock_footage', 'ai_image', 'mixed'])
    expect(await callApi('GET', '/videos', { key: fresh.apiKey })).toMatchObject({
      body: { data: [], paging: { total: 0 } },
    })
    expect(await listEvents(fresh.workspaceId)).toEqual([])
  })

  it('201: depth, `__proto__` and whole surrogate pairs are nothing special', async () => {
    const deep = `{"prompt": "x", "unknown": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "title": "\\ud83d\\ude00"}`
    expect(await create(deep)).toMatchObject({ status: 201, body: { data: { title: '😀' } } })
    expect(await create('{"prompt": "x", "__proto__": {"text": "y"}}')).toMatchObject({
      status: 201,
      body: { data: { brief: { text: null } } },
    })
  })

  it('413: a body over 256 KB is refused, one of exactly 256 KB is taken', async () => {
    const body = (bytes: number) => {
      const frame = JSON.stringify({ prompt: 'x', unknown: '' })
      return JSON.stringify({ prompt: 'x', unknown: 'a'.repeat(bytes - frame.length) })
    }
    expect(await create(body(256 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload-too-large' } },
    })
    expect(await create(body(256 * 1024))).toMatchObject({ status: 201 })
  })

  it('402: each plan limit has its own code and what to do about it', async () => {
    const free = await newWorld({ planId: 'free' })
    const long = await create({ prompt: 'x', videoDuration: 'short' }, {}, free.apiKey)
    expect(long).toMatchObject({
      status: 402,
      body: { error: { code: 'warning-plan-duration', action: 'upgrade', blocked: true } },
    })
    for (let made = 0; made < 10; made++)
      expect(await create({ prompt: 'x' }, {}, free.apiKey)).toMatchObject({ status: 201 })
    const eleventh = await create({ prompt: 'x' }, {}, free.apiKey)
    expect(eleventh).toMatchObject({ status: 402, body: { error: { code: 'warning-plan-generations' } } })
    const account = await callApi('GET', '/', { key: free.apiKey })
    expect(account.body.data.limits.generations).toMatchObject({ used: 10, limit: 10 })
    expect(account.body.data.credits.balance).toBe(100)
  })
})

describe('texts of a brief', () => {
  const longest: [string, number][] = [
    ['prompt', 4_000],
    ['text', 12_000],
    ['title', 200],
    ['description', 2_000],
  ]
  it.each(longest)('%s may be %i characters long and not one more', async (name, length) => {
    const body = (count: number) => ({ prompt: 'x', [name]: 'a'.repeat(count) })
    expect(await create(body(length))).toMatchObject({ status: 201 })
    const refused = await create(body(length + 1))
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: `body.${name}` }] } } })
  })

  it('201: a title whose 255th place is in the middle of a character, and the largest brief with a key', async () => {
    const url = `https://a.test/${'a'.repeat(2_030)}`
    const assets = Array.from({ length: 50 }, () => ({ type: 'image', url, description: '😀'.repeat(400) }))
    const text = '文'.repeat(12_000)
    const answer = await create(
      { title: '😀'.repeat(100), text, presentationAssets: assets },
      { 'Idempotency-Key': 'largest' },
    )
    expect(answer).toMatchObject({ status: 201 })
  })
})

describe('Idempotency-Key', () => {
  it('replays the first answer, tells so, and makes one video', async () => {
    const fresh = await newWorld()
    const key = { 'Idempotency-Key': 'a'.repeat(255) }
    const first = await create({ prompt: 'x' }, key, fresh.apiKey)
    const again = await create({ prompt: 'x' }, key, fresh.apiKey)
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).toBeTruthy()
    const other = await create({ prompt: 'y' }, key, fresh.apiKey)
    expect(other.body).toEqual(first.body)
    expect(other.headers.get('idempotency-mismatch')).toBe('true')
    expect(await callApi('GET', '/videos', { key: fresh.apiKey })).toMatchObject({ body: { paging: { total: 1 } } })
  })

  it('a twin that comes while the first uses the last of a limit gets the answer of the first', async () => {
    const free = await newWorld({ planId: 'free' })
    for (let made = 0; made < 9; made++) await create({ prompt: 'x' }, {}, free.apiKey)
    const twins = Array.from({ length: 12 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, 3 * index))
      return create({ prompt: 'last' }, { 'Idempotency-Key': 'last' }, free.apiKey)
    })
    const answers = await Promise.all(twins)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  })

  it('400: an empty or overlong key', async () => {
    for (const key of ['', 'a'.repeat(256)])
      expect(await create({ prompt: 'x' }, { 'Idempotency-Key': key })).toMatchObject({ status: 400 })
  })

  it('the same key in another workspace, or on another path, is another key', async () => {
    const other = await newWorld()
    const headers = { 'Idempotency-Key': 'shared' }
    const first = await create({ prompt: 'x' }, headers)
    const second = await create({ prompt: 'x' }, headers, other.apiKey)
    expect(second.body.data.id).not.toBe(first.body.data.id)
    const render = await callApi('POST', `/videos/${first.body.data.id}/render`, { key: world.apiKey, headers })
    expect(render.headers.has('idempotent-replayed')).toBe(false)
  })

  it('a refusal is not kept: the same key may succeed later', async () => {
    const headers = { 'Idempotency-Key': 'refused' }
    expect(await create({}, headers)).toMatchObject({ status: 400 })
    expect(await create({ prompt: 'x' }, headers)).toMatchObject({ status: 201 })
  })
})

describe('GET /videos', () => {
  it('pages newest first with a true total, and filters by type, subType, status and title', async () => {
    const fresh = await newWorld()
    for (let index = 0; index < 7; index++)
      await create({ prompt: 'x', title: `Film ${index}`, subType: index % 2 ? 'odd' : 'even' }, {}, fresh.apiKey)
    const list = async (query: string) => (await callApi('GET', `/videos?${query}`, { key: fresh.apiKey })).body
    const all = await list('limit=100')
    expect(all.paging).toEqual({ limit: 100, offset: 0, total: 7 })
    const pages = [await list('limit=3'), await list('limit=3&offset=3'), await list('limit=3&offset=6')]
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))).size).toBe(7)
    expect(pages[2].data).toHaveLength(1)
    expect((await list('subType=odd')).paging.total).toBe(3)
    expect((await list('search=FILM%203')).data.map(({ title }: { title: string }) => title)).toEqual(['Film 3'])
    expect((await list('type=ai')).paging.total).toBe(0)
    expect((await list('type=faceless')).paging.total).toBe(7)
    expect((await list('type=cinema&status=lost')).paging.total).toBe(7)
  })

  it('finds the few among the many, and nothing behind the end', async () => {
    const fresh = await newWorld()
    for (let index = 0; index < 3; index++)
      await create({ prompt: 'x', type: index ? 'faceless' : 'ai' }, {}, fresh.apiKey)
    const list = async (query: string) => (await callApi('GET', `/videos?${query}`, { key: fresh.apiKey })).body
    expect(await list('type=ai&limit=1')).toMatchObject({ data: [{ type: 'ai' }], paging: { total: 1 } })
    expect(await list('status=failed&limit=1')).toMatchObject({ data: [], paging: { total: 0 } })
    expect(await list('offset=9007199254740991')).toMatchObject({ data: [], paging: { total: 3 } })
  })

  it('a list item hides config, heavy arrays, presentation assets and presenter, and tells its status', async () => {
    await create({ prompt: 'x' })
    const { body } = await callApi('GET', '/videos?include=captions', { key: world.apiKey })
    expect(body.data[0]).toHaveProperty('status')
    for (const hidden of ['config', 'captions']) expect(body.data[0]).not.toHaveProperty(hidden)
    for (const hidden of ['presentationAssets', 'presenter']) expect(body.data[0].brief).not.toHaveProperty(hidden)
  })

  it('400 at exactly one over each limit', async () => {
    const status = async (query: string) => (await callApi('GET', `/videos?${query}`, { key: world.apiKey })).status
    const cases: [string, number][] = [
      ['limit=1', 200],
      ['limit=0', 400],
      ['limit=100', 200],
      ['limit=101', 400],
      ['limit=1.5', 400],
      ['limit=', 400],
      ['offset=0', 200],
      ['offset=-1', 400],
      [`subType=${'a'.repeat(40)}`, 200],
      [`subType=${'a'.repeat(41)}`, 400],
      [`search=${'a'.repeat(100)}`, 200],
      [`search=${'a'.repeat(101)}`, 400],
    ]
    for (const [query, wanted] of cases) expect(await status(query), query).toBe(wanted)
  })
})

describe('POST /videos/{id}/render', () => {
  it('409 while the generation is under way', async () => {
    const { body } = await create({ prompt: 'x' })
    const refused = await callApi('POST', `/videos/${body.data.id}/render`, { key: world.apiKey })
    expect(refused.status).toBe(409)
    expect(['job-in-progress', 'warning-source-not-ready']).toContain(refused.body.error.code)
  })
})

describe('GET /', () => {
  it('answers with and without the slash at the end', async () => {
    for (const path of ['', '/'])
      expect(await callApi('GET', path, { key: world.apiKey })).toMatchObject({ status: 200 })
  })
})

describe('static lists', () => {
  it('GET /platforms names the ten platforms', async () => {
    const { body } = await callApi('GET', '/platforms', { key: world.apiKey })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      'tiktok',
      'youtube',
      'instagram',
      'twitter',
      'facebook',
      'linkedin',
      'threads',
      'pinterest',
      'reddit',
      'bluesky',
    ])
  })

  it('GET /voices filters by language and provider', async () => {
    const { body } = await callApi('GET', '/voices?language=fr', { key: world.apiKey })
    expect(body.data.length).toBeGreaterThan(1)
    expect(body.data.every((voice: { language: string }) => voice.language === 'fr')).toBe(true)
    expect((await callApi('GET', '/voices?provider=unheard', { key: world.apiKey })).body.data).toEqual([])
  })
})
