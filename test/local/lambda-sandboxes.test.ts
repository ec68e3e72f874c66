/** The media container as a function, on the local runtime API; most tests use a program that answers as they need. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Fault, type Sandboxes, startSandboxes } from '../../local/emulators/lambda-sandboxes.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { stopAfterTest } from './support/fixtures.ts'

const root = join(import.meta.dirname, '../..')
const nodeArguments = [process.execPath, '--disable-warning=ExperimentalWarning']

/** Answers with its process id; an event may ask it to fail, to exit or to do nothing. */
const program = `
const api = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/'
for (;;) {
  const next = await fetch(api + 'next')
  const path = api + next.headers.get('lambda-runtime-aws-request-id')
  const event = await next.json()
  const post = (kind, body) => fetch(path + '/' + kind, { method: 'POST', body: JSON.stringify(body) })
  if (event.does === 'exit') process.exit(3)
  if (event.does === 'nothing') await new Promise(() => setInterval(() => {}, 1000))
  if (event.does === 'fail') await post('error', { errorType: 'ProviderBusy', errorMessage: 'Busy.' })
  else await post('response', { pid: process.pid, deadline: Number(next.headers.get('lambda-runtime-deadline-ms')) })
}`

function sandboxesOf(options: { timeoutMs?: number; fault?: Fault; command?: string[] } = {}) {
  const { timeoutMs = 20_000, fault, command = [...nodeArguments, '--input-type=module', '-e', program] } = options
  const directory = join(temporaryDirectory(), 'sandboxes')
  const sandboxes = startSandboxes({ command, directory, timeoutMs, ...(fault && { faultOf: () => fault }) })
  return { ...sandboxes, directory }
}

const nameOf = (sandboxes: Pick<Sandboxes, 'invoke'>, event: unknown) =>
  sandboxes.invoke(event).then(
    () => 'no error',
    ({ name }: Error) => name,
  )

describe('a sandbox', () => {
  it('serves one invocation after another, and concurrent ones have one each', async () => {
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf()))
    const invoke = async () => (await sandboxes.invoke({})) as { pid: number; deadline: number }
    const first = await invoke()
    expect(first.deadline - Date.now()).toBeGreaterThan(10_000)
    expect((await invoke()).pid).toBe(first.pid)
    const both = await Promise.all([invoke(), invoke()])
    expect(new Set(both.map(({ pid }) => pid)).size).toBe(2)
  })

  it('fails as Lambda does: by its error, its exit and its time limit', async () => {
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf()))
    const names = ['fail', 'exit'].map((does) => nameOf(sandboxes, { does }))
    expect(await Promise.all(names)).toEqual(['ProviderBusy', 'Runtime.ExitError'])
    expect(await nameOf(sandboxes, {})).toBe('no error')
    const hurried = await stopAfterTest(Promise.resolve(sandboxesOf({ timeoutMs: 1_000 })))
    expect(await nameOf(hurried, { does: 'nothing' })).toBe('Sandbox.Timedout')
  })

  it.each([
    ['throttled', 'Lambda.TooManyRequestsException'],
    ['service', 'Lambda.ServiceException'],
    ['killed', 'Sandbox.Timedout'],
    ['vanished', 'Runtime.ExitError'],
    ['memory', 'Runtime.OutOfMemory'],
  ] as const)('that is %s fails with %s', async (fault, name) => {
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf({ fault })))
    expect(await nameOf(sandboxes, { does: 'nothing' })).toBe(name)
  })

  it('leaves no process and no scratch directory behind', async () => {
    const sandboxes = sandboxesOf()
    const { pid } = (await sandboxes.invoke({})) as { pid: number }
    const open = nameOf(sandboxes, { does: 'nothing' })
    await sandboxes.stop()
    expect(await open).toBe('Runtime.ExitError')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(readdirSync(sandboxes.directory)).toEqual([])
  })
})

describe('the media function', () => {
  it('runs commands one after another in one process, each with an empty scratch directory', async () => {
    const command = [...nodeArguments, join(root, 'containers/media/function.ts')]
    // As long as the test: a render on a busy machine.
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf({ command, timeoutMs: 90_000 })))
    const canary = () => sandboxes.invoke({ command: ['canary', '-', '-', 'run_1'] })
    const first = await canary()
    expect(first).toEqual({
      outcome: 'done',
      result: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), tools: expect.any(String) },
    })
    const [scratch] = readdirSync(sandboxes.directory)
    // Left by an invocation that crashed.
    const leftover = join(sandboxes.directory, scratch!, 'reelsmith-work-crashed')
    mkdirSync(leftover)
    writeFileSync(join(leftover, 'segment.mp4'), '')
    expect(await canary()).toEqual(first)
    expect(existsSync(leftover)).toBe(false)
    expect(readdirSync(join(sandboxes.directory, scratch!))).toEqual([])
    expect(await nameOf(sandboxes, { command: ['rm', '-rf', '/', '-'] })).toBe('ValiError')
  })

  it('reports the deadline before Lambda ends it', async () => {
    const command = [...nodeArguments, join(root, 'containers/media/function.ts')]
    // Ten seconds before the limit are already over.
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf({ command, timeoutMs: 10_500 })))
    expect(await nameOf(sandboxes, { command: ['canary', '-', '-', 'run_1'] })).toBe('DeadlineReached')
  })

  it('reports the deadline of its state where that is earlier', async () => {
    const command = [...nodeArguments, join(root, 'containers/media/function.ts')]
    const sandboxes = await stopAfterTest(Promise.resolve(sandboxesOf({ command, timeoutMs: 90_000 })))
    const event = { command: ['canary', '-', '-', 'run_1'], timeoutSeconds: 10 }
    expect(await nameOf(sandboxes, event)).toBe('DeadlineReached')
  })
})
