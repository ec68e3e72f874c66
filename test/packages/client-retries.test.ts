/** Retries of the npm client on a network that fails in every way. */
import { describe, expect, it, vi } from 'vitest'
import { ReelsmithError } from '../../packages/client/index.js'
import {
  createdResponse,
  createOfflineClient,
  errorResponse,
  jsonResponse,
  networkError,
  type Reply,
  sampleCalls,
  videoId,
} from './offline-client.ts'

describe('idempotency keys', () => {
  it('are new for each call and the same on each of its attempts', async () => {
    const { client, sent } = createOfflineClient([networkError(), errorResponse(503, 'unavailable'), createdResponse])
    await sampleCalls.keyed(client)
    await sampleCalls.keyed(client)
    const keys = sent.map(({ headers }) => headers['Idempotency-Key'])
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(new Set(keys).size).toBe(2)
  })

  it('may be set by the caller', async () => {
    const { client, sent } = createOfflineClient([networkError(), createdResponse])
    await client.videos.create({ prompt: 'x' }, { idempotencyKey: 'mine' })
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['mine', 'mine'])
  })
})

it('a key that was used with another body is an error, not the response of that request', async () => {
  const first = jsonResponse(201, { data: { id: videoId } }, { 'Idempotency-Mismatch': 'true' })
  const { client, sent } = createOfflineClient([first])
  const call = client.videos.create({ prompt: 'Something else' }, { idempotencyKey: 'mine' })
  await expect(call).rejects.toMatchObject({ code: 'idempotency-mismatch', status: 201 })
  expect(sent).toHaveLength(1)
})

describe('a call is retried', () => {
  const again: [name: string, reply: Reply, (keyof typeof sampleCalls)[]][] = [
    ['no response', networkError(), ['keyed', 'reading']],
    ['500', errorResponse(500, 'internal-error'), ['keyed', 'reading']],
    ['502 of somebody on the way', new Response('<html>', { status: 502 }), ['keyed', 'reading']],
    ['503 without a time', jsonResponse(503, { message: 'Service Unavailable' }), ['keyed', 'reading']],
    ['504', jsonResponse(504, { message: 'Endpoint request timed out' }), ['keyed', 'reading']],
    ['429', jsonResponse(429, { message: 'Too Many Requests' }), ['keyed', 'reading', 'neither']],
    ['503 with a time', errorResponse(503, 'unavailable', { 'Retry-After': '1' }), ['keyed', 'reading', 'neither']],
    ['a twin at work', errorResponse(409, 'idempotency-in-progress'), ['keyed', 'reading', 'neither']],
    ['another 409', errorResponse(409, 'job-in-progress'), []],
    ['400', errorResponse(400, 'invalid-request'), []],
    ['402', errorResponse(402, 'warning-no-credits'), []],
    ['404', errorResponse(404, 'not-found'), []],
    ['503 with a time too far away', errorResponse(503, 'unavailable', { 'Retry-After': '3600' }), []],
  ]
  const cases = again.flatMap(([name, reply, who]) =>
    (Object.keys(sampleCalls) as (keyof typeof sampleCalls)[]).map(
      (call) => [name, call, who.includes(call), reply] as const,
    ),
  )

  it.each(cases)('after "%s", %s: %s', async (_name, call, isAgain, reply) => {
    const { client, sent } = createOfflineClient([reply, createdResponse])
    if (isAgain) await expect(sampleCalls[call](client)).resolves.toEqual({ id: videoId })
    else await expect(sampleCalls[call](client)).rejects.toThrow(Error)
    expect(sent).toHaveLength(isAgain ? 2 : 1)
  })

  it.each([0, 0.5, 0.999])('at most five times, with exponential backoff and full jitter: %d of it', async (jitter) => {
    vi.spyOn(Math, 'random').mockReturnValue(jitter)
    try {
      const { client, sent, slept } = createOfflineClient([networkError()])
      await expect(sampleCalls.reading(client)).rejects.toMatchObject({
        name: 'ReelsmithError',
        code: 'network-error',
        status: 0,
        message: 'https://api.test/v1 did not respond: fetch failed',
        cause: networkError(),
      })
      expect(sent).toHaveLength(5)
      expect(slept).toEqual([500, 1_000, 2_000, 4_000].map((milliseconds) => jitter * milliseconds))
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('no more often than the caller allows', async () => {
    const { client, sent } = createOfflineClient([networkError()], { attemptsMax: 1 })
    await expect(sampleCalls.reading(client)).rejects.toMatchObject({ code: 'network-error' })
    expect(sent).toHaveLength(1)
  })

  it('not before Retry-After', async () => {
    const { client, slept } = createOfflineClient([
      errorResponse(503, 'unavailable', { 'Retry-After': '7' }),
      createdResponse,
    ])
    await sampleCalls.neither(client)
    expect(slept).toEqual([7_000])
  })

  it('never after the caller aborted', async () => {
    const stop = new AbortController()
    const { client, sent } = createOfflineClient([
      () => {
        stop.abort(new Error('enough'))
        return networkError()
      },
    ])
    await expect(client.videos.get(videoId, {}, { signal: stop.signal })).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  it('and a pause ends when the caller aborts', async () => {
    const stop = new AbortController()
    const { client } = createOfflineClient([errorResponse(503, 'unavailable', { 'Retry-After': '50' })], {
      sleep: undefined,
    })
    const call = client.videos.get(videoId, {}, { signal: stop.signal })
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(call).rejects.toThrow('enough')
  })
})

describe('an error', () => {
  it('contains the whole error body and the time of Retry-After', async () => {
    const blockers = [{ id: 'no-profile', label: 'No profile' }]
    const extras = { action: 'connect', blockers, validEvents: ['video.created'] }
    const { client } = createOfflineClient([
      errorResponse(409, 'warning-publish-not-configured', { 'Retry-After': '9' }, extras),
    ])
    await expect(sampleCalls.keyed(client)).rejects.toMatchObject({
      name: 'ReelsmithError',
      status: 409,
      code: 'warning-publish-not-configured',
      message: 'No.',
      requestId: 'req_1',
      retryAfterMs: 9_000,
      ...extras,
    })
  })

  it.each([
    ['a page of somebody on the way', new Response('<html>', { status: 403 }), 403],
    ['an answer that is no JSON', new Response('OK', { status: 200 }), 200],
    ['an answer of another service', jsonResponse(200, { hello: 1 }), 200],
    ['null', jsonResponse(404, null), 404],
  ])('describes a response that is %s', async (_name, reply, status) => {
    const { client } = createOfflineClient([reply])
    await expect(sampleCalls.reading(client)).rejects.toMatchObject({ status, code: 'unreadable-answer' })
  })
})

describe('waitFor', () => {
  const videoAt = (status: string, process: object | null = null) =>
    jsonResponse(200, { data: { id: videoId, status, process } })

  it('polls in growing intervals until the video is ready', async () => {
    const { client, slept } = createOfflineClient([
      ...Array.from({ length: 12 }, () => videoAt('processing')),
      videoAt('ready'),
    ])
    expect(await client.waitFor(videoId)).toMatchObject({ status: 'ready' })
    expect(slept.slice(0, 3)).toEqual([500, 750, 1125])
    expect(slept).toEqual(slept.toSorted((a, b) => a - b))
    expect(Math.max(...slept)).toBe(10_000)
  })

  it('polls within the bounds of the caller', async () => {
    const replies = [...Array.from({ length: 5 }, () => videoAt('processing')), videoAt('ready')]
    const { client, slept } = createOfflineClient(replies)
    await client.waitFor(videoId, { minIntervalMs: 100, maxIntervalMs: 200 })
    expect(slept).toEqual([100, 150, 200, 200, 200])
  })

  it('ends when the caller aborts', async () => {
    const stop = new AbortController()
    const { client } = createOfflineClient([videoAt('processing')], { sleep: undefined })
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(client.waitFor(videoId, { signal: stop.signal })).rejects.toThrow('enough')
  })

  it('accepts a condition instead of a status', async () => {
    const { client } = createOfflineClient([
      videoAt('processing', { progress: 10 }),
      videoAt('processing', { progress: 60 }),
    ])
    const halfway = await client.waitFor({ id: videoId }, { until: (video) => (video.process?.progress ?? 0) > 50 })
    expect(halfway.process).toEqual({ progress: 60 })
  })

  it('throws the reason when a job failed, unless failure is the awaited status', async () => {
    const failed = videoAt('failed', { error: { code: 'script-failed', message: 'No words.' } })
    const wait = createOfflineClient([failed]).client.waitFor(videoId)
    await expect(wait).rejects.toBeInstanceOf(ReelsmithError)
    const problem = { code: 'video-failed', message: expect.stringContaining('No words.'), video: { id: videoId } }
    await expect(wait).rejects.toMatchObject(problem)
    expect(await createOfflineClient([failed]).client.waitFor(videoId, { until: 'failed' })).toMatchObject({
      status: 'failed',
    })
  })

  it('throws at its timeout, not later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const slept: number[] = []
      const sleep = async (milliseconds: number) => {
        slept.push(milliseconds)
        vi.setSystemTime(Date.now() + milliseconds)
      }
      const { client } = createOfflineClient([videoAt('processing')], { sleep })
      await expect(client.waitFor(videoId, { timeoutMs: 2_000 })).rejects.toMatchObject({
        code: 'timeout',
        video: { status: 'processing' },
      })
      expect(slept).toEqual([500, 750, 750])
    } finally {
      vi.useRealTimers()
    }
  })
})
