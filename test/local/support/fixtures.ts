/** What the tests of the local run share: free ports, servers that stop with the test, and a log in memory. */
import { existsSync, readFileSync } from 'node:fs'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { onTestFinished } from 'vitest'
import { choosePorts } from '../../../local/ports.ts'

export async function freePort(directory: string): Promise<number> {
  return (await choosePorts(directory, ['door'])).door
}

/** Stops a service when the test is over, and returns it. */
export async function stopAfterTest<Door extends { stop(): Promise<unknown> }>(starting: Promise<Door>): Promise<Door> {
  const door = await starting
  onTestFinished(() => door.stop().then(() => undefined))
  return door
}

/** A log that a test can read. */
export function memoryLog(): { lines: string[]; log: (message: string) => void } {
  const lines: string[] = []
  return { lines, log: (message) => lines.push(message) }
}

/** False once the process is gone or only an unreaped zombie. */
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
