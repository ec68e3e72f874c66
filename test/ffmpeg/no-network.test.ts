/** What ffmpeg cannot do, whatever a bug of a decoder makes it try: reach the network, or another process. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { withAllowedProtocols } from '../../lib/ffmpeg/limits.ts'
import { filterOf, withoutNetwork } from '../../lib/ffmpeg/no-network.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())
const { port } = server.address() as { port: number }

const url = `http://127.0.0.1:${port}/film.mp4`
const run = async ([program = '', ...rest]: string[]) =>
  (await promisify(execFile)(program, rest, { env: {}, encoding: 'utf8' })).stdout

const options = fc.array(fc.constantFrom('-v', 'error', '-f', 'mov', '-threads', '1', '-map', '0:v', '-c', 'copy'))
const limited = fc.constantFrom([], ['-protocol_whitelist', 'file'])
const inputs = fc.array(fc.tuple(options, limited, options), { maxLength: 4 })

describe('the protocols of an input', () => {
  it('are limited once for every input of every run, and nothing else changes', () => {
    fc.assert(
      fc.property(inputs, options, (given, output) => {
        const before = [...given.flatMap(([a, limit, b]) => [...a, ...limit, ...b, '-i', 'name']), ...output]
        const after = withAllowedProtocols(before)
        const perInput = after.join(' ').split(' -i ')
        const counts = perInput.slice(0, -1).map((part) => part.split('-protocol_whitelist').length - 1)
        if (given.length > 0) expect(counts).toEqual(given.map(() => 1))
        const added = given.filter(([, limit]) => limit.length === 0).length
        expect(after).toHaveLength(before.length + 2 * added)
        expect(
          after.filter((argument) => argument !== '-protocol_whitelist' && !/^file(,pipe)?$/.test(argument)),
        ).toEqual(before.filter((argument) => argument !== '-protocol_whitelist' && argument !== 'file'))
      }),
    )
  })

  it.each([
    ['an input', ['-i', url]],
    ['an output', ['-f', 'lavfi', '-i', 'color=s=16x16:d=1', '-f', 'mpegts', url]],
    ['a filter', ['-f', 'lavfi', '-i', `movie=${url.replaceAll(':', '\\\\:')}`]],
  ])('%s with a URL fails without a connection', async (_what, named) => {
    const arguments_ = [
      '-v',
      'error',
      ...named,
      ...(named.at(-1) === url && named.length > 2 ? [] : ['-f', 'null', '-']),
    ]
    await expect(runFfmpeg({ arguments: arguments_, directory, timeoutMs: 20_000 })).rejects.toThrow(
      'ffmpeg ended with',
    )
    expect(connections).toBe(0)
  })
})

/** Linux with Perl. */
const isIsolated = withoutNetwork(['ffmpeg']).length > 1

describe.runIf(isIsolated)('an isolated process', () => {
  const program = (source: string) => [process.execPath, '--eval', source]
  const connect = program(`require('node:net').connect(${port}, '127.0.0.1')
    .on('error', ({ code }) => process.stdout.write(code))
    .on('connect', function () { process.stdout.write('connected'); this.destroy() })`)

  it('opens no socket, which it could without the filter', async () => {
    expect(await run(withoutNetwork(connect))).toBe('EPERM')
    expect(await run(connect)).toBe('connected')
    connections = 0
  })

  it('may not attach to a process, nor gain permissions by a program that it starts', async () => {
    const status = await run(withoutNetwork(['/bin/cat', '/proc/self/status']))
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
  })

  it('gets its arguments and its exit code as they are', async () => {
    expect(await run(withoutNetwork(['/bin/echo', '--', '-i', 'a b', '$HOME', '']))).toBe('-- -i a b $HOME \n')
    await expect(run(withoutNetwork(['/bin/sh', '-c', 'exit 3']))).rejects.toMatchObject({ code: 3 })
    await expect(run(withoutNetwork(['/none/such']))).rejects.toMatchObject({ code: 127 })
  })

  it('does not start without the filter where it is required', () => {
    expect(() => withoutNetwork(['/bin/true'], { PATH: '', FFMPEG_ISOLATION: 'required' })).toThrow('Perl')
    expect(withoutNetwork(['/bin/true'], { PATH: '' })).toEqual(['/bin/true'])
  })
})

it('the filter checks the architecture first, and ends with permission or EPERM', () => {
  const filter = filterOf({ audit: 0xc00000b7, prctl: 167, seccomp: 277, denied: [198, 425] })
  const rows = Array.from({ length: filter.length / 8 }, (_, at) => [
    filter.readUInt16LE(at * 8),
    filter[at * 8 + 2],
    filter[at * 8 + 3],
    filter.readUInt32LE(at * 8 + 4),
  ])
  expect(rows).toEqual([
    [0x20, 0, 0, 4],
    [0x15, 0, 5, 0xc00000b7],
    [0x20, 0, 0, 0],
    [0x35, 3, 0, 0x40000000],
    [0x15, 2, 0, 198],
    [0x15, 1, 0, 425],
    [0x06, 0, 0, 0x7fff0000],
    [0x06, 0, 0, 0x00050001],
  ])
})
