/** The programs of docs/guides/quickstart.md, run against the running service, all at once. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findOnPath } from '../../lib/ffmpeg/binary.ts'
import { createClient } from '../../packages/client/index.js'
import { newApiClient } from '../pipelines/shared-service.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/guides/quickstart.md'), 'utf8')
const missing = ['bash', 'curl', 'jq', 'python3'].filter((name) => !findOnPath(name))
const skipped = missing.length > 0 ? ` (no ${missing.join(', ')} on PATH: skipped)` : ''

/** The program below a heading, with the command that runs it. */
const programs: [heading: string, file: string, command: string][] = [
  ['curl', 'cats.sh', 'bash -euo pipefail cats.sh'],
  ['TypeScript', 'cats.ts', `${process.execPath} cats.ts`],
  ['Python', 'cats.py', 'python3 -W error cats.py'],
  ['Command line', 'cats.sh', 'bash -eu cats.sh'],
]

it.skipIf(skipped)(`every program of the quickstart makes a video and saves it${skipped}`, async () => {
  const { baseUrl, apiKey } = await newApiClient()
  const folder = temporaryDirectory()
  const link = (name: string, target: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(root, target), join(folder, name))
  }
  // What the `npm install` of the page does.
  link('node_modules/@reelsmith/client', 'packages/client')
  link('bin/reelsmith', 'packages/cli/bin.js')
  const env = {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    PYTHONPATH: join(root, 'packages/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    NO_PROXY: '*',
    REELSMITH_BASE_URL: baseUrl,
    REELSMITH_API_KEY: apiKey,
  }
  const run = async ([heading, file, command]: (typeof programs)[number]) => {
    const program = new RegExp(`^### ${heading}\\n[^#]*?^\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!
    const cwd = join(folder, heading)
    mkdirSync(cwd)
    writeFileSync(join(cwd, file), program)
    const [executable, ...words] = command.split(' ')
    await promisify(execFile)(executable!, words, { cwd, env })
    return readFileSync(join(cwd, 'cats.mp4')).subarray(4, 8).toString()
  }
  expect(await Promise.all(programs.map(run))).toEqual(programs.map(() => 'ftyp'))
  expect((await createClient({ baseUrl, apiKey }).videos.list({ status: 'ready' })).paging.total).toBe(programs.length)
})
