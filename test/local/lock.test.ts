import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isLocked, lockDirectory } from '../../local/lock.ts'
import { choosePorts } from '../../local/ports.ts'
import { startChild } from '../../local/processes.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'

test('a second run in the same directory is refused, with the owner in the message', () => {
  const directory = temporaryDirectory()
  const lock = lockDirectory(directory)
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.pid}`)
  lock.release()
  lockDirectory(directory).release()
})

test('the lock of an owner killed with SIGKILL is free again, and its reused pid does not matter', async () => {
  const directory = temporaryDirectory()
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(new URL('../../local/lock.ts', import.meta.url).href)})
    lockDirectory(${JSON.stringify(directory)}); console.log('locked'); setInterval(() => {}, 1000)`
  const lines: string[] = []
  const owner = startChild([process.execPath, '--input-type=module', '-e', script], {
    onLine: (line) => lines.push(line),
  })
  await waitFor('the other process has the lock', () => lines.includes('locked'))
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${owner.pid}`)
  process.kill(owner.pid, 'SIGKILL')
  await owner.exited
  writeFileSync(join(directory, 'lock.pid'), String(process.pid))
  lockDirectory(directory).release()
})

test('ports are stable from run to run, and a taken one is replaced', async () => {
  const directory = temporaryDirectory()
  const first = await choosePorts(directory, ['s3', 'sqs'])
  expect(first.s3).not.toBe(first.sqs)
  expect(await choosePorts(directory, ['s3', 'sqs'])).toEqual(first)

  const squatter = createServer().listen(first.s3, '127.0.0.1')
  onTestFinished(() => void squatter.close())
  await waitFor('the port is taken', () => squatter.listening)
  const next = await choosePorts(directory, ['s3', 'sqs'])
  expect(next.sqs).toBe(first.sqs)
  expect(next.s3).not.toBe(first.s3)
  expect(await choosePorts(directory, ['sqs'])).toEqual({ sqs: first.sqs })
})

test('a query reports whether a live process owns the directory', () => {
  const directory = temporaryDirectory()
  expect(isLocked(directory)).toBe(false)
  const lock = lockDirectory(directory)
  expect(isLocked(directory)).toBe(true)
  lock.release()
  expect(isLocked(directory)).toBe(false)
})

test('a query at the moment of the start does not block the owner', async () => {
  const directory = temporaryDirectory()
  lockDirectory(directory).release()
  const asks = `const lock = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(directory, 'lock'))})
    lock.exec('BEGIN EXCLUSIVE'); console.log('asking'); setTimeout(() => lock.close(), 50)`
  const lines: string[] = []
  const asking = startChild([process.execPath, '-e', asks], { onLine: (line) => lines.push(line) })
  onTestFinished(() => asking.stop(0))
  await waitFor('somebody asks', () => lines.includes('asking'))
  lockDirectory(directory).release()
})
