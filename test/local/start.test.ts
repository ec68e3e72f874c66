/** `npm start` as a terminal or a supervisor runs it: through npm and a shell. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { isLocked } from '../../local/lock.ts'
import { findRuntime } from '../../local/runtime.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'

const root = join(import.meta.dirname, '../..')
const stopMsMax = 8_000

test('SIGTERM to npm ends the service and frees its port and directory within seconds', async () => {
  const directory = temporaryDirectory()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: directory, PORT: '0', MAKERS: 'built-in', LOG: 'json' },
    stdio: 'ignore',
  })
  onTestFinished(() => void npm.kill('SIGKILL'))
  const { baseUrl, pid } = await waitFor('it runs', () => findRuntime(directory))
  onTestFinished(() => {
    // Only a failed test leaves it running.
    if (isLocked(directory)) process.kill(pid, 'SIGKILL')
  })
  // Rows, objects and keys are of this user only.
  const exposed = readdirSync(directory, { recursive: true }).filter((file) => {
    const stats = statSync(join(directory, String(file)), { throwIfNoEntry: false })
    return stats && (stats.mode & 0o077) !== 0
  })
  expect(exposed).toEqual([])

  const startedAt = Date.now()
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  await waitFor('the lock is free', () => !isLocked(directory))
  expect(Date.now() - startedAt).toBeLessThan(stopMsMax)
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed')
  expect(existsSync(join(directory, 'runtime.json'))).toBe(false)
})

test('a port that is in use is refused in one sentence that says what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const PORT = String((server.address() as AddressInfo).port)
  const main = spawn(process.execPath, [join(root, 'local/main.ts')], {
    env: { ...process.env, DATA_DIR: temporaryDirectory(), PORT, MAKERS: 'built-in' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, , [code]] = await Promise.all([text(main.stdout), text(main.stderr), once(main, 'exit')])
  expect(code).toBe(1)
  expect(output).toContain(
    `Reelsmith could not start: port ${PORT} is in use. Set PORT to another one, for example PORT=8788 npm start.`,
  )
})

test('every command that runs one program replaces the shell of npm, so that a signal reaches the program', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const single = Object.entries(scripts).filter(([, line]) => line.split('scripts/run.sh').length === 2)
  const shells = single.filter(([, line]) => !/^(?:[A-Z]+=\w+ )?exec bash scripts\/run\.sh /.test(line))
  expect(shells.map(([name]) => name)).toEqual([])
})
