import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ModelProcessOptions, modelProcess } from '../../../local/models/model-process.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import type { ToyInput } from './toy-process.ts'

function startToy(options: Partial<ModelProcessOptions> & { failsToLoad?: boolean } = {}) {
  const loads = join(temporaryDirectory(), 'loads')
  const crashes: string[] = []
  const toy = modelProcess<ToyInput, { echo: string; pid: number; blocks: number }>({
    ...{ name: 'Toy', script: new URL('./toy-process.ts', import.meta.url), memoryBytes: 256 * 2 ** 20 },
    settings: { loads, failsToLoad: options.failsToLoad },
    onCrash: (message) => crashes.push(message),
    ...options,
  })
  onTestFinished(toy.stop)
  const request = (input: ToyInput, timeoutMs = 30_000, signal?: AbortSignal) =>
    toy.request(input, { timeoutMs, ...(signal && { signal }) })
  return { toy, request, crashes, loaded: () => readFileSync(loads, 'utf8').trim().split('\n') }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the process of a model', () => {
  it('starts with the first request, and answers requests in order', async () => {
    const { toy, request, loaded } = startToy()
    expect(toy.pid).toBeUndefined()
    const answers = await Promise.all([request({ echo: 'a', sleepMs: 50 }), request({ echo: 'b' })])
    expect(answers.map(({ echo }) => echo)).toEqual(['a', 'b'])
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1)
    expect(loaded()).toHaveLength(1)
  })

  it('starts again after a crash, which fails its request only', async () => {
    const { request, crashes, loaded } = startToy()
    const [first, crashed, second] = await Promise.allSettled([
      request({ echo: 'a' }),
      request({ exit: 7 }),
      request({ echo: 'b' }),
    ])
    expect(first).toMatchObject({ value: { echo: 'a' } })
    expect(crashed).toMatchObject({ reason: { name: 'ModelFailed', message: 'Toy ended with exit code 7.' } })
    expect(second).toMatchObject({ value: { echo: 'b' } })
    expect(crashes).toHaveLength(1)
    expect(loaded()).toHaveLength(2)
  })

  it('cannot take more memory than it may', async () => {
    const { request } = startToy()
    const taken = await request({ allocateMegabytes: 64 })
    expect(taken.blocks).toBe(1)
    await expect(request({ allocateMegabytes: 2_048 })).rejects.toMatchObject({ name: 'ModelFailed' })
    expect(await request({ echo: 'c' })).toMatchObject({ echo: 'c' })
  })

  it('is killed when a request takes too long, or its caller has left', async () => {
    const { toy, request, crashes } = startToy()
    await request({ echo: 'a' })
    const pid = toy.pid!
    await expect(request({ sleepMs: 60_000 }, 100)).rejects.toThrow('Toy took longer than 0.1 s.')
    await expect.poll(() => isAlive(pid)).toBe(false)
    const abort = new AbortController()
    const abandoned = request({ sleepMs: 60_000 }, 30_000, abort.signal)
    await delay(50)
    abort.abort()
    await expect(abandoned).rejects.toThrow('Toy was interrupted.')
    expect(await request({ echo: 'b' })).toMatchObject({ echo: 'b' })
    expect(crashes).toEqual([])
  })

  it('reports an input that it refuses, and goes on', async () => {
    const { request, loaded } = startToy()
    await expect(request({ refuse: 'There is no voice x.' })).rejects.toMatchObject({
      ...{ name: 'InputRefused', message: 'There is no voice x.' },
    })
    await request({ echo: 'a' })
    expect(loaded()).toHaveLength(1)
  })

  it('that cannot load is not started again at once, and its reason is reported', async () => {
    const { request, crashes, loaded } = startToy({ failsToLoad: true })
    await expect(request({ echo: 'a' })).rejects.toThrow('Toy ended with exit code 1.')
    await expect(request({ echo: 'a' })).rejects.toThrow('Toy could not be loaded.')
    expect(loaded()).toHaveLength(1)
    expect(crashes.join()).toContain('The file is damaged.')
  })

  it('ends when it is idle, and with the service', async () => {
    const { toy, request } = startToy({ idleMs: 100 })
    const { pid } = await request({ echo: 'a' })
    await expect.poll(() => isAlive(pid)).toBe(false)
    const next = await request({ echo: 'b' })
    expect(next.pid).not.toBe(pid)
    toy.stop()
    await expect.poll(() => isAlive(next.pid)).toBe(false)
    await expect(request({ echo: 'c' })).rejects.toThrow('Toy was stopped.')
  })

  it('ends when the service is killed', async () => {
    const script = join(import.meta.dirname, 'toy-service.ts')
    const service = spawn(process.execPath, [script, join(temporaryDirectory(), 'loads')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    const [line] = await once(service.stdout!, 'data')
    const pid = Number(String(line))
    expect(isAlive(pid)).toBe(true)
    service.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
