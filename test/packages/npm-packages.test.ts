/** The npm client as others get it: packed, installed into an empty folder, and loaded by every supported Node on PATH. */
import { execFile } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'
import { findOnPath } from '../../lib/ffmpeg/binary.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** The Node of the tests, and each other one on PATH that the package supports. */
async function supportedNodes(): Promise<string[]> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = [process.execPath, ...folders.flatMap((PATH) => findOnPath('node', { PATH }) ?? [])]
  const distinct = [...new Set(found.map((path) => realpathSync(path)))]
  const versions = await Promise.all(distinct.map((path) => run(path, ['--version'])))
  const isSupported = (version: string) => version.localeCompare('v20.19.0', 'en', { numeric: true }) >= 0
  return distinct.filter((_, index) => isSupported(versions[index]!.stdout))
}

const secret = mintWebhookSecret()
const event = { event: 'video.created', workspaceId: 'wsp_1', createdAt: new Date().toISOString(), data: {} }
const body = JSON.stringify(event)
const ids = { deliveryId: 'dlv_1', messageId: 'dlv_1' }
const headers = signedHeaders({ secret, body, event: event.event, at: event.createdAt, ...ids })

/** Calls without a network, and verifies a delivery. */
const program = `
import { createClient, ReelsmithError } from '@reelsmith/client'
import { verifyWebhook } from '@reelsmith/client/webhooks'

const page = (ids, offset) => Response.json({ data: ids.map((id) => ({ id })), paging: { limit: 2, offset, total: 3 } })
const replies = [new Error('lost'), page(['c', 'b'], 0), page(['a'], 2), Response.json({}, { status: 404 })]
const fetch = async () => {
  const reply = replies.shift()
  if (reply instanceof Error) throw reply
  return reply
}
const client = createClient({ baseUrl: 'https://api.test/v1', apiKey: 'key', fetch, sleep: async () => {} })
const listed = []
for await (const { id } of client.videos.list({ limit: 2 })) listed.push(id)
const error = await client.videos.get('vid_1').catch((error) => error)
const { event } = await verifyWebhook(${JSON.stringify(body)}, ${JSON.stringify(headers)}, ${JSON.stringify(secret)})
console.log([...listed, error instanceof ReelsmithError, error.code, event].join(' '))
`

it('installed into an empty folder, it has no other package, and runs on every supported Node', async () => {
  const directory = temporaryDirectory()
  const npm = (...words: string[]) =>
    run('npm', [...words, '--no-update-notifier', '--loglevel=error'], { cwd: directory })
  const { stdout } = await npm('pack', join(root, 'packages/client'), '--json')
  const [{ filename, files }] = JSON.parse(stdout)
  expect(files.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'index.d.ts',
    'index.js',
    'package.json',
    'table.js',
    'types.d.ts',
    'webhooks.d.ts',
    'webhooks.js',
  ])
  await npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund', '--ignore-scripts')
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@reelsmith/client'])
  writeFileSync(join(directory, 'program.mjs'), program)
  const nodes = await supportedNodes()
  const outputs = await Promise.all(nodes.map((node) => run(node, ['program.mjs'], { cwd: directory })))
  expect(outputs.map((output) => output.stdout)).toEqual(
    nodes.map(() => 'c b a true unreadable-answer video.created\n'),
  )
})

it('has the licence of the repository', () => {
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  for (const folder of ['client', 'python'])
    expect(readFileSync(join(root, 'packages', folder, 'LICENSE'), 'utf8')).toBe(licence)
})
