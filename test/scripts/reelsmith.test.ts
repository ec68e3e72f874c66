/** `npm run reelsmith`: the command line as a process, next to a local run. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Runtime } from '../../local/runtime.ts'
import { temporaryDataDirectory } from '../pipelines/service-process.ts'
import { newCommandDirectory } from '../pipelines/shared-service.ts'
import { spawnScript } from './script-process.ts'

let directory: string
let runtime: Runtime
let remove: () => void

beforeAll(async () => {
  ;({ directory, runtime, remove } = await newCommandDirectory())
})
afterAll(() => remove())

/** Runs a command to its end. */
async function reelsmith(...words: string[]) {
  const { ended, output, errors } = spawnScript('reelsmith.ts', words, directory)
  return { code: await ended, stdout: output(), stderr: errors() }
}

describe('next to a local run', () => {
  it('creates a video, waits for it and downloads it', async () => {
    const words = [
      'videos',
      'create',
      '--text',
      'A few words for today.',
      '--title',
      'Mornings',
      '--download',
      'film.mp4',
    ]
    const { code, stdout, stderr } = await reelsmith(...words)
    expect(stderr).toBe('{"note":"Saved film.mp4"}\n')
    expect(code).toBe(0)
    const video = JSON.parse(stdout)
    expect(video).toMatchObject({ title: 'Mornings', status: 'ready' })
    expect(statSync(join(directory, 'film.mp4')).size).toBe(video.media.bytes)
    expect(JSON.parse((await reelsmith('watch', video.id)).stdout).id).toBe(video.id)
    const uploaded = JSON.parse((await reelsmith('upload', 'film.mp4')).stdout)
    expect(uploaded).toMatchObject({ type: 'video', title: 'film' })
    // Saves its generation, which this test does not need.
    await reelsmith('videos', 'delete', uploaded.id)
    const listed = await reelsmith('videos', 'list', '--all', '--status', 'ready')
    expect(
      listed.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([video.id])
  })

  it('finds nothing wrong', async () => {
    const { code, stdout } = await reelsmith('doctor', '--human')
    expect(stdout).not.toContain('✗')
    expect(stdout).toContain(`✓ The key belongs to`)
    expect(stdout).toContain(`(${runtime.workspaceId})`)
    expect(stdout).toContain(`its MCP server is ${runtime.baseUrl}/mcp.`)
    expect(code).toBe(0)
  })

  it('reports a refusal of the service', async () => {
    const { code, stderr } = await reelsmith('videos', 'create', '--prompt', 'x', '--aspect-ratio', '2:1')
    expect(code).toBe(1)
    const details = [{ path: 'body.aspectRatio', allowed: ['9:16', '16:9', '1:1', '4:5'] }]
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'invalid-request', status: 400, details })
  })
})

it('without one, says how to start it', async () => {
  const other = temporaryDataDirectory()
  onTestFinished(other.remove)
  for (const words of [['whoami'], ['--local', 'whoami']]) {
    const { ended, errors } = spawnScript('reelsmith.ts', words, other.directory)
    expect(await ended).toBe(3)
    expect(errors()).toContain('npm start')
  }
})
