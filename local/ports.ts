// Ports that are stable across runs, because rows contain URLs with ports (media, queues).

import { randomInt } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

// Below the ephemeral ports of the kernel (32768 and up on Linux, 49152 on macOS): an outgoing connection could occupy a
// remembered port during a restart.
const LOWEST = 20_000
const HIGHEST = 32_767

/**
 * One port of 127.0.0.1 per name: the port of the previous run in this directory if it is free, else a free one, stored in
 * `ports.json`.
 */
export async function choosePorts<Name extends string>(
  directory: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const file = join(directory, 'ports.json')
  const remembered = read(file)
  const chosen = {} as Record<Name, number>
  for (const name of names) {
    const taken = new Set(Object.values<number>({ ...remembered, ...chosen }))
    const last = remembered[name]
    chosen[name] = last !== undefined && (await isFree(last)) ? last : await freePort(taken)
  }
  writeFileSync(`${file}.new`, JSON.stringify({ ...remembered, ...chosen }, null, 2))
  renameSync(`${file}.new`, file)
  return chosen
}

function read(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

async function freePort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (!taken.has(port) && (await isFree(port))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}
