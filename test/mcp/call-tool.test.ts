/** Tools on routes that answer what a test says: requests, results, confirmations, tasks and waits. */
import { describe, expect, it } from 'vitest'
import { callTool, InvalidState, type ToolCall, type ToolDeps } from '../../lib/mcp/call-tool.ts'
import { productTools } from '../../lib/mcp/product-tools.ts'
import { openState, sealState } from '../../lib/mcp/request-state.ts'
import { refusalResult, resultOf } from '../../lib/mcp/results.ts'
import { type RouteRequest, type RouteResponse, routeRequestOf } from '../../lib/mcp/route-request.ts'
import { parseTaskId, taskFields, taskIdOf } from '../../lib/mcp/tasks.ts'
import { allTools } from '../../lib/mcp/tool-list.ts'

const at = Date.parse('2026-11-23T10:00:00Z')
const tools = new Map(allTools.map((tool) => [tool.listed.name, tool]))
const queuedAt = '2026-11-23T09:59:58.000Z'
const job = (status: string, more: object = {}) => ({
  status,
  progress: 0,
  queuedAt,
  startedAt: null,
  error: null,
  ...more,
})
const video = (more: object = {}) => ({
  id: 'vid_1',
  title: 'Calm mornings',
  updatedAt: queuedAt,
  process: job('QUEUED'),
  render: null,
  publish: null,
  media: { renderUrl: null, bytes: null },
  ...more,
})
const answer = (data: unknown, status = 200, headers: Record<string, string> = {}): RouteResponse => ({
  status,
  headers,
  body: { data },
})
const refusal = (status: number, error: object, headers: Record<string, string> = {}): RouteResponse => ({
  status,
  headers,
  body: { error: { status, requestId: 'r', ...error } },
})

interface Run {
  requests: RouteRequest[]
  deps: ToolDeps
  /** Milliseconds that the tool has slept. */
  slept: () => number
}

/** `respond` answers each request; the last answer repeats. */
function runWith(...answers: RouteResponse[]): Run {
  const requests: RouteRequest[] = []
  let [slept, keys] = [0, 0]
  const deps: ToolDeps = {
    callRoute: async (request) => {
      requests.push(request)
      return answers[Math.min(requests.length, answers.length) - 1]!
    },
    loadSecret: async () => 'secret',
    withWaitPermit: (work) => work(async () => true),
    waitSecondsMax: 25,
    caller: 'wsp_1/key_1',
    requestId: 'r',
    now: () => at + slept,
    sleep: async (milliseconds) => {
      slept += milliseconds
    },
    mintKey: () => `key-${++keys}`,
    tools,
  }
  return { requests, deps, slept: () => slept }
}

type Answer = {
  resultType?: string
  isError?: boolean
  structuredContent?: unknown
  content?: unknown
  [key: string]: unknown
}
const call = async (
  { deps }: Run,
  name: string,
  args: Record<string, unknown> = {},
  more: Partial<ToolCall> = {},
): Promise<Answer> => {
  const plain = { canElicit: false, canTask: false, requestState: undefined, inputResponses: undefined }
  return (await callTool({ tool: tools.get(name)!, args, ...plain, ...more }, deps)) as Answer
}
const refused = (code: string, message: RegExp) => ({
  isError: true,
  structuredContent: { error: expect.objectContaining({ code, message: expect.stringMatching(message) }) },
})

describe('arguments', () => {
  const requestOf = (name: string, args: Record<string, unknown>) => routeRequestOf(tools.get(name)!, args)

  it('become path, query, headers and body', () => {
    expect(requestOf('get_video', { videoId: 'vid_1', include: ['captions', 'script'] })).toMatchObject({
      params: { id: 'vid_1' },
      query: { include: 'captions,script' },
      body: undefined,
    })
    expect(
      requestOf('create_video', { prompt: 'Cats', render: true, title: null, idempotencyKey: 'k', quote: 'q' }),
    ).toMatchObject({
      path: '/videos',
      body: { prompt: 'Cats', process: { render: true } },
      headers: { 'idempotency-key': 'k', quote: 'q' },
    })
    expect(requestOf('edit_scene', { videoId: 'vid_1', sceneId: 'scn_1', duration: 6 })).toMatchObject({
      params: { id: 'vid_1', sceneId: 'scn_1' },
      body: { duration: 6 },
    })
  })

  it.each([
    [{ videoID: 'vid_1' }, /^arguments\.videoId is missing; arguments\.videoID is unknown: did you mean videoId\?\.$/],
    [{ videoId: 'vid_1', __proto__: { a: 1 }, constructor: 1 }, /arguments\.constructor is unknown/],
    [{ videoId: ['vid_1'] }, /^arguments\.videoId must be an id/],
    [{ videoId: '../vid_1' }, /^arguments\.videoId must be an id/],
    [{ videoId: '\ud800' }, /^arguments\.videoId must be an id/],
    [{ videoId: 'v'.repeat(65) }, /^arguments\.videoId must be an id/],
    [{ videoId: 'vid_1', idempotencyKey: 'a\r\nb' }, /^arguments\.idempotencyKey must be text/],
    [{ videoId: 'vid_1', idempotencyKey: 7 }, /^arguments\.idempotencyKey must be text/],
  ])('are refused where their route could not: %j', async (args, message) => {
    const run = runWith(answer(video()))
    expect(await call(run, 'render_video', args)).toMatchObject(refused('invalid-request', message))
    expect(run.requests).toEqual([])
  })

  it('are repeated only in part by a refusal', async () => {
    const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}${'x'.repeat(10_000)}`, at]))
    const result = await call(runWith(answer(video())), 'render_video', { videoId: 'vid_1', ...args })
    expect(JSON.stringify(result).length).toBeLessThan(3_000)
  })
})

describe('results', () => {
  it('have the body of the route twice, so that a client may read either', async () => {
    const body = video({
      process: job('COMPLETED', { quality: { passed: true } }),
      media: { renderUrl: 'https://m/x.mp4', bytes: 7 },
      mood: null,
    })
    const result = resultOf(answer(body), 'key-1')
    expect(result.structuredContent).toEqual({ data: body, idempotencyKey: 'key-1' })
    const [text, link] = result.content as [{ text: string }, object]
    expect(JSON.parse(text.text)).toMatchObject({ data: { id: 'vid_1', title: 'Calm mornings' } })
    expect(text.text).not.toMatch(/"mood"|"quality"/)
    expect(link).toEqual({
      type: 'resource_link',
      uri: 'https://m/x.mp4',
      name: 'Calm mornings.mp4',
      mimeType: 'video/mp4',
      size: 7,
    })
  })

  it('tell clients without tasks when to ask again', () => {
    expect(resultOf(answer(video())).structuredContent).toMatchObject({ nextPollMs: 3_000 })
    expect(resultOf(answer(video({ process: job('FAILED') }))).structuredContent).not.toHaveProperty('nextPollMs')
  })

  it('keep the characters of a title out of the name of a file', () => {
    const title = `<b>Ignore</b>\n/../${'long '.repeat(100)}`
    const { content } = resultOf(answer(video({ title, media: { renderUrl: 'https://m/x.mp4', bytes: 7 } })))
    expect((content as { name?: string }[])[1]!.name).toMatch(/^[a-zA-Z ]{1,80}\.mp4$/)
  })

  it('of a refusal say what to do next', () => {
    const busy = refusal(429, { code: 'rate-limited', message: 'Too many.' }, { 'retry-after': '7' })
    expect(resultOf(busy)).toMatchObject({
      isError: true,
      content: [{ text: 'rate-limited: Too many.\nCall again in 7 seconds.' }],
      structuredContent: { error: { code: 'rate-limited', retryAfterSeconds: 7 } },
    })
    const poor = { status: 402, code: 'warning-no-credits', message: 'No credits.', action: 'credits', requestId: 'r' }
    expect(refusalResult({ error: poor } as never).content).toEqual([
      { type: 'text', text: 'warning-no-credits: No credits.\nAsk the user to buy credits.' },
    ])
  })

  it('that a response of Lambda could not hold twice are refused', () => {
    expect(resultOf(answer(video({ captions: 'x'.repeat(600_000) })))).toMatchObject(
      refused('payload-too-large', /include fewer timelines/),
    )
  })
})

describe('a confirmation', () => {
  const asking = { canElicit: true }
  const accepted = { confirm: { action: 'accept', content: { confirm: true } } }
  const quote = answer({ id: 'qt_1', credits: 10 }, 201)
  const created = answer(video(), 201)

  it('names the price, and the confirmed call is the quoted one, once', async () => {
    const run = runWith(quote, created)
    const asked = await call(run, 'create_video', { prompt: 'Cats' }, asking)
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        confirm: { method: 'elicitation/create', params: { message: 'Create video? It costs 10 credits.' } },
      },
    })
    expect(run.requests.map(({ path }) => path)).toEqual(['/quotes'])
    const requestState = String(asked.requestState)
    for (let time = 0; time < 2; time++)
      await call(run, 'create_video', { prompt: 'Cats' }, { ...asking, requestState, inputResponses: accepted })
    expect(run.requests.slice(1).map(({ path, headers }) => [path, headers])).toEqual(
      Array(2).fill(['/videos', { 'idempotency-key': 'key-1', quote: 'qt_1' }]),
    )
  })

  it.each([
    ['declined', { confirm: { action: 'decline' } }],
    ['cancelled', { confirm: { action: 'cancel' } }],
    ['accepted with no', { confirm: { action: 'accept', content: { confirm: false } } }],
    ['accepted without a value', { confirm: { action: 'accept' } }],
  ])('that is %s does nothing', async (_, inputResponses) => {
    const run = runWith(answer(undefined))
    const { requestState } = await call(run, 'delete_video', { videoId: 'vid_1' }, asking)
    const state = { requestState: String(requestState) }
    expect(
      await call(run, 'delete_video', { videoId: 'vid_1' }, { ...asking, ...state, inputResponses }),
    ).toMatchObject(refused('not-confirmed', /Nothing was done/))
    expect(run.requests).toEqual([])
  })

  it('without an answer, or with the answer to something else, is asked for again', async () => {
    const run = runWith(answer(undefined))
    const { requestState } = await call(run, 'delete_video', { videoId: 'vid_1' }, asking)
    const state = { requestState: String(requestState) }
    for (const more of [{ inputResponses: accepted }, state, { ...state, inputResponses: { other: {} } }])
      expect(await call(run, 'delete_video', { videoId: 'vid_1' }, { ...asking, ...more })).toMatchObject({
        resultType: 'input_required',
      })
    expect(run.requests).toEqual([])
  })

  it('holds for the same caller, tool and arguments, unchanged, for ten minutes', async () => {
    const scope = {
      secret: 's',
      caller: 'wsp_1/key_1',
      tool: 'delete_video',
      args: { videoId: 'vid_1', b: [1, { c: 2 }] },
    }
    const confirmed = { key: 'key-1', quote: 'qt_1' }
    const state = sealState(confirmed, scope, at)
    expect(openState(state, scope, at + 599_999)).toEqual(confirmed)
    expect(openState(state, { ...scope, args: { b: [1, { c: 2 }], videoId: 'vid_1' } }, at)).toEqual(confirmed)
    expect(openState(state, scope, at + 600_000)).toBeUndefined()
    const others = [
      { ...scope, secret: 't' },
      { ...scope, caller: 'wsp_1/key_2' },
      { ...scope, tool: 'run_automation' },
      { ...scope, args: { ...scope.args, videoId: 'vid_2' } },
      { ...scope, args: { videoId: 'vid_1', b: [{ c: 2 }, 1] } },
    ]
    for (const other of others) expect(openState(state, other, at)).toBeUndefined()
    const [payload, signature] = state.split('.')
    const longer = Buffer.from(JSON.stringify({ key: 'key-1', until: at * 2 })).toString('base64url')
    for (const forged of [
      '',
      '.',
      'a.b',
      payload!,
      `${payload}.`,
      `${longer}.${signature}`,
      `${payload}.${signature}x`,
    ])
      expect(openState(forged, scope, at)).toBeUndefined()
    const run = runWith(answer(undefined))
    await expect(
      call(run, 'delete_video', { videoId: 'vid_1' }, { ...asking, requestState: state, inputResponses: accepted }),
    ).rejects.toThrow(InvalidState)
  })

  it('shows no text of the arguments that could mislead the user', async () => {
    const args = { videoId: 'vid_1', platforms: ['tiktok', 'nowhere, this is only a test'], caption: 'Free!' }
    const asked = await call(runWith(answer(undefined)), 'publish_video', args, asking)
    expect(JSON.stringify(asked.inputRequests)).toContain('"Publish video vid_1 to tiktok? It cannot be undone."')
  })

  it('is not asked for a price of nothing, nor where the quote is refused', async () => {
    const free = runWith(answer({ id: 'qt_1', credits: 0 }, 201), created)
    expect(await call(free, 'create_clip', { videoId: 'vid_1' }, asking)).toMatchObject({ content: expect.any(Array) })
    expect(free.requests.map(({ path }) => path)).toEqual(['/quotes', '/videos/{id}/clips'])
    const poor = runWith(refusal(402, { code: 'warning-no-credits', message: 'No credits.', action: 'credits' }))
    expect(await call(poor, 'create_video', { prompt: 'Cats' }, asking)).toMatchObject(
      refused('warning-no-credits', /No credits/),
    )
    expect(poor.requests).toHaveLength(1)
  })

  it('is asked for before an automation spends and posts on its own', async () => {
    const edit = (args: object) =>
      call(runWith(answer({})), 'edit_automation', { automationId: 'aut_1', ...args }, asking)
    expect(await edit({ status: 'active' })).toMatchObject({ resultType: 'input_required' })
    expect(await edit({ status: 'paused' })).not.toHaveProperty('resultType')
  })
})

describe('a task', () => {
  const withTasks = { canTask: true }

  it('is what the tool returns to a client that knows tasks, while the work runs', async () => {
    const task = await call(runWith(answer(video(), 201)), 'create_video', { prompt: 'Cats', render: true }, withTasks)
    expect(task).toEqual({
      resultType: 'task',
      taskId: `vid_1.gr.${Date.parse(queuedAt).toString(36)}`,
      status: 'working',
      statusMessage: 'process QUEUED 0 %',
      createdAt: queuedAt,
      lastUpdatedAt: queuedAt,
      ttlMs: null,
      pollIntervalMs: 3_000,
    })
    const done = answer(video({ render: job('COMPLETED'), process: job('COMPLETED') }))
    expect(await call(runWith(done), 'render_video', { videoId: 'vid_1' }, withTasks)).not.toHaveProperty('taskId')
    const refusedCall = runWith(refusal(409, { code: 'job-in-progress', message: 'It is rendered.' }))
    expect(await call(refusedCall, 'render_video', { videoId: 'vid_1' }, withTasks)).toMatchObject({ isError: true })
  })

  it('follows its jobs, and is over when they ran again', () => {
    const task = { videoId: 'vid_1', jobs: ['process', 'render'] as const, startedAt: Date.parse(queuedAt) }
    expect(parseTaskId(taskIdOf(task))).toEqual(task)
    const done = job('COMPLETED')
    const steps: [object, object][] = [
      [
        { process: job('PROCESSING', { progress: 40 }) },
        { status: 'working', statusMessage: 'process PROCESSING 40 %' },
      ],
      [{ process: done }, { status: 'working', statusMessage: 'render is about to begin' }],
      [{ process: done, render: job('QUEUED') }, { status: 'working' }],
      [{ process: done, render: done }, { status: 'completed' }],
      [{ process: job('FAILED', { error: { code: 'timeout', message: 'Too late.' } }) }, { status: 'completed' }],
      [{ process: job('QUEUED', { queuedAt: '2026-11-23T10:00:00.000Z' }) }, { status: 'cancelled' }],
    ]
    for (const [jobs, fields] of steps) expect(taskFields(task, video(jobs))).toMatchObject(fields)
  })

  it('has ids that name nothing but a video and its run', () => {
    const ids = ['', 'vid_1', 'vid_1.g', 'vid_1..1', 'vid_1.x.1', 'vid_1.g.', '../vid.g.1', `vid_1.g.${'z'.repeat(10)}`]
    for (const id of ids) expect(parseTaskId(id), id).toBeUndefined()
    const latest = parseTaskId(`vid_1.g.${'z'.repeat(9)}`)!
    expect(taskFields(latest, video()).createdAt).toMatch(/^\d{4}-/)
  })

  it('is read from the video, with the result of its tool; acknowledged when updated or cancelled', async () => {
    const id = `vid_1.g.${Date.parse(queuedAt).toString(36)}`
    const provider = (...answers: RouteResponse[]) => productTools(allTools, runWith(...answers).deps)
    const done = video({ process: job('COMPLETED') })
    expect(await provider(answer(done)).getTask(id)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { data: done } },
    })
    const error = { code: 'voice-failed', message: 'No voice.', blocked: false }
    expect(await provider(answer(video({ process: job('FAILED', { error }) }))).getTask(id)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'process failed: voice-failed: No voice.' }, expect.anything()] },
    })
    const gone = provider(refusal(404, { code: 'not-found', message: 'No such video.' }))
    for (const missing of [gone.getTask(id), gone.updateTask(id, {}), gone.cancelTask(id), gone.getTask('nonsense')])
      expect(await missing).toBeUndefined()
    const running = provider(answer(video()))
    expect([await running.updateTask(id, {}), await running.cancelTask(id)]).toEqual([{}, {}])
    const busy = provider(refusal(429, { code: 'rate-limited', message: 'Too many.' }))
    await expect(busy.getTask(id)).rejects.toThrow('Too many.')
  })
})

describe('wait_for_video', () => {
  const running = answer(video())
  const done = answer(video({ process: job('COMPLETED') }))

  it('returns when no job runs, at the latest after 20 seconds', async () => {
    const run = runWith(running, running, done)
    expect((await call(run, 'wait_for_video', { videoId: 'vid_1' })).structuredContent).not.toHaveProperty('nextPollMs')
    expect(run.requests).toHaveLength(3)
    const long = runWith(running)
    expect(
      (await call(long, 'wait_for_video', { videoId: 'vid_1', waitSeconds: 3_600 })).structuredContent,
    ).toMatchObject({
      nextPollMs: 3_000,
    })
    expect(long.slept()).toBe(20_000)
    expect(long.requests.length).toBeLessThanOrEqual(12)
  })

  it.each([0, -1, 'soon', {}])('does not wait for %j seconds', async (waitSeconds) => {
    const run = runWith(running)
    await call(run, 'wait_for_video', { videoId: 'vid_1', waitSeconds })
    expect([run.slept(), run.requests.length]).toEqual([0, 1])
  })

  it('waits no longer than the deployment allows', async () => {
    const run = runWith(running)
    run.deps.waitSecondsMax = 0
    await call(run, 'wait_for_video', { videoId: 'vid_1' })
    expect([run.slept(), run.requests.length]).toEqual([0, 1])
  })

  it('does not wait where the workspace waits often enough, nor for a refusal', async () => {
    const run = runWith(running)
    run.deps.withWaitPermit = (work) => work(async () => false)
    expect((await call(run, 'wait_for_video', { videoId: 'vid_1' })).structuredContent).toMatchObject({
      nextPollMs: 3_000,
    })
    const missing = runWith(refusal(404, { code: 'not-found', message: 'No such video.' }))
    expect(await call(missing, 'wait_for_video', { videoId: 'vid_1' })).toMatchObject({ isError: true })
    expect([run.slept(), missing.slept()]).toEqual([0, 0])
  })
})

describe('edit_captions', () => {
  const words = [
    { id: 'w1', startMs: 0, endMs: 300, text: 'Calm', punctuated_word: 'Calm' },
    { id: 'w2', startMs: 300, endMs: 600, text: 'mornings', punctuated_word: 'mornings.' },
  ]
  const read = answer(video({ captions: words }))

  it('sends all words with the edits in them', async () => {
    const edited = { ...words[0]!, text: 'Quiet,', punctuated_word: 'Quiet,', startMs: 20 }
    const run = runWith(read, answer({ captions: [edited] }))
    const edits = [
      { id: 'w1', text: 'Quiet,', startMs: 20 },
      { id: 'w2', remove: true },
    ]
    expect((await call(run, 'edit_captions', { videoId: 'vid_1', edits })).structuredContent).toEqual({
      data: { words: 1, removed: 1, edited: [edited] },
    })
    expect(run.requests[1]).toMatchObject({ method: 'PUT', params: { id: 'vid_1' }, body: { captions: [edited] } })
  })

  it.each([
    [undefined, /arguments\.edits is missing/],
    [[], /at least one object/],
    ['all', /at least one object/],
    [['w1'], /at least one object/],
    [[{ id: 'w9' }], /the video has no caption word w9/],
  ])('refuses the edits %j and writes nothing', async (edits, message) => {
    const run = runWith(read)
    expect(await call(run, 'edit_captions', { videoId: 'vid_1', edits })).toMatchObject(
      refused('invalid-request', message),
    )
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('quote_price', () => {
  it('quotes the arguments of a tool that has a price', async () => {
    const run = runWith(answer({ id: 'qt_1', credits: 2 }, 201))
    const args = { videoId: 'vid_1', sceneId: 'scn_1', prompt: 'Dawn' }
    await call(run, 'quote_price', { tool: 'draw_scene_image', arguments: args })
    expect(run.requests[0]!.body).toEqual({
      action: 'drawSceneImage',
      id: 'vid_1',
      sceneId: 'scn_1',
      body: { prompt: 'Dawn' },
    })
  })

  it.each([{ tool: 'render_video' }, { tool: 'constructor' }, { tool: 7 }])('refuses %j', async (args) => {
    expect(await call(runWith(answer({})), 'quote_price', args)).toMatchObject(
      refused('invalid-request', /arguments\.tool must be a tool/),
    )
  })
})
