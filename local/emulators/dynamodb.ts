// DynamoDB and its streams: dynoxide 1.2.1, one static binary over SQLite, as a child process.

import { randomInt } from 'node:crypto'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb'
import { awsClientConfig } from '../aws-client-config.ts'
import { type RunningServer, runOnce } from '../listen.ts'
import type { Log } from '../log.ts'
import { startChild, superviseChild } from '../processes.ts'
import { startMaintenance } from './dynamodb-maintenance.ts'

const LISTEN_MS_MAX = 10_000

interface DynamodbOptions {
  /** Holds `dynamodb.sqlite`, and `dynamodb-address.json` with host and port. /dev/shm suits tests; dynoxide's in-memory mode does not, because its stream cannot be indexed. */
  readonly directory: string
  readonly table: CreateTableCommandInput
  /** The attribute with the time, in seconds since 1970, after which an item may be deleted. */
  readonly ttlAttribute: string
  readonly log: Log
}

interface Dynamodb extends RunningServer {
  readonly pid: number
  readonly streamArn: string
  /** Changes with every write. */
  readonly version: () => number
}

/**
 * Starts and supervises the emulator and creates the table if it is missing. Throws if there is no binary for this platform, if
 * the emulator does not listen within 10 s, or if the indexes of the stored table differ from the definition.
 */
export async function startDynamodb(options: DynamodbOptions): Promise<Dynamodb> {
  const { log } = options
  const file = join(options.directory, 'dynamodb.sqlite')
  const binary = findBinary()
  const { supervised, url } = await listenAtFreeAddress(options.directory, ({ host, port }, onLine) =>
    superviseChild(
      'dynoxide',
      () => startChild([binary, 'serve', '--host', host, '--port', String(port), '--db-path', file], { onLine }),
      log,
    ),
  )
  const client = new DynamoDBClient(awsClientConfig(url))
  try {
    const streamArn = await ensureTable(client, options.table)
    const maintenance = startMaintenance({
      client,
      file,
      table: options.table,
      ttlAttribute: options.ttlAttribute,
      log,
    })
    const versions = watchVersion(file)
    const stop = runOnce(async () => {
      await maintenance.stop()
      versions.close()
      client.destroy()
      await supervised.stop()
    })
    return {
      url,
      streamArn,
      version: versions.current,
      stop,
      get pid() {
        return supervised.pid
      },
    }
  } catch (error) {
    client.destroy()
    await supervised.stop()
    throw error
  }
}

/**
 * dynoxide allows every origin (CORS), checks neither Host nor signature, and listens on TCP only: a guard in front would leave its own port
 * open. Browsers connect to none of these ports, whatever the host, scheme or kind of request: they are "bad ports" of
 * https://fetch.spec.whatwg.org/#port-blocking. All are above 1023. Common services have the others (NFS 2049, SIP 5060, X11 6000).
 */
export const BROWSER_BLOCKED_PORTS: readonly number[] = [
  6665, 6666, 6667, 6668, 6669, 3659, 4045, 6679, 6697, 6566, 10080, 1719, 1720, 1723, 5061,
]

interface Address {
  readonly host: string
  readonly port: number
}

type Supervised = ReturnType<typeof superviseChild>

/** Tries the address of the last run, then others, until the emulator itself reports that it listens there. */
async function listenAtFreeAddress(
  directory: string,
  start: (address: Address, onLine: (line: string) => void) => Supervised,
): Promise<{ supervised: Supervised; url: string }> {
  const file = join(directory, 'dynamodb-address.json')
  for (const address of [...lastAddress(file), ...newAddresses()]) {
    if (!(await isFree(address))) continue
    const { promise: listening, resolve } = Promise.withResolvers<boolean>()
    let lastLine = ''
    const supervised = start(address, (line) => {
      lastLine = line || lastLine
      if (line.includes('listening on')) resolve(true)
      // Another emulator took the port since the check.
      if (line.includes('already in use')) resolve(false)
    })
    const timeout = new AbortController()
    const isListening = await Promise.race([
      listening,
      delay(LISTEN_MS_MAX, undefined, { signal: timeout.signal }).catch(() => undefined),
    ])
    timeout.abort()
    if (isListening) {
      writeFileSync(file, JSON.stringify(address))
      return { supervised, url: `http://${address.host}:${address.port}` }
    }
    await supervised.stop()
    if (isListening === undefined) throw new Error(`dynoxide does not listen on port ${address.port}: ${lastLine}`)
  }
  throw new Error(
    `The local DynamoDB needs one of the ports ${BROWSER_BLOCKED_PORTS.join(', ')}, and all are in use. Stop another local run.`,
  )
}

function lastAddress(file: string): Address[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))]
  } catch {
    return []
  }
}

/** Linux routes all of 127.0.0.0/8 to loopback: a random host has all ports free. Other systems have only 127.0.0.1. */
function newAddresses(): Address[] {
  const host =
    process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}` : '127.0.0.1'
  return BROWSER_BLOCKED_PORTS.map((port) => ({ host, port }))
}

/** https://sqlite.org/pragma.html#pragma_data_version: it changes when another connection, such as dynoxide's, commits. */
function watchVersion(file: string): { current: () => number; close: () => void } {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  const version = database.prepare('PRAGMA data_version')
  return { current: () => Number(version.get()?.data_version), close: () => database.close() }
}

/** The binary of the npm package for this platform, else `dynoxide` on PATH. Throws an error that names what to install. */
function findBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide`)
  } catch {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      if (isExecutable(join(folder, 'dynoxide'))) return join(folder, 'dynoxide')
    }
  }
  throw new Error(
    `The local DynamoDB (dynoxide) has no installed binary for ${process.platform} ${process.arch}. ` +
      `Install the npm package ${name} if there is one, or put a dynoxide 1.2.1 binary on PATH ` +
      '(https://github.com/nubo-db/dynoxide/releases).',
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isFree({ host, port }: Address): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, host, () => server.close(() => resolve(true)))
  return promise
}

/** Returns the ARN of the table's stream. */
async function ensureTable(client: DynamoDBClient, table: CreateTableCommandInput): Promise<string> {
  await client.send(new CreateTableCommand(table)).catch((error) => {
    if (!(error instanceof ResourceInUseException)) throw error
  })
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table.TableName }))
  const stored = indexNames(Table?.GlobalSecondaryIndexes)
  const wanted = indexNames(table.GlobalSecondaryIndexes)
  if (stored !== wanted) {
    throw new Error(
      `The stored table has the indexes [${stored}], this version needs [${wanted}]. Delete the data directory.`,
    )
  }
  return Table?.LatestStreamArn ?? ''
}

function indexNames(indexes: readonly { IndexName?: string | undefined }[] = []): string {
  return indexes.map((index) => index.IndexName).sort().join(', ') // biome-ignore format: one thought
}
