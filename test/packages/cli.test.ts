/** The command line: generated from the route table, usable by programs (JSON, exit codes), and careful with keys. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRoute } from '../../lib/contract/match-path.ts'
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import { splitSignature } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { forwardSecret } from '../../packages/cli/forward.js'
import { globalFlags } from '../../packages/cli/help.js'
import { commandName, contract, exampleWords, inputFlags, inputSchema } from '../../packages/cli/operations.js'
import { commands } from '../../packages/cli/run.js'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { matchesRequestSchema } from '../support/openapi-validation.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type CommandOptions, homeOfTest, runCommand, testEnv, testKey } from './command-io.ts'
import { errorResponse, jsonResponse } from './offline-client.ts'

interface Call {
  url: URL
  method: string
  headers: Record<string, string>
  body: string
}

/** A network that responds to each request with what the function returns. */
function network(respond: (call: Call) => Response | Error) {
  const calls: Call[] = []
  const fetch = (async (url: string, { method = 'GET', headers = {}, body = '' } = {}) => {
    const call = { url: new URL(url), method, headers, body }
    calls.push(call)
    const response = respond(call)
    if (response instanceof Error) throw response
    return response
  }) as unknown as typeof globalThis.fetch
  return { calls, fetch }
}

const respondWith = (body: unknown, status = 200) => network(() => jsonResponse(status, body))
const errorOf = (stderr: string) => JSON.parse(stderr).error

describe.each(contract.operations.map((operation) => [commandName(operation), operation] as const))(
  '%s',
  (name, operation) => {
    it('sends a request by its example that the route and the document accept', async () => {
      const { calls, fetch } = respondWith({
        data: operation.isPaged ? [] : {},
        paging: { limit: 5, offset: 0, total: 0 },
      })
      const { code, stderr } = await runCommand(exampleWords(operation), { fetch })
      expect(stderr).toBe('')
      expect(code).toBe(0)
      const [{ url, method, body, headers }] = calls as [Call]
      expect(headers).toMatchObject({ Authorization: `Bearer ${testKey}` })
      const row = findRoute(method, url.pathname)!
      expect(row).toBe((routes as Record<string, Route>)[operation.id])
      const params = Object.fromEntries(
        operation.parameters.map(({ name: parameter, example }) => [parameter, example]),
      )
      const { warnings } = parseRequest(row, { params, query: Object.fromEntries(url.searchParams), body })
      expect(warnings).toEqual([])
      if (operation.input?.kind !== 'body') return
      expect(JSON.parse(body)).toEqual(operation.input.example)
      expect(matchesRequestSchema(method, splitSignature(row.signature).path, JSON.parse(body))).toBe(true)
    })

    it('has a help that names every argument and field, shows an example, and fits 80 columns', async () => {
      const { code, stdout } = await runCommand([...name.split(' '), '--help'], { env: {} })
      expect(code).toBe(0)
      expect(stdout).toContain(`reelsmith ${name}`)
      for (const flag of inputFlags(operation)) expect(stdout).toMatch(new RegExp(`^  --${flag.name}( |$)`, 'm'))
      const fields = Object.keys(inputSchema(operation).properties ?? {})
      expect(new Set(inputFlags(operation).map(({ path }) => path?.[0]))).toEqual(new Set(fields))
      // A value in an example may be longer than a line.
      const [text = ''] = stdout.split(/\nExamples?\n/)
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    })

    it('has a schema for programs, without a key', async () => {
      const { stdout } = await runCommand(['schema', ...name.split(' ')], { env: {} })
      const schema = JSON.parse(stdout)
      for (const [, definition = ''] of stdout.matchAll(/#\/\$defs\/(\w+)/g))
        expect(schema.$defs).toHaveProperty([definition])
    })
  },
)

it('no command or flag has two meanings', () => {
  const names = commands.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  for (const { name, flags } of commands) {
    const all = [...flags, ...globalFlags].map((flag) => flag.name)
    expect(all, name).toEqual([...new Set(all)])
  }
})

describe('arguments', () => {
  const sentBy = async (words: string[], options: CommandOptions = {}) => {
    const { calls, fetch } = respondWith({ data: { id: 'vid_1' } })
    const { stderr } = await runCommand(words, { fetch, ...options })
    expect(stderr).toBe('')
    const [call] = calls as [Call]
    return { ...call, body: call.body && JSON.parse(call.body) }
  }

  it('set fields of the body: texts, numbers, switches, lists, JSON, fields of objects, and null', async () => {
    const words = [
      '--title',
      'A',
      '--target-duration',
      '30',
      '--no-show-subtitles',
      '--process.render',
      '--voice-id=null',
    ]
    const { body } = await sentBy(['videos', 'create', ...words, '--presentation-assets', '[{"url":"https://a.b/c"}]'])
    expect(body).toEqual({
      title: 'A',
      targetDuration: 30,
      showSubtitles: false,
      process: { render: true },
      voiceId: null,
      presentationAssets: [{ url: 'https://a.b/c' }],
    })
    const lists = await sentBy(['videos', 'publish', 'vid_1', '--platforms', 'tiktok,youtube', '--platforms', 'x'])
    expect(lists.body).toEqual({ platforms: ['tiktok', 'youtube', 'x'] })
  })

  it('may be named as in the JSON and by the clients', async () => {
    const { url, body } = await sentBy(['videos', 'addScene', 'vid_1', '--afterSceneId', 'scn_1'])
    expect(url.pathname).toBe('/v1/videos/vid_1/scenes')
    expect(body).toEqual({ afterSceneId: 'scn_1' })
  })

  it('replace fields of JSON, which is a text, a file or stdin', async () => {
    const file = join(temporaryDirectory(), 'body.json')
    writeFileSync(file, '{"title":"old","mood":"calm"}')
    const expected = { title: 'new', mood: 'calm' }
    const words = ['videos', 'edit', 'vid_1', '--title', 'new', '--json']
    expect((await sentBy([...words, '{"title":"old","mood":"calm"}'])).body).toEqual(expected)
    expect((await sentBy([...words, `@${file}`])).body).toEqual(expected)
    expect((await sentBy([...words, '-'], { stdin: ['{"title":"old",', '"mood":"calm"}'] })).body).toEqual(expected)
  })

  it('set headers: idempotency key, quote, wait, workspace; also before the command', async () => {
    const { headers } = await sentBy([
      '--workspace',
      'wsp_2',
      'videos',
      'create',
      '--idempotency-key',
      'k',
      '--quote',
      'q',
    ])
    expect(headers).toMatchObject({ 'Idempotency-Key': 'k', Quote: 'q', 'X-Service-Workspace': 'wsp_2' })
    const waiting = await sentBy(['videos', 'publish', 'vid_1', '--wait-seconds', '0'])
    expect(waiting.headers).toMatchObject({ Prefer: 'wait=0' })
  })

  it.each([
    [['vidoes', 'list'], 'There is no command vidoes. Did you mean videos?'],
    [['videos', 'craete'], 'There is no command videos craete. Did you mean videos create?'],
    [['videos', 'create', '--promt', 'x'], 'There is no flag --promt. Did you mean --prompt?'],
    [['videos', 'create', '--prompt'], '--prompt needs a value.'],
    [['videos', 'create', '--prompt', '--title'], 'follows an equals sign: --prompt=--title'],
    [['videos', 'create', '--title', 'a', '--title', 'b'], '--title is given twice.'],
    [['videos', 'create', '--target-duration', 'long'], '--target-duration must be a number, not long.'],
    [['videos', 'create', '--show-subtitles=maybe'], '--show-subtitles is a switch'],
    [['videos', 'create', '--json', '{'], '--json is not JSON'],
    [['videos', 'create', '--json', '@/nowhere.json'], '/nowhere.json cannot be read'],
    [['videos', 'replace-brolls', 'vid_1', 'more'], 'There is no place for "more".'],
    [['videos', 'get'], 'VIDEO_ID is missing.'],
    [['videos', 'get', ''], 'VIDEO_ID is empty.'],
    [['videos', 'get', '..'], 'VIDEO_ID is not ...'],
    [['videos', 'create', '--download', 'a.mp4', '--no-process.render'], 'leaves nothing to download'],
    [['completion', 'bsh'], 'SHELL is not bsh. Did you mean bash?'],
    [['schema', 'videos', 'crate'], 'Did you mean videos create?'],
    [['trigger', 'video.created'], 'Give either --forward or --webhook.'],
    [['trigger', 'video.created', '--webhook', 'whk_1'], 'The service sends only webhook.test'],
    [['trigger', 'video.created', '--forward', 'ftp://a.b'], '--forward must be a URL'],
    [['login', '--base-url', 'https://me:secret@a.b/v1'], 'must not contain a user name'],
  ])('%j is refused before anything is sent', async (words, message) => {
    const { calls, fetch } = respondWith({})
    const { code, stdout, stderr } = await runCommand(words, { fetch })
    expect(errorOf(stderr)).toMatchObject({ code: 'usage', exitCode: 2, message: expect.stringContaining(message) })
    expect({ code, stdout, calls }).toEqual({ code: 2, stdout: '', calls: [] })
  })
})

it('any words end with a documented exit code, and say why in JSON', async () => {
  const names = commands.filter(({ name }) => name !== 'listen').map(({ name }) => name.split(' '))
  const flags = [...new Set(commands.flatMap((command) => command.flags.map(({ name }) => `--${name}`)))]
  const word = fc.oneof(
    fc.constantFrom(...flags, '--', '-', '-h', '--help', '--all', '--json', '--no-human', '--profile'),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('{}', '[]', '1', 'null', 'true', '@/nowhere'),
  )
  const line = fc.tuple(fc.constantFrom(...names), fc.array(word, { maxLength: 5 }))
  const env = { ...testEnv, ...homeOfTest() }
  const check = async ([name, words]: [string[], string[]]) => {
    const { fetch } = network(() => errorResponse(404, 'not-found'))
    const { code, stdout, stderr } = await runCommand([...name, ...words], { env, fetch, stdin: ['text'] })
    expect([0, 1, 2, 3, 4]).toContain(code)
    if (code > 0 && name[0] !== 'doctor')
      expect(errorOf(stderr)).toMatchObject({ exitCode: code, code: expect.not.stringMatching('^failed$') })
    expect(stdout + stderr).not.toContain(testKey)
  }
  await fc.assert(fc.asyncProperty(line, check), { numRuns: 300 })
})

describe('output', () => {
  const page = {
    data: [{ id: 'vid_1', title: 'One\u001b[31m', media: { a: 1 } }],
    paging: { limit: 1, offset: 0, total: 2 },
  }

  it('is the data as one line of JSON, indented on a terminal, and a table for people', async () => {
    const listed = (words: string[], isTerminal = false) =>
      runCommand(['videos', 'list', ...words], { ...respondWith(page), isTerminal })
    expect((await listed([])).stdout).toBe(`${JSON.stringify(page)}\n`)
    expect((await listed([], true)).stdout).toBe(`${JSON.stringify(page, null, 2)}\n`)
    const { stdout } = await listed(['--human'])
    expect(stdout).toBe('id     title\nvid_1  One [31m\n1 of 2; the next page: --offset 1, all: --all\n')
  })

  it('of --all is one record a line, across pages', async () => {
    const { calls, fetch } = network(({ url }) => {
      const offset = Number(url.searchParams.get('offset') ?? 0)
      return jsonResponse(200, { data: [{ id: `vid_${offset}` }], paging: { limit: 1, offset, total: 3 } })
    })
    const { stdout } = await runCommand(['videos', 'list', '--all', '--limit', '1'], { fetch })
    expect(stdout).toBe('{"id":"vid_0"}\n{"id":"vid_1"}\n{"id":"vid_2"}\n')
    expect(calls).toHaveLength(3)
  })

  it('on stderr has warnings and errors: JSON for programs, sentences on a terminal', async () => {
    const warning = { path: 'body.mod', message: 'is not a known key and is ignored', didYouMean: 'mood' }
    const warned = (isTerminal: boolean) =>
      runCommand(['videos', 'create'], { ...respondWith({ data: {}, warnings: [warning] }), isTerminal })
    expect(JSON.parse((await warned(false)).stderr)).toEqual({ warning })
    expect((await warned(true)).stderr).toBe(
      'Warning: body.mod is not a known key and is ignored. Did you mean mood?\n',
    )
    const details = [{ path: 'body.type', message: 'is wrong', allowed: ['ai', 'faceless'] }]
    const refused = (isTerminal: boolean, ...words: string[]) =>
      runCommand(['videos', 'create', ...words], {
        ...network(() => errorResponse(400, 'invalid-request', {}, { details })),
        isTerminal,
      })
    const error = { code: 'invalid-request', message: 'No.', exitCode: 1, status: 400, requestId: 'req_1', details }
    expect(errorOf((await refused(false)).stderr)).toEqual(error)
    expect(errorOf((await refused(true, '--no-human')).stderr)).toEqual(error)
    expect((await refused(true)).stderr).toBe(
      'Error: No. (invalid-request, 400, req_1)\n  body.type: is wrong Allowed: ai, faceless.\n',
    )
  })
})

describe('exit codes', () => {
  const failed = { id: 'vid_1', status: 'failed', process: { status: 'FAILED', error: { message: 'No voice.' } } }
  it.each<[number, string, string[], () => Response | Error]>([
    [0, 'a result', ['videos', 'get', 'vid_1'], () => jsonResponse(200, { data: {} })],
    [1, 'a refusal', ['videos', 'get', 'vid_1'], () => errorResponse(404, 'not-found')],
    [3, 'a refused key', ['videos', 'get', 'vid_1'], () => errorResponse(401, 'unauthorized')],
    [4, 'no response', ['videos', 'get', 'vid_1'], () => new TypeError('fetch failed')],
    [4, 'a fault', ['videos', 'get', 'vid_1'], () => errorResponse(500, 'internal-error')],
    [4, 'too many requests', ['videos', 'get', 'vid_1'], () => errorResponse(429, 'rate-limited')],
    [4, 'another server', ['videos', 'get', 'vid_1'], () => new Response('<html>', { status: 404 })],
    [
      4,
      'the end of --timeout',
      ['watch', 'vid_1', '--timeout', '0'],
      () => jsonResponse(200, { data: { id: 'vid_1', status: 'rendering', render: { status: 'QUEUED' } } }),
    ],
    [5, 'a failed job', ['watch', 'vid_1'], () => jsonResponse(200, { data: failed })],
    [5, 'a failed job of --wait', ['videos', 'create', '--wait'], () => jsonResponse(200, { data: failed })],
  ])('%i for %s', async (expected, _what, words, respond) => {
    const { code, stderr } = await runCommand(words, network(respond))
    expect(code).toBe(expected)
    if (expected > 0) expect(errorOf(stderr).exitCode).toBe(expected)
  })

  it('130 at Ctrl-C', async () => {
    const ended = new AbortController()
    const { fetch } = network(() => {
      ended.abort(new Error('Interrupted.'))
      return new TypeError('aborted')
    })
    expect(await runCommand(['videos', 'list'], { fetch, signal: ended.signal })).toMatchObject({
      code: 130,
      stdout: '',
      stderr: '',
    })
  })
})

describe('--wait', () => {
  const states = [
    { status: 'processing', process: { status: 'PROCESSING', progress: 40, statusText: 'Voices' }, render: null },
    // Between generation and render.
    { status: 'draft', process: { status: 'COMPLETED', progress: 100 }, render: null },
    {
      status: 'rendering',
      process: { status: 'COMPLETED', progress: 100 },
      render: { status: 'PROCESSING', progress: 50 },
    },
    {
      status: 'ready',
      process: { status: 'COMPLETED' },
      render: { status: 'COMPLETED' },
      media: { renderUrl: 'https://m.test/a.mp4' },
    },
  ]
  const service = () => {
    const left = [...states]
    return network(({ url, method }) => {
      if (url.hostname === 'm.test') return new Response('mp4')
      const state = method === 'POST' || left.length === 1 ? left[0] : left.shift()
      return jsonResponse(200, { data: { id: 'vid_1', publish: null, ...state } })
    })
  }

  it('with a requested render ends when it is ready', async () => {
    const { stdout } = await runCommand(['videos', 'create', '--process.render', '--wait'], service())
    expect(JSON.parse(stdout).status).toBe('ready')
  })

  it('without one, when no job is open', async () => {
    const { stdout } = await runCommand(['videos', 'create', '--wait'], service())
    expect(JSON.parse(stdout).status).toBe('draft')
  })

  it('of --download requests the render, and saves it', async () => {
    const file = join(temporaryDirectory(), 'out/film.mp4')
    const { calls, fetch } = service()
    const { stdout, stderr } = await runCommand(['videos', 'create', '--prompt', 'x', '--download', file], { fetch })
    expect(JSON.parse(calls[0]!.body)).toEqual({ prompt: 'x', process: { render: true } })
    expect(readFileSync(file, 'utf8')).toBe('mp4')
    expect(JSON.parse(stderr)).toEqual({ note: `Saved ${file}` })
    expect(JSON.parse(stdout).id).toBe('vid_1')
    // The key is for the service only.
    expect(calls.at(-1)!.headers).toEqual({})
  })

  it('draws the progress on a terminal', async () => {
    const { stderr } = await runCommand(['videos', 'create', '--process.render', '--wait'], {
      ...service(),
      isTerminal: true,
    })
    const lines = stderr.split('\r\u001b[2K').filter(Boolean)
    expect(lines).toEqual([
      '███░░░░░░░░░░░░░░░░░░░░░  14 %  Voices',
      '████████░░░░░░░░░░░░░░░░  35 %  Generated',
      '████████████████░░░░░░░░  67 %  Rendering',
      '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  Ready',
    ])
  })

  it('of a publication ends with it, with exit code 5 where it failed', async () => {
    const publish = (status: string) => ({ status, error: { code: 'x', message: 'All accounts refused.' } })
    const left = [publish('PROCESSING'), publish('FAILED')]
    const { fetch } = network(({ method }) =>
      jsonResponse(200, {
        data:
          method === 'POST'
            ? { videoId: 'vid_1', publish: left[0] }
            : { id: 'vid_1', status: 'ready', publish: left.shift() },
      }),
    )
    const { code, stderr } = await runCommand(['videos', 'publish', 'vid_1', '--wait'], { fetch })
    expect(code).toBe(5)
    expect(errorOf(stderr).message).toContain('All accounts refused.')
  })
})

describe('upload', () => {
  const ready = {
    id: 'vid_1',
    status: 'ready',
    process: null,
    render: null,
    publish: null,
    media: { renderUrl: 'https://m.test/a.mp4' },
  }
  /** A service whose upload is received at the second look. */
  const service = (last: object = { status: 'received', videoId: 'vid_1' }) => {
    const states: object[] = [{ status: 'waiting', videoId: null }, last]
    return network(({ url, method }) => {
      if (url.hostname === 'm.test') return new Response('mp4')
      if (url.hostname === 'storage.test') return new Response(null)
      if (url.pathname.startsWith('/v1/videos')) return jsonResponse(200, { data: ready })
      const sent = { method: 'PUT', uploadUrl: 'https://storage.test/file', headers: { 'If-None-Match': '*' } }
      const state = method === 'POST' ? sent : states.length > 1 ? states.shift() : states[0]
      return jsonResponse(200, { data: { id: 'upl_1', ...state } })
    })
  }
  const newFile = (name = 'harbour.mov') => {
    const file = join(temporaryDirectory(), name)
    writeFileSync(file, 'twelve bytes')
    return file
  }

  it('sends the file, and prints the video that it has become', async () => {
    const { calls, fetch } = service()
    const { code, stdout } = await runCommand(['upload', newFile(), '--title', 'Harbour'], { fetch })
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, id: 'vid_1' })
    const [create, put] = calls as [Call, Call]
    const body = { title: 'Harbour', fileName: 'harbour.mov', contentType: 'video/quicktime', bytes: 12 }
    expect(JSON.parse(create.body)).toEqual(body)
    expect(put).toMatchObject({ method: 'PUT', headers: { 'If-None-Match': '*' } })
    // The key is for the service only.
    expect(put.headers).not.toHaveProperty('Authorization')
    expect(await new Response(put.body).text()).toBe('twelve bytes')
  })

  it('of --download requests the render, and saves it', async () => {
    const { calls, fetch } = service()
    const saved = join(temporaryDirectory(), 'captioned.mp4')
    const { stdout } = await runCommand(['upload', newFile(), '--download', saved], { fetch })
    expect(JSON.parse(calls[0]!.body).process).toEqual({ render: true })
    expect(readFileSync(saved, 'utf8')).toBe('mp4')
    expect(JSON.parse(stdout).id).toBe('vid_1')
  })

  it('says why there is no video', async () => {
    const failed = service({ status: 'failed', error: { message: 'The file is not a video.' } })
    const refused = await runCommand(['upload', newFile()], failed)
    expect(refused.code).toBe(5)
    expect(errorOf(refused.stderr).message).toContain('The file is not a video.')
    const waiting = service({ status: 'waiting', videoId: null })
    expect((await runCommand(['upload', newFile(), '--timeout', '0'], waiting)).code).toBe(4)
    expect((await runCommand(['upload', newFile('a.txt')], waiting)).code).toBe(2)
    expect((await runCommand(['upload', '/nowhere.mp4'], waiting)).code).toBe(2)
  })
})

describe('profiles', () => {
  const account = { data: { workspace: { id: 'wsp_1', name: 'Ours' }, plan: { id: 'pro' }, credits: { balance: 7 } } }
  const baseUrl = 'https://stored.test/v1'
  const login = (env: Record<string, string>, words: string[] = [], options: CommandOptions = {}) =>
    runCommand(['login', '--base-url', `${baseUrl}/`, ...words], {
      env,
      stdin: ['rs_live_stored\n'],
      ...respondWith(account),
      ...options,
    })

  it('keep the key of stdin in a file that only its user can read', async () => {
    const env = homeOfTest()
    const { code, stdout } = await login(env)
    expect(code).toBe(0)
    const { file, ...identity } = JSON.parse(stdout)
    expect(identity).toEqual({
      source: 'the profile default',
      baseUrl,
      workspace: { id: 'wsp_1', name: 'Ours' },
      plan: 'pro',
      credits: 7,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    const { calls, fetch } = respondWith(account)
    await runCommand(['whoami'], { env, fetch })
    expect(calls[0]!.url.href).toBe(`${baseUrl}/`)
    expect(calls[0]!.headers).toMatchObject({ Authorization: 'Bearer rs_live_stored' })
  })

  it('ask for the key on a terminal without showing it; backspace and Ctrl-C work', async () => {
    const env = homeOfTest()
    const typed = (text: string) => login(env, [], { stdin: [...text], isTerminal: true })
    const { code, stdout, stderr, rawModes } = await typed('rs_live_typoo\u007f\r')
    expect(code).toBe(0)
    expect(rawModes).toEqual([true, false])
    expect(stdout + stderr).not.toContain('rs_live_typo')
    expect(stderr).toBe('Key (not shown): \n')
    const { calls, fetch } = respondWith(account)
    await runCommand(['whoami'], { env, fetch })
    expect(calls[0]!.headers).toMatchObject({ Authorization: 'Bearer rs_live_typo' })
    expect(await typed('rs_\u0003')).toMatchObject({ code: 130, rawModes: [true, false] })
  })

  it('are not stored with a key that the service refuses', async () => {
    const env = homeOfTest()
    expect(
      (
        await login(
          env,
          [],
          network(() => errorResponse(401, 'unauthorized')),
        )
      ).code,
    ).toBe(3)
    expect((await runCommand(['whoami'], { env })).code).toBe(3)
  })

  it('are chosen by --profile, else the environment, else REELSMITH_PROFILE, else the last login', async () => {
    const env = homeOfTest()
    await login(env, ['--profile', 'first'], { stdin: ['key_1\n'] })
    await login(env, ['--profile', 'second'], { stdin: ['key_2\n'] })
    const keyOf = async (words: string[], more: Record<string, string> = {}) => {
      const { calls, fetch } = respondWith(account)
      await runCommand(['whoami', ...words], { env: { ...env, ...more }, fetch })
      return calls[0]?.headers.Authorization
    }
    expect(await keyOf([])).toBe('Bearer key_2')
    expect(await keyOf([], { REELSMITH_PROFILE: 'first' })).toBe('Bearer key_1')
    expect(await keyOf([], { ...testEnv, REELSMITH_PROFILE: 'first' })).toBe(`Bearer ${testKey}`)
    expect(await keyOf(['--profile', 'first'], testEnv)).toBe('Bearer key_1')
    expect(await keyOf(['--profile', 'third'])).toBeUndefined()
    await runCommand(['logout'], { env })
    expect(await keyOf([])).toBe('Bearer key_1')
    await runCommand(['logout'], { env })
    expect(await keyOf([])).toBeUndefined()
  })

  it('never send the key of the environment to another address', async () => {
    const env = homeOfTest()
    await login(env)
    const { calls, fetch } = respondWith(account)
    const { code } = await runCommand(['whoami'], { env: { ...env, REELSMITH_API_KEY: testKey }, fetch })
    expect({ code, calls }).toEqual({ code: 3, calls: [] })
  })

  it('the service of this machine is used last, in the repository only', async () => {
    const env = homeOfTest()
    const { calls, fetch } = respondWith(account)
    const findLocalService = () => ({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'local' })
    await runCommand(['whoami'], { env, fetch, findLocalService })
    await login(env)
    await runCommand(['whoami'], { env, fetch, findLocalService })
    expect(calls.map(({ url }) => url.hostname)).toEqual(['127.0.0.1', 'stored.test'])
    const overview = async (options: CommandOptions) =>
      (await runCommand(['help'], options)).stdout.replaceAll(/\s+/g, ' ')
    expect(await overview({ findLocalService })).toContain('else the service that `npm start` runs')
    expect(await overview({})).not.toContain('npm start')
  })

  it('a damaged file is an error that says what to do', async () => {
    const env = homeOfTest()
    mkdirSync(join(env.XDG_CONFIG_HOME!, 'reelsmith'), { recursive: true })
    writeFileSync(join(env.XDG_CONFIG_HOME!, 'reelsmith/credentials.json'), '{')
    const { code, stderr } = await runCommand(['whoami'], { env })
    expect(code).toBe(3)
    expect(errorOf(stderr).message).toContain('delete it and log in again')
  })
})

describe('keys', () => {
  it.each([
    ['accepted', () => jsonResponse(200, { data: {} })],
    ['refused', () => errorResponse(401, 'unauthorized')],
    ['lost', () => new TypeError('fetch failed')],
  ])('are in no output of any command, where the request is %s', async (_what, respond) => {
    const lines = commands
      .filter(({ name }) => name !== 'listen')
      .map(({ name, positionals }) => [...name.split(' '), ...positionals.map(({ values }) => values?.[0] ?? 'id')])
    const forwarding = ['trigger', 'video.created', '--forward', 'http://127.0.0.1:1/']
    for (const words of [...lines, ['doctor', '--human'], forwarding]) {
      const { stdout, stderr } = await runCommand(words, { ...network(respond), stdin: [`${testKey}\n`] })
      expect(stdout + stderr, words.join(' ')).not.toContain(testKey)
    }
  })

  it('are in no error about themselves', async () => {
    const damaged = homeOfTest()
    mkdirSync(join(damaged.XDG_CONFIG_HOME!, 'reelsmith'), { recursive: true })
    writeFileSync(join(damaged.XDG_CONFIG_HOME!, 'reelsmith/credentials.json'), `{"apiKey":${testKey}}`)
    for (const key of [`${testKey}\r`, `${testKey} ${testKey}`, `${testKey}ä`])
      for (const env of [{ ...testEnv, REELSMITH_API_KEY: key }, damaged]) {
        const { code, stderr } = await runCommand(['whoami'], { env, fetch })
        expect(code).toBe(3)
        expect(stderr).not.toContain('rs_')
      }
    const { code, stderr } = await runCommand(['login', '--base-url', 'https://a.b/v1'], {
      stdin: [`${testKey}\u0000x\n`],
      fetch,
    })
    expect(code).toBe(3)
    expect(stderr).not.toContain('rs_')
  })

  it('cannot be given as an argument', () => {
    const flags = new Set([...commands.flatMap((command) => command.flags), ...globalFlags].map(({ name }) => name))
    const ofSecrets = [...flags].filter((name) => /key|secret|token|password/.test(name))
    expect(ofSecrets.filter((name) => !['idempotency-key', 'print-secret'].includes(name))).toEqual([])
  })
})

describe('webhooks', () => {
  const secret = forwardSecret(testKey)

  it('trigger posts a signed sample, which verify accepts', async () => {
    const { calls, fetch } = network(() => new Response(null, { status: 204 }))
    const words = ['trigger', 'video.render_completed', '--forward', 'http://127.0.0.1:3000/hook']
    const { stdout } = await runCommand(words, { fetch })
    expect(JSON.parse(stdout)).toMatchObject({ event: 'video.render_completed', status: 204 })
    const [{ body, headers }] = calls as [Call]
    const event = await verifyWebhook(body, headers, secret)
    expect(event).toMatchObject({ event: 'video.render_completed', data: { video: { id: 'vid_01kbexample' } } })

    const headerWords = Object.entries(headers).flatMap((header) => ['--header', header.join(': ')])
    const verified = await runCommand(['verify', ...headerWords], { stdin: [body] })
    expect(JSON.parse(verified.stdout)).toEqual(event)
    const file = join(temporaryDirectory(), 'headers.txt')
    writeFileSync(
      file,
      Object.entries(headers)
        .map((header) => `${header.join(': ')}\r\n`)
        .join(''),
    )
    expect((await runCommand(['verify', '--header', `@${file}`], { stdin: [body] })).code).toBe(0)
    const changed = await runCommand(['verify', ...headerWords], { stdin: [`${body} `] })
    expect(changed.code).toBe(1)
    expect(errorOf(changed.stderr).code).toBe('bad-signature')
    const late = { stdin: [body], now: () => Date.now() + 400_000 }
    expect(errorOf((await runCommand(['verify', ...headerWords], late)).stderr).code).toBe('too-old')
    expect((await runCommand(['verify', '--tolerance', '500', ...headerWords], late)).code).toBe(0)
  })

  it('trigger lets the service test an endpoint, and resend queues a delivery', async () => {
    const { calls, fetch } = respondWith({ data: { delivered: true } })
    await runCommand(['trigger', 'webhook.test', '--webhook', 'whk_1'], { fetch })
    await runCommand(['events', 'resend', 'dlv_1'], { fetch })
    expect(calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'POST /v1/webhooks/whk_1/test',
      'POST /v1/webhooks/deliveries/dlv_1/resend',
    ])
  })
})

describe('open', () => {
  const video = { id: 'vid_1', status: 'ready', media: { renderUrl: 'https://m.test/a.mp4' } }
  const opened = async (options: CommandOptions, data: object = video) => {
    const launched: string[][] = []
    const launch = async (command: string, args: string[]) => launched.push([command, ...args]) > 0
    const { code, stdout } = await runCommand(['open', 'vid_1'], { ...respondWith({ data }), launch, ...options })
    return { code, launched, result: stdout && JSON.parse(stdout) }
  }

  it('starts the browser of the system, and prints the URL', async () => {
    const env = { ...testEnv, DISPLAY: ':0' }
    const url = video.media.renderUrl
    expect(await opened({ env })).toEqual({ code: 0, launched: [['xdg-open', url]], result: { url, opened: true } })
    expect((await opened({ platform: 'darwin' })).launched).toEqual([['open', url]])
    expect((await opened({ platform: 'win32' })).launched).toEqual([['rundll32', 'url.dll,FileProtocolHandler', url]])
    expect((await opened({ env: testEnv })).result).toEqual({ url, opened: false })
  })

  it('without an id shows the documents of the service, else those of the project', async () => {
    const documents = async (status: number) => {
      const { calls, fetch } = network(() => new Response(null, { status }))
      const { stdout } = await runCommand(['open'], { fetch })
      expect(calls.map(({ url, headers }) => [url.href, headers])).toEqual([['https://api.test/docs/', {}]])
      return JSON.parse(stdout).url
    }
    expect(await documents(200)).toBe('https://api.test/docs/')
    expect(await documents(404)).toBe('https://reelsmith.dev')
  })

  it('starts nothing but web pages, and nothing without a render', async () => {
    const file = { ...video, media: { renderUrl: 'file:///etc/passwd' } }
    expect((await opened({ platform: 'darwin' }, file)).launched).toEqual([])
    expect((await opened({}, { ...video, media: { renderUrl: null } })).code).toBe(1)
  })
})

describe('doctor', () => {
  const account = {
    data: { workspace: { id: 'wsp_1', name: 'Ours' }, plan: { id: 'pro' }, credits: { balance: null } },
  }
  const service = (respond: (call: Call) => Response | Error | undefined = () => undefined) =>
    network((call) => {
      const special = respond(call)
      if (special) return special
      if (call.url.pathname.endsWith('/mcp'))
        return jsonResponse(200, { result: { serverInfo: { name: 'x', version: contract.version } } })
      const date = new Date().toUTCString()
      return call.headers.Authorization ? jsonResponse(200, account) : errorResponse(401, 'unauthorized', { date })
    })
  const failing = async (options: CommandOptions) => {
    const { code, stdout } = await runCommand(['doctor'], options)
    const checks: { name: string; ok: boolean; message: string }[] = JSON.parse(stdout).checks
    return { code, failed: checks.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`) }
  }

  it('says that all is well, in sentences on a terminal', async () => {
    const { code, stdout } = await runCommand(['doctor'], { ...service(), isTerminal: true })
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^✓ reelsmith [\d.]+ runs on Node [\d.]+ \(/),
      expect.stringMatching(/^✓ No profile is stored in .+credentials\.json\.$/),
      expect.stringMatching(/^✓ https:\/\/api\.test\/v1 \(from the environment\) responds in \d+ ms\.$/),
      '✓ The key belongs to Ours (wsp_1): plan pro, unlimited credits.',
      '✓ The clock of this machine is right.',
      `✓ The service has version ${contract.version}; its MCP server is https://api.test/v1/mcp.`,
    ])
  })

  it.each<[string, number, RegExp, CommandOptions]>([
    ['an address that does not respond', 4, /address: .+ does not respond: fetch failed\. Check/, {}],
    [
      'another server',
      4,
      /address: .+ is not the Reelsmith API\. An address ends in \/v1/,
      network(() => new Response('hi')),
    ],
    [
      'a refused key',
      3,
      /key: The key is not accepted: .+ Replace the key/,
      service(({ headers }) => (headers.Authorization ? errorResponse(401, 'unauthorized') : undefined)),
    ],
    ['no key', 3, /key: There is no key\./, { env: { XDG_CONFIG_HOME: '/nowhere' } }],
    [
      'a wrong clock',
      1,
      /clock: .+ is 100\d s ahead\. .+ set the clock/,
      { ...service(), now: () => Date.now() + 1_000_000 },
    ],
    [
      'another major version',
      1,
      /version: .+ version 9\.0\.0; .+ Update/,
      service(({ url }) =>
        url.pathname.endsWith('/mcp') ? jsonResponse(200, { result: { serverInfo: { version: '9.0.0' } } }) : undefined,
      ),
    ],
  ])('says what to do about %s', async (_what, code, message, options) => {
    expect(await failing(options)).toEqual({ code, failed: [expect.stringMatching(message)] })
  })

  it('does not send the key to an address that is not the service', async () => {
    const { calls, fetch } = network(() => new Response('hi'))
    await failing({ fetch })
    expect(calls.map(({ headers }) => headers)).toEqual([{}])
  })
})

describe('configurations', () => {
  it.each(['claude', 'cursor', 'gemini', 'vscode', 'windsurf'])(
    'mcp config %s is JSON with the address, and refers to the key',
    async (client) => {
      const { code, stdout } = await runCommand(['mcp', 'config', client, '--workspace', 'wsp_2'])
      expect(code).toBe(0)
      const [server] = Object.values(Object.values(JSON.parse(stdout)).at(-1) as object)
      expect(Object.values(server)).toContain('https://api.test/v1/mcp')
      expect(server.headers).toEqual({
        Authorization: expect.stringMatching(/^Bearer \$\{(env:)?(REELSMITH_API_KEY|input:reelsmith-key)\}$/),
        'X-Service-Workspace': 'wsp_2',
      })
    },
  )

  it('mcp config codex is TOML', async () => {
    const { stdout, stderr } = await runCommand(['mcp', 'config', 'codex', '--workspace', 'wsp_2'])
    expect(stdout.trimEnd().split('\n')).toEqual([
      '[mcp_servers.reelsmith]',
      'url = "https://api.test/v1/mcp"',
      'bearer_token_env_var = "REELSMITH_API_KEY"',
      'http_headers = { "X-Service-Workspace" = "wsp_2" }',
    ])
    expect(JSON.parse(stderr).note).toContain('~/.codex/config.toml')
  })
})

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await runCommand(['complete', '--', ...words], { env: {} })).stdout.split('\n').slice(0, -1)

  it('offers nouns, verbs, flags and values', async () => {
    expect(await complete('vid')).toEqual(['videos'])
    expect(await complete('videos', 'cr')).toEqual(['create', 'create-clip'])
    expect(await complete('videos', 'create', '--aspect')).toEqual(['--aspect-ratio'])
    expect(await complete('videos', 'create', '--aspect-ratio', '')).toEqual(['16:9', '1:1', '4:5', '9:16'])
    expect(await complete('mcp', 'config', 'c')).toEqual(['claude', 'codex', 'cursor'])
    expect(await complete('trigger', '--forward', 'http://a.b', 'webhook')).toEqual(['webhook.test'])
    expect(await complete('nothing', '')).toEqual([])
  })
})
