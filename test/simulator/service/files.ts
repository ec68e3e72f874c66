/** `node:fs` and `node:fs/promises` in memory, for the scratch files of media work. Files of the repository are real. */
import { existsSync, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'

export { accessSync, constants, existsSync, readFileSync } from 'node:fs'

const missing = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })

function read(path: string): Buffer {
  const file = simulator.files().get(String(path))
  if (file) return Buffer.from(file)
  if (existsSync(path)) return readFileSync(path)
  throw missing(path)
}

let directories = 0
export const mkdtemp = async (prefix: string) => `${prefix}${++directories}`
export const mkdir = async () => undefined
export const readdir = async (): Promise<string[]> => []
export const rm = async (path: string) => {
  for (const name of simulator.files().keys())
    if (name === path || name.startsWith(`${path}/`)) simulator.files().delete(name)
}
export const stat = async (path: string) => ({ size: read(path).byteLength })
export const readFile = async (path: string, encoding?: BufferEncoding) =>
  encoding ? read(path).toString(encoding) : read(path)
export const writeFile = async (path: string, body: Uint8Array | string) =>
  void simulator.files().set(path, Buffer.from(body as Uint8Array))
export const createReadStream = (path: string) => Readable.from([read(path)])

export function createWriteStream(path: string): Writable {
  const chunks: Uint8Array[] = []
  return new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
    final: (done) => {
      simulator.files().set(path, Buffer.concat(chunks))
      done()
    },
  })
}
