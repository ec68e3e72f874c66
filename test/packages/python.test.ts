/**
 * The tests of the Python client in one interpreter, without a network and against the service, and the programs of its documents.
 * Skipped without python3.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { operationName } from '../../lib/contract/operation-name.ts'
import type { Route } from '../../lib/contract/route.ts'
import { pathParameterNames, splitSignature } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'
import { findOnPath } from '../../lib/ffmpeg/binary.ts'
import { createClient } from '../../packages/client/index.js'
import { finishClip } from '../support/given/automations.ts'
import { waitFor } from '../support/wait-for.ts'
import { newWorld } from '../support/world.ts'

const folder = join(import.meta.dirname, '../../packages/python')
const python = findOnPath('python3')

const skipped = python ? '' : ' (no python3 on PATH: skipped)'
const baseUrl = inject('baseUrl')

/** Runs the interpreter with the package and the service; every warning is an error. */
const run = (apiKey: string, words: string[], environment: Record<string, string>) =>
  promisify(execFile)(python!, ['-W', 'error', ...words], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(folder, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      NO_PROXY: '*',
      REELSMITH_BASE_URL: baseUrl,
      REELSMITH_API_KEY: apiKey,
      ...environment,
    },
  })

it.skipIf(!python)(`the Python client passes its tests${skipped}`, async () => {
  const { apiKey } = await newWorld()
  const environment = { ROWS: JSON.stringify(rows()), DELIVERIES: JSON.stringify(deliveries()) }
  const tests = run(apiKey, ['-m', 'unittest', 'discover', '-s', join(folder, 'tests')], environment)
  const { stderr } = await tests.catch((error: { stderr: string }) => error)
  expect(stderr).toMatch(/\nRan \d+ tests in [\d.]+s\n\nOK\n$/)
})

it.skipIf(!python)(`the Python programs of the documents run${skipped}`, async () => {
  const pages = ['README.md', '../../docs/guides/webhooks.md'].map((page) => readFileSync(join(folder, page), 'utf8'))
  const programs = pages.flatMap((text) =>
    Array.from(text.matchAll(/^```python\n([\s\S]*?)^```$/gm), ([, code]) => code!),
  )
  expect(programs.length).toBeGreaterThan(4)
  const { workspaceId, apiKey } = await newWorld()
  const local = programs.map((code) => code.replace('http://127.0.0.1:8787/v1', baseUrl))
  const main = `import json, os
for program in json.loads(os.environ["PROGRAMS"]):
    exec(compile(program, program, "exec"), {"api_key": os.environ["REELSMITH_API_KEY"], "enqueue": print})`
  const ended = run(apiKey, ['-c', main], { PROGRAMS: JSON.stringify(local) })
  // The quickstart waits for a video: nothing generates it here.
  const { videos } = createClient({ baseUrl, apiKey })
  const first = await waitFor('the video of the quickstart', async () => (await videos.list()).data[0])
  await finishClip({ workspaceId }, first.id)
  expect((await ended).stdout).toMatch(/^Calm http\S+\.mp4\n/)
})

/** What Python should send for each row. */
function rows() {
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.entries<Route>(routes)
    .filter(([, row]) => !row.isPublic)
    .map(([id, row]) => {
      const { method, path } = splitSignature(row.signature)
      const { group, verb } = operationName(row)
      return {
        id,
        group: snakeCase(group),
        verb: snakeCase(verb),
        method,
        path: path.replace(/\{(\w+)\}/g, 'a%2Fb%20$1'),
        parameters: pathParameterNames(row),
        body: row.body !== undefined,
        idempotent: row.idempotent ?? false,
      }
    })
}

/** Deliveries as the service signs them, and how each is judged. */
function deliveries() {
  const secret = mintWebhookSecret()
  const event = {
    event: 'video.created',
    workspaceId: 'wsp_1',
    createdAt: '2026-11-02T09:00:00.000Z',
    data: { title: '🐈' },
  }
  const body = JSON.stringify(event)
  const sign = (at: number, deliveryId: string | null = 'dlv_1') =>
    signedHeaders({
      secret,
      body,
      event: event.event,
      deliveryId,
      messageId: 'dlv_1',
      at: new Date(at).toISOString(),
    })
  const now = Date.now()
  const delivery = { body, headers: sign(now), secret }
  return [
    { ...delivery, reason: 'none' },
    { ...delivery, secret: mintWebhookSecret(), reason: 'bad-signature' },
    { ...delivery, body: `${body} `, reason: 'bad-signature' },
    { ...delivery, headers: sign(now - 400_000), reason: 'too-old' },
    { ...delivery, headers: sign(now + 400_000), reason: 'too-new' },
    { ...delivery, headers: sign(now, null), reason: 'missing-header' },
  ]
}

it('the Python package has the version of the repository, and no dependencies', () => {
  const { version } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'))
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  expect(project).toContain(`\nversion = "${version}"\n`)
  expect(project).toContain('\ndependencies = []\n')
  expect(readFileSync(join(folder, 'src/reelsmith/_core.py'), 'utf8')).toContain(`\nVERSION = "${version}"\n`)
})
