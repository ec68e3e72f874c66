/** `reelsmith listen`: every event once and in order, across cuts, lost responses and restarts. The network and the clock are the test's. */
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { homeOfTest, runCommand, testEnv, testKey } from './command-io.ts'
import { errorResponse, jsonResponse } from './offline-client.ts'

interface StoredEvent {
  id: string
  event: string
  workspaceId: string
  createdAt: string
  sequence: number
  data: object
}

interface FetchOptions {
  body?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

const target = 'http://127.0.0.1:3000/hook'

/** A service with a journal, a program that events are forwarded to, and a clock that moves when something waits. */
function world(env: Record<string, string> = { ...testEnv, ...homeOfTest() }) {
  const journal: StoredEvent[] = []
  const received: { body: string; headers: Record<string, string> }[] = []
  const queries: URLSearchParams[] = []
  let nowMs = Date.parse('2026-11-23T10:00:00Z')
  let ended = new AbortController()
  const at = {
    /** Called for each request for events; its result replaces the response. */
    events: (): Response | Error | undefined => undefined,
    target: (): Response | Error => new Response(null, { status: 204 }),
    /** Called after each pause. */
    pause: (): void => {},
  }

  const list = (query: URLSearchParams) => {
    queries.push(query)
    const [after, limit, wait] = ['after', 'limit', 'wait'].map((name) => Number(query.get(name) ?? 0)) as [
      number,
      number,
      number,
    ]
    const types = query.get('types')?.split(',')
    const data = journal
      .filter(({ sequence, event }) => sequence > after && (types?.includes(event) ?? true))
      .slice(0, limit)
    if (data.length === 0) nowMs += wait * 1_000
    const lastSequence = journal.at(-1)?.sequence ?? 0
    const nextAfter = data.length === limit ? data.at(-1)!.sequence : Math.max(lastSequence, after)
    return jsonResponse(200, { data, paging: { limit, nextAfter, lastSequence, missed: false } })
  }

  const respond = (url: URL, body: string, headers: Record<string, string>): Response | Error => {
    if (url.href === target) {
      const response = at.target()
      if (response instanceof Response) received.push({ body, headers })
      return response
    }
    expect(headers.Authorization).toBe(`Bearer ${testKey}`)
    if (!url.pathname.endsWith('/events'))
      return jsonResponse(200, { data: { workspace: { id: 'wsp_1', name: 'Ours' } } })
    const response = list(url.searchParams)
    return at.events() ?? response
  }

  const fetch = (async (address: string, { body = '', headers = {}, signal }: FetchOptions = {}) => {
    // As a real request: it ends after the caller has had its turn.
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    const response = respond(new URL(address), body, headers)
    if (response instanceof Error) throw response
    return response
  }) as unknown as typeof globalThis.fetch

  return {
    at,
    journal,
    received,
    queries,
    now: () => nowMs,
    /** Events with these types, after those that exist. */
    emit: (count: number, type = 'video.created') => {
      for (let sequence = journal.length + 1, end = sequence + count; sequence < end; sequence++)
        journal.push({
          id: `evt_${sequence}`,
          event: type,
          workspaceId: 'wsp_1',
          createdAt: new Date(nowMs).toISOString(),
          sequence,
          data: { video: { id: `vid_${sequence}`, title: `Film ${sequence}` } },
        })
    },
    end: () => ended.abort(new Error('Interrupted.')),
    /** Runs until `end` is called. */
    listen: (words: string[] = ['--forward', target], isTerminal = false) => {
      ended = new AbortController()
      return runCommand(['listen', ...words], {
        env,
        fetch,
        isTerminal,
        signal: ended.signal,
        now: () => nowMs,
        sleep: async (milliseconds, signal) => {
          await new Promise((resolve) => setImmediate(resolve))
          nowMs += milliseconds
          at.pause()
          signal?.throwIfAborted()
        },
      })
    },
  }
}

const sequencesOf = (received: { body: string }[]) => received.map(({ body }) => JSON.parse(body).sequence)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const notesOf = (stderr: string) =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).note)
const connectionError = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

/** What `--print-secret` prints. */
async function secretOf(env: Record<string, string> = testEnv): Promise<string> {
  return (await runCommand(['listen', '--print-secret'], { env })).stdout.trim()
}

describe('listen', () => {
  it('loses none of 200 events across a connection cut for 60 s, in order, each once and signed', async () => {
    const { at, emit, end, journal, received, listen, now } = world()
    const cut = { from: Infinity, isOver: () => now() >= cut.from + 60_000 }
    at.events = () => {
      if (journal.length === 0) emit(120)
      // The response with the rest of the first events is lost on its way.
      if (received.length === 100 && cut.from === Infinity) cut.from = now()
      if (now() >= cut.from && !cut.isOver()) return connectionError('ECONNRESET')
      if (received.length === 200) end()
      return undefined
    }
    at.pause = () => {
      if (journal.length === 120 && now() > cut.from + 30_000) emit(80)
    }
    const { code, stdout, stderr } = await listen()
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(testKey)
    expect(cut.isOver()).toBe(true)
    expect(sequencesOf(received)).toEqual(upTo(200))
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(200)
    const secret = await secretOf()
    const verified = received.map(({ body, headers }) => verifyWebhook(body, headers, secret, { now }))
    expect(await Promise.all(verified)).toEqual(journal.map(({ id: _, ...event }) => event))
    expect(notesOf(stderr)).toEqual([
      `Listening for all events of Ours at https://api.test/v1, forwarding to ${target}. Ctrl-C ends it.`,
      'https://api.test/v1 did not respond: fetch failed. Trying again until it responds; no event is lost.',
      'Connected again.',
    ])
  })

  it('begins now, continues after a restart, and keeps a position for each target', async () => {
    const { at, emit, end, queries, received, listen } = world()
    const endAt = (count: number) => {
      at.events = () => {
        if (received.length >= count) end()
        return undefined
      }
    }
    emit(3)
    at.events = () => {
      // The first request is for the newest event only, the second one finds none.
      if (queries.length === 2) emit(2)
      if (received.length === 2) end()
      return undefined
    }
    await listen()
    expect(sequencesOf(received)).toEqual([4, 5])
    emit(4)
    endAt(6)
    await listen()
    expect(sequencesOf(received)).toEqual([4, 5, 6, 7, 8, 9])
    // Without a target: another position.
    at.events = () => {
      end()
      return undefined
    }
    expect((await listen([])).stdout).toBe('')
    endAt(8)
    await listen(['--forward', target, '--after', '7'])
    expect(sequencesOf(received).slice(6)).toEqual([8, 9])
  })

  it('waits for a program that cannot be reached; sends nothing twice that it may have got', async () => {
    const { at, emit, end, received, listen } = world()
    const outcomes = [
      connectionError('ECONNREFUSED'),
      connectionError('ECONNREFUSED'),
      new Response(null, { status: 500 }),
      // Sent, then lost: it may have arrived.
      connectionError('ECONNRESET'),
      new Response(null, { status: 204 }),
    ]
    at.target = () => outcomes.shift()!
    emit(3)
    at.events = () => {
      if (outcomes.length === 0) end()
      return undefined
    }
    const { stdout, stderr } = await listen(['--forward', target, '--after', '0'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ sequence, forwarded }) => [sequence, forwarded])).toEqual([
      [1, '500 in 0 ms'],
      [2, 'no response: ECONNRESET'],
      [3, '204 in 0 ms'],
    ])
    expect(sequencesOf(received)).toEqual([1, 3])
    expect(notesOf(stderr).slice(1)).toEqual([`${target}: no response: ECONNREFUSED. Waiting for it.`])
  })

  it('ends at Ctrl-C after the event that is being sent, and continues behind it', async () => {
    const { at, emit, end, received, listen } = world()
    emit(3)
    at.target = () => {
      if (received.length === 1) end()
      return new Response(null, { status: 204 })
    }
    expect((await listen(['--forward', target, '--after', '0'])).code).toBe(0)
    expect(sequencesOf(received)).toEqual([1, 2])
    at.target = () => {
      end()
      return new Response(null, { status: 204 })
    }
    await listen()
    expect(sequencesOf(received)).toEqual([1, 2, 3])
  })

  it('lets the service choose the events, and passes the others', async () => {
    const { at, emit, end, queries, listen, journal } = world()
    emit(2)
    emit(1, 'video.published')
    emit(2)
    at.events = () => {
      if (queries.length === 2) end()
      return undefined
    }
    const words = ['--events', 'video.published,video.render_failed', '--after', '0']
    const { stdout } = await listen(words)
    expect(JSON.parse(stdout)).toEqual(journal[2])
    expect(queries.map((query) => [query.get('types'), query.get('after'), query.get('wait')])).toEqual([
      ['video.published,video.render_failed', '0', '20'],
      ['video.published,video.render_failed', '5', '20'],
    ])
    queries.length = 0
    await listen(words.slice(0, 2))
    expect(queries[0]!.get('after')).toBe('5')
  })

  it('prints a line for each event on a terminal, without control characters', async () => {
    const { at, emit, end, journal, listen } = world()
    emit(1, 'video.render_completed')
    journal[0]!.data = {
      video: { id: 'vid_1', title: 'Mornings\u001b[31m in red, and longer than a line has room for' },
    }
    at.target = () => {
      end()
      return new Response(null, { status: 204 })
    }
    const { stdout, stderr } = await listen(['--forward', target, '--after', '0'], true)
    expect(stdout).toMatch(
      /^\d\d:\d\d:00 {2}video\.render_completed {6}vid_1 {2}-> 204 {2}"Mornings \[31m in red, an…"\n$/,
    )
    expect(stderr).toMatch(/^Listening for all events of Ours .+ Ctrl-C ends it\.\n$/)
  })

  it('has a secret for each key, which the environment replaces', async () => {
    const secret = await secretOf()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await secretOf()).toBe(secret)
    expect(await secretOf({ ...testEnv, REELSMITH_API_KEY: 'another' })).not.toBe(secret)
    expect(await secretOf({ ...testEnv, REELSMITH_WEBHOOK_SECRET: 'whsec_mine' })).toBe('whsec_mine')
  })

  it('says what it cannot do', async () => {
    const { at, listen } = world()
    at.events = () => errorResponse(401, 'unauthorized')
    expect((await listen()).code).toBe(3)
    at.events = () =>
      errorResponse(400, 'invalid-request', {}, { details: [{ path: 'query.after', message: 'is too large' }] })
    const { code, stderr } = await listen(['--after', '9'])
    expect(code).toBe(1)
    expect(stderr).toContain('Begin elsewhere: --after 0')
    const misspelt = await listen(['--events', 'video.create'])
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean video.created?') })
  })

  it('says that events have expired before they were read', async () => {
    const { at, end, listen } = world()
    at.events = () => {
      end()
      const paging = { limit: 100, nextAfter: 50, lastSequence: 50, missed: true }
      return jsonResponse(200, { data: [], paging })
    }
    const { stderr } = await listen(['--after', '7'])
    expect(notesOf(stderr)[1]).toBe('Events after 7 are missing: they are older than 7 days.')
  })
})
