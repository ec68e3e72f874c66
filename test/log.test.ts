/** What the logger lets through: of an error what is named, of a text what is no secret, and in each line whose it is. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AccountExpired, InputRejected, JobFailure, ProviderRejected } from '../lib/domain/core/failures.ts'
import { Refusal } from '../lib/domain/core/refusal.ts'
import { mintApiKey } from '../lib/domain/workspaces/api-key.ts'
import { redact } from '../lib/redact.ts'
import { apiEvent, noContext } from './support/api-event.ts'

process.env.POWERTOOLS_LOG_LEVEL = 'INFO'
// It reads its level when it is loaded.
const { log, silenceLog, withLogFields: loggedWith } = await import('../lib/log.ts')
const { step } = await import('../lib/pipelines/step.ts')
const { runInput } = await import('../lib/pipelines/step.ts')
const { mcpEndpoint } = await import('../lib/http/mcp-endpoint.ts')
const { callApi, newWorld } = await import('./support/world.ts')

afterEach(() => vi.restoreAllMocks())

/** The lines that `work` writes. */
async function written(work: () => unknown): Promise<ReturnType<typeof JSON.parse>[]> {
  const texts: string[] = []
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0)
  await work()
  vi.restoreAllMocks()
  return texts.map((text) => JSON.parse(text))
}

describe('an error', () => {
  it('is told by its name, message and stack, and what AWS knows it by; what else it carries is not', async () => {
    const error = Object.assign(new Error('Too much.', { cause: new Error('Below.') }), {
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 400, requestId: 'ABC', cfId: 'canary' },
      $response: { headers: { authorization: 'canary' }, body: 'canary' },
      issues: [{ input: { password: 'canary' } }],
      request: { headers: { authorization: 'canary' } },
    })
    const [line] = await written(() => log.error('fault', { error }))
    expect(line.error).toEqual({
      name: 'ThrottlingException',
      message: 'Too much.',
      stack: expect.stringContaining('log.test.ts'),
      status: 400,
      requestId: 'ABC',
      cause: { name: 'Error', message: 'Below.', stack: expect.any(String) },
    })
    expect(JSON.stringify(line)).not.toContain('canary')
  })
})

describe('a text', () => {
  const key = mintApiKey()
  it.each([
    [`the key ${key} is unknown`, 'the key rs_live_… is unknown'],
    ['signed with whsec_bWFueSBieXRlcw==, twice', 'signed with whsec_…, twice'],
    ['authorization: Bearer abc.def-ghi', 'authorization: Bearer …'],
    ['{"access_token":"abc","expires_in":3}', '{"access_token":"…","expires_in":3}'],
    ['grant_type=x&client_secret=abc&code=1', 'grant_type=x&client_secret=…&code=1'],
    ['eyJhbGciOi.eyJzdWIi.c2ln is over', '… is over'],
    ['GET https://host/a/b?X-Amz-Signature=abc&x=1 failed', 'GET https://host/a/b?… failed'],
    ['https://user:pass@host/a', 'https://…@host/a'],
    ['wsp_1/vid_1/renders/0123456789abcdef0123456789abcdef.mp4', 'wsp_1/vid_1/renders/01234567….mp4'],
  ])('%s is blackened', (text, told) => {
    expect(redact(text)).toBe(told)
  })

  it.each([
    'The endpoint answered 500.',
    'wsp_01m7zatwmmh9vffbjz0bed5438',
    '4f0a2c1e-8d05-40cd-95da-aebf80e50348',
    'https://host/a/b',
  ])('%s is left as it is', (text) => {
    expect(redact(text)).toBe(text)
  })

  it('is blackened wherever in a line it stands, the message of an error included', async () => {
    const [line] = await written(() => log.warn('x', { deep: [{ url: `https://h/?k=1` }], error: new Error(key) }))
    expect(JSON.stringify(line)).not.toMatch(new RegExp(`k=1|${key}`))
  })
})

describe('a line', () => {
  it('carries the ids of the work that it is part of, however deep and however many run at once', async () => {
    const deep = async (n: number) => {
      await new Promise(setImmediate)
      log.info('deep', { n })
    }
    const lines = await written(() =>
      Promise.all(
        [1, 2].map((n) => loggedWith({ workspaceId: `w${n}` }, () => loggedWith({ runId: `r${n}` }, () => deep(n)))),
      ),
    )
    for (const line of lines) expect(line).toMatchObject({ workspaceId: `w${line.n}`, runId: `r${line.n}` })
    expect(lines).toHaveLength(2)
  })

  it('of a step that fails names its run, and nothing that the step was given besides', async () => {
    const fails = step(runInput, 'script-failed', async () => {
      throw new Error('Broken.')
    })
    const run = { workspaceId: 'w', videoId: 'v', runId: 'r' }
    const [line] = await written(() => expect(fails({ ...run, script: { text: 'canary' } })).rejects.toThrow())
    expect(line).toMatchObject({ message: 'step.failed', ...run, error: { message: 'Broken.' } })
    expect(JSON.stringify(line)).not.toContain('canary')
  })

  it.each([
    ['WARN', new Refusal('warning-plan-storage', 'Full.')],
    ['WARN', new JobFailure('voice-failed', 'Too long.')],
    ['WARN', new AccountExpired('Connect it again.')],
    ['WARN', new InputRejected('No word of it can be spoken.')],
    ['ERROR', new ProviderRejected('The parameter is unknown.')],
    ['ERROR', new Error('Broken.')],
  ])('%s: of a step that ends with %o', async (level, reason) => {
    const fails = step(runInput, 'script-failed', () => Promise.reject(reason))
    const [line] = await written(() => expect(fails({ workspaceId: 'w', videoId: 'v', runId: 'r' })).rejects.toThrow())
    expect(line).toMatchObject({ level, message: 'step.failed' })
  })
})

describe('a failure of work on a video', () => {
  const failedStep = async (videoId: string, workspaceId: string) => {
    const fails = step(runInput, 'transcription-failed', () => Promise.reject(new Error('No such key.')))
    const [line] = await written(() => expect(fails({ workspaceId, videoId, runId: 'r' })).rejects.toThrow())
    return line
  }

  it('is an error while the video exists, and a warning once it was deleted with its files', async () => {
    const { workspaceId, apiKey: key } = await newWorld()
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'x' } })
    expect(await failedStep(body.data.id, workspaceId)).toMatchObject({ level: 'ERROR', message: 'step.failed' })
    await callApi('DELETE', `/videos/${body.data.id}`, { key })
    expect(await failedStep(body.data.id, workspaceId)).toMatchObject({ level: 'WARN', message: 'step.failed' })
  })
})

describe('a connection of the MCP server, whose URL holds a key', () => {
  const keys = { key: 'canary-key', workspaceId: 'canary-workspace' }
  const message = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account","arguments":{}}}'
  const eventWith = (method: string, query: Record<string, string>, headers: Record<string, string> = {}) => ({
    ...apiEvent(method, '/v1/mcp', { ...mcpHeaders, ...headers }, message),
    rawQueryString: new URLSearchParams(query).toString(),
    queryStringParameters: query,
  })
  const mcpHeaders = {
    host: 'localhost',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const fails = async () => {
    throw new Error('The table is gone.')
  }

  it('leaves it in no line: not of a request, a refusal or a fault, nor of the route that a tool runs', async () => {
    const route = () => import('../functions/api/account/get.ts')
    const [working, broken] = [route, async () => ({ handler: fails })].map((load) =>
      mcpEndpoint({ 'account/get': load }, '1.0.0'),
    )
    const { apiKey, workspaceId } = await newWorld()
    const valid = { key: apiKey }
    const statuses: unknown[] = []
    const lines = await written(async () => {
      const run = async (handler = working, ...event: Parameters<typeof eventWith>) =>
        statuses.push((await handler!(eventWith(...event), noContext)).statusCode)
      await run(working, 'POST', valid)
      await run(working, 'POST', keys)
      await run(working, 'GET', valid)
      await run(working, 'POST', { ...valid, workspaceId })
      await run(working, 'POST', { ...valid, readonly: 'canary' })
      await run(working, 'POST', { ...valid, canary: 'x' })
      await run(working, 'POST', valid, { origin: 'https://canary.example' })
      await run(broken, 'POST', valid)
    })
    expect(statuses).toEqual([200, 401, 405, 401, 400, 400, 403, 500])
    const text = JSON.stringify(lines)
    expect(lines.map(({ message: event }) => event)).toEqual([
      ...['request', 'request', 'request', 'request', 'request', 'request', 'request', 'request'],
      ...['fault', 'request'],
    ])
    // A key that had to be blackened was in a line.
    expect(text).not.toMatch(/canary|rs_live_|key=/)
    expect(lines[0]).toMatchObject({ route: 'GET /', status: 200, workspaceId })
    expect(lines[1]).toMatchObject({ route: 'POST /mcp', status: 200, workspaceId, keyId: expect.any(String) })
  })
})

it('nothing is written in a command, whose standard output is its result', async () => {
  silenceLog()
  expect(await written(() => log.error('fault'))).toEqual([])
})
