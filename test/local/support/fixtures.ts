// What the tests of the local run share: a directory of their own, free ports, and waiting for a condition with a bound.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { onTestFinished } from 'vitest'
import { choosePorts } from '../../../local/ports.ts'

/** A new directory, in memory where the system has one, gone when the test is over. */
export function temporaryDirectory(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const directory = mkdtempSync(join(parent, 'reelsmith-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export async function freePort(directory: string): Promise<number> {
  return (await choosePorts(directory, ['door'])).door
}

/** Stops a door when the test is over, and hands it on. */
export async function stopAfterTest<Door extends { stop(): Promise<unknown> }>(starting: Promise<Door>): Promise<Door> {
  const door = await starting
  onTestFinished(() => door.stop().then(() => undefined))
  return door
}

/** The first truthy answer of the condition; fails the test when there is none in time. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 60_000,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  const deadline = Date.now() + withinMs
  // What comes soon is seen at once; what takes long is not slowed down by the asking.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.3, 100)) {
    const answer = await condition()
    if (answer) return answer as Exclude<T, undefined | null | false | 0 | ''>
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await delay(pauseMs)
  }
}

/** A log that a test can read. */
export function memoryLog(): { lines: string[]; log: (message: string) => void } {
  const lines: string[] = []
  return { lines, log: (message) => lines.push(message) }
}

/** False once the process is gone or only a zombie that nobody has waited for. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (!existsSync('/proc/self/stat')) return true
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

export const TEST_TABLE: CreateTableCommandInput = {
  TableName: 'reelsmith',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
}
