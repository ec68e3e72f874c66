/** The cache of compiled code that the build of the image fills (`containers/media/Dockerfile`), and that is read-only afterwards. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const media = join(import.meta.dirname, '../../containers/media')

it('holds the modules of all commands and of their threads: a thread that starts adds none', () => {
  const cache = temporaryDirectory()
  const node = (...words: string[]) =>
    spawnSync(process.execPath, words, { env: { ...process.env, NODE_COMPILE_CACHE: cache }, encoding: 'utf8' })
  const cached = () => globSync('*/*', { cwd: cache }).toSorted()

  expect(node(join(media, 'main.ts'))).toMatchObject({ status: 2, stderr: expect.stringContaining('usage: main.ts') })
  const filled = cached()
  expect(filled.length).toBeGreaterThan(500)

  const threads = globSync('**/*-worker.ts', { cwd: media })
  expect(threads).toHaveLength(2)
  const start = `new (require('node:worker_threads').Worker)(process.argv[1])`
  for (const file of threads) expect(node('--eval', start, join(media, file))).toMatchObject({ status: 0 })
  // The script that starts them, and what Node wraps it with.
  expect(cached().length - filled.length).toBe(2)
})
