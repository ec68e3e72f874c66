import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isComplete } from '../../local/models/folder.ts'
import { type ModelFile, models } from '../../local/models/manifest.ts'
import { bytesPresent, type DownloadOptions, downloadFile, refuseFullDisk } from '../../scripts/models/download.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251))
const file: ModelFile = {
  repository: 'owner/repository',
  revision: '0'.repeat(40),
  path: 'onnx/model.onnx',
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
}

interface HostOptions {
  body?: Buffer
  ignoresRange?: boolean
  status?: number
  /** Closes the connection after this many bytes of each of the first answers. */
  cuts?: number[]
}

/** A loopback host with the paths of huggingface.co. */
async function startHost({ body = content, ignoresRange = false, status, cuts = [] }: HostOptions = {}) {
  const ranges: (string | undefined)[] = []
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    ranges.push(request.headers.range)
    paths.push(request.url)
    const from = ignoresRange ? 0 : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = body.subarray(from)
    const headers = {
      'content-length': rest.length,
      'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
    }
    response.writeHead(status ?? (from > 0 ? 206 : 200), headers)
    const cut = cuts.shift()
    if (cut === undefined) response.end(rest)
    // Later: fetch discards what its reader has not consumed when the connection breaks.
    else response.write(rest.subarray(0, cut), () => setTimeout(() => response.destroy(), 300))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges, paths }
}

const optionsFor = (host: string): DownloadOptions => ({ directory: temporaryDirectory(), host, retryDelaysMs: [] })
const target = ({ directory }: DownloadOptions) => join(directory, file.path)

function writePart(options: DownloadOptions, bytes: Buffer) {
  mkdirSync(join(options.directory, 'onnx'), { recursive: true })
  writeFileSync(`${target(options)}.part`, bytes)
}

describe('the download of a model', () => {
  it('writes the verified file of the pinned revision', async () => {
    const { host, ranges, paths } = await startHost()
    const options = optionsFor(host)
    const progress: number[] = []
    await downloadFile(file, { ...options, onProgress: (bytes) => progress.push(bytes) })
    expect(readFileSync(target(options))).toEqual(content)
    expect(existsSync(`${target(options)}.part`)).toBe(false)
    expect(isComplete(options.directory, file)).toBe(true)
    expect(progress.at(-1)).toBe(content.length)
    expect(paths).toEqual([`/owner/repository/resolve/${file.revision}/onnx/model.onnx`])
    expect(ranges).toEqual([undefined])
    await downloadFile(file, options)
    expect(ranges).toHaveLength(1)
  })

  it('continues an interrupted download with a range', async () => {
    const { host, ranges } = await startHost()
    const options = optionsFor(host)
    writePart(options, content.subarray(0, 123_456))
    expect(bytesPresent(options.directory, file)).toBe(123_456)
    await downloadFile(file, options)
    expect(ranges).toEqual(['bytes=123456-'])
    expect(readFileSync(target(options))).toEqual(content)
  })

  it('starts again where the server ignores ranges', async () => {
    const { host, ranges } = await startHost({ ignoresRange: true })
    const options = optionsFor(host)
    writePart(options, content.subarray(0, 1_000))
    await downloadFile(file, options)
    expect(ranges).toEqual(['bytes=1000-'])
    expect(readFileSync(target(options))).toEqual(content)
  })

  it('retries a broken connection from where it broke', async () => {
    const { host, ranges } = await startHost({ cuts: [100_000, 50_000] })
    const options = { ...optionsFor(host), retryDelaysMs: [1, 1] }
    await downloadFile(file, options)
    expect(ranges).toEqual([undefined, 'bytes=100000-', 'bytes=150000-'])
    expect(readFileSync(target(options))).toEqual(content)
  })

  it('keeps what has arrived when the connection stays broken', async () => {
    const { host } = await startHost({ cuts: [100_000] })
    const options = optionsFor(host)
    await expect(downloadFile(file, options)).rejects.toThrow(/broke after 100 kB of 300 kB. Run the command again/)
    expect(bytesPresent(options.directory, file)).toBe(100_000)
    await downloadFile(file, options)
    expect(readFileSync(target(options))).toEqual(content)
  })

  it('deletes a file with another checksum', async () => {
    const { host } = await startHost({ body: Buffer.alloc(content.length) })
    const options = optionsFor(host)
    await expect(downloadFile(file, options)).rejects.toThrow(/has the SHA-256 .* instead of .*It was deleted/)
    expect(bytesPresent(options.directory, file)).toBe(0)
    expect(existsSync(target(options))).toBe(false)
  })

  it('deletes a file that is longer than the pinned one', async () => {
    const { host } = await startHost({ body: Buffer.concat([content, content]) })
    const options = optionsFor(host)
    await expect(downloadFile(file, options)).rejects.toThrow(/longer than the pinned file/)
    expect(bytesPresent(options.directory, file)).toBe(0)
  })

  it('names the status of a refusal', async () => {
    const { host } = await startHost({ status: 404 })
    await expect(downloadFile(file, optionsFor(host))).rejects.toThrow(/answers 404 for onnx\/model.onnx/)
  })

  it('names the host that cannot be reached', async () => {
    await expect(downloadFile(file, optionsFor('http://127.0.0.1:1'))).rejects.toThrow(
      '127.0.0.1:1 cannot be reached. Check the network and run the command again.',
    )
  })

  it('does not start without the space it takes', async () => {
    await expect(refuseFullDisk(temporaryDirectory(), 1e18)).rejects.toThrow(/free, and 1000000000.00 GB are needed/)
    await refuseFullDisk(temporaryDirectory(), 1_000)
  })
})

it('pins every file of every model, and every package', () => {
  for (const name of models.flatMap(({ packages }) => packages))
    expect(name).toMatch(/^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/)
  for (const { revision, sha256, bytes } of models.flatMap(({ files }) => files)) {
    expect(revision).toMatch(/^[0-9a-f]{40}$/)
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(bytes).toBeGreaterThan(0)
  }
})

describe('npm run models', () => {
  /** Runs the command; an unreachable host stands in for the network. */
  async function runModels(directory: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, NODE_OPTIONS: '', MODELS_DIR: directory, MODELS_URL: 'http://127.0.0.1:1' }
    const run = promisify(execFile)(process.execPath, ['scripts/models.ts', ...args], { env })
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
    return stdout + stderr
  }

  it('lists the models with their sizes, and downloads nothing', async () => {
    const directory = temporaryDirectory()
    expect(await runModels(directory, '--list')).toMatch(/writer {7}1\.28 GB {2}not downloaded\n.*Apache-2\.0/)
    expect(existsSync(join(directory, 'writer'))).toBe(false)
  })

  it('shows what an interrupted download has left, and removes it', async () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'writer'))
    writeFileSync(join(directory, 'writer', `${models[0]!.files[0]!.path}.part`), Buffer.alloc(2_000_000))
    expect(await runModels(directory, 'writer', '--list')).toContain('2 MB downloaded')
    expect(await runModels(directory, 'writer', '--remove')).toBe('writer: removed, 2 MB are free.\n')
    expect(await runModels(directory, '--remove')).toBe(
      'writer: not downloaded.\nvoice: not downloaded.\ntranscriber: not downloaded.\n',
    )
  })

  it('names the models where a name is unknown', async () => {
    expect(await runModels(temporaryDirectory(), 'singer')).toBe(
      'There is no model singer. Choose writer or voice or transcriber.\n',
    )
  })
})
