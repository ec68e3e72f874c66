// DynamoDB and its streams: dynoxide 1.2.1, one static binary over SQLite, as a child process.

import { randomInt } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
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

interface DynamodbOptions {
  readonly port: number
  /** Holds `dynamodb.sqlite`. /dev/shm suits tests; dynoxide's in-memory mode does not, because its stream cannot be indexed. */
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
 * the emulator does not accept connections within 10 s, or if the indexes of the stored table differ from the definition.
 */
export async function startDynamodb(options: DynamodbOptions): Promise<Dynamodb> {
  const { port, log } = options
  const file = join(options.directory, 'dynamodb.sqlite')
  const host = privateHost(options.directory)
  const command = [findBinary(), 'serve', '--host', host, '--port', String(port), '--db-path', file]
  let lastLine = ''
  const start = () =>
    startChild(command, {
      onLine: (line) => {
        lastLine = line || lastLine
      },
    })
  const supervised = superviseChild('dynoxide', start, log)
  const url = `http://${host}:${port}`
  const client = new DynamoDBClient(awsClientConfig(url))
  try {
    if (!(await acceptsConnections(host, port)))
      throw new Error(`dynoxide does not accept connections on port ${port}: ${lastLine}`)
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
 * dynoxide allows every origin (CORS) and checks neither Host nor signature, so a page of another site must not find it. Linux routes all
 * of 127.0.0.0/8 to loopback: a random address per directory is one of 16 million, too many to scan. Other systems have only 127.0.0.1.
 */
function privateHost(directory: string): string {
  if (process.platform !== 'linux') return '127.0.0.1'
  const file = join(directory, 'dynamodb-host')
  if (!existsSync(file)) {
    const host = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
    writeFileSync(file, host, { mode: 0o600 })
  }
  return readFileSync(file, 'utf8')
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

async function acceptsConnections(host: string, port: number): Promise<boolean> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    if (await accepts(host, port)) return true
    await delay(5)
  }
  return false
}

function accepts(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, host, () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
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
