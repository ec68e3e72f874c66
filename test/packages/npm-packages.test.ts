/** The npm packages as others get them: packed, installed into an empty folder, and run by every supported Node on PATH. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
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

/** Packs a package and installs it into a new folder, offline. */
async function installed(folder: string) {
  const directory = temporaryDirectory()
  const npm = (...words: string[]) =>
    run('npm', [...words, '--no-update-notifier', '--loglevel=error'], { cwd: directory })
  const { stdout } = await npm('pack', join(root, folder), '--json')
  const [{ filename, files }] = JSON.parse(stdout)
  await npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund', '--ignore-scripts')
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
  return {
    directory,
    files: files.map(({ path }: { path: string }) => path).toSorted() as string[],
    packages: Object.keys(lock.packages),
  }
}

it('the client has no other package, and runs on every supported Node', async () => {
  const { directory, files, packages } = await installed('packages/client')
  expect(files).toEqual([
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
  expect(packages).toEqual(['', 'node_modules/@reelsmith/client'])
  writeFileSync(join(directory, 'program.mjs'), program)
  const nodes = await supportedNodes()
  const outputs = await Promise.all(nodes.map((node) => run(node, ['program.mjs'], { cwd: directory })))
  expect(outputs.map((output) => output.stdout)).toEqual(
    nodes.map(() => 'c b a true unreadable-answer video.created\n'),
  )
})

it('the command line has no other package, and runs on every supported Node', async () => {
  const { directory, files, packages } = await installed('packages/cli')
  const modules = globSync('{*,client/*,commands/*}.js', { cwd: join(root, 'packages/cli') })
  expect(files).toEqual(['LICENSE', 'README.md', 'operations.json', 'package.json', ...modules].toSorted())
  expect(packages).toEqual(['', 'node_modules/reelsmith'])
  const program = join(directory, 'node_modules/.bin/reelsmith')
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: directory }
  const { stdout: version } = await run(program, ['--version'], { env })
  expect(version).toBe(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`)
  for (const node of await supportedNodes()) {
    const { stdout } = await run(node, [program, 'schema', 'videos', 'create'], { env })
    expect(JSON.parse(stdout).title).toBe('CreateVideoRequest')
    const refused = await run(node, [program, 'videos', 'list'], { env }).catch((error) => error)
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('"code":"no-credentials"') })
  }
})

it('they have the licence and the version of the repository', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  for (const folder of ['client', 'python', 'cli']) expect(read(`packages/${folder}/LICENSE`)).toBe(read('LICENSE'))
  const { version } = JSON.parse(read('package.json'))
  for (const folder of ['client', 'cli'])
    expect(JSON.parse(read(`packages/${folder}/package.json`)).version).toBe(version)
})
