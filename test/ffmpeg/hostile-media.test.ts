/**
 * Malicious files: none makes ffmpeg read another file, open a socket, exceed its limits or run without end. Most are
 * refused; a damaged file may give pictures or not, but quickly.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demuxer, detectDemuxer, restrictedInput } from '../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { FfmpegFailure, runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
const place = { directory, timeoutMs: 30_000 }
const decode = (file: string, demuxer: Demuxer) =>
  runFfmpeg({ ...place, arguments: ['-v', 'error', '-xerror', ...restrictedInput(file, demuxer), '-f', 'null', '-'] })
const bytesOf = (file: string) => readFileSync(join(directory, file))

/** A canary that must not receive any request. */
let canary: Server
let visits = 0
let address: string
/** Valid files of each supported kind. */
const valid = ['a.mp4', 'a.mkv', 'a.png', 'a.jpg', 'a.wav', 'a.mp3', 'a.ogg', 'a.flac'] as const

beforeAll(async () => {
  canary = createServer((_, answer) => {
    visits += 1
    answer.end()
  })
  canary.on('connection', () => (visits += 1))
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  const make = (source: string, ...rest: string[]) =>
    runFfmpeg({ ...place, arguments: ['-v', 'error', '-f', 'lavfi', '-i', source, ...rest] })
  await make('testsrc=s=64x64:d=0.4', '-pix_fmt', 'yuv420p', 'a.mp4')
  await make('testsrc=s=64x64:d=0.4', '-pix_fmt', 'yuv420p', 'a.mkv')
  await make('testsrc=s=64x64:d=0.4', '-f', 'mpegts', 'secret.ts')
  await make('testsrc=s=64x64', '-frames:v', '1', 'a.png')
  await make('testsrc=s=64x64', '-frames:v', '1', 'a.jpg')
  await make('sine=d=0.4', 'a.wav')
  await make('sine=d=0.4', 'a.mp3')
  await make('sine=d=0.4', '-c:a', 'libvorbis', 'a.ogg')
  await make('sine=d=0.4', 'a.flac')
  await make('color=s=7680x4320:d=0.1', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', 'large.mp4')
  const streams = Array.from({ length: 12 }, () => ['-map', '0:v']).flat()
  await make('testsrc=s=16x16:d=0.1', ...streams, '-pix_fmt', 'yuv420p', 'many-streams.mp4')
  await make('testsrc=s=64x64:d=0.2', '-c:v', 'ffv1', 'other-codec.mkv')
  await make('testsrc=s=64x64:d=0.2', 'a.gif')
}, 60_000)

afterAll(() => canary.close())

/** A PNG that declares this size, with next to no data. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const data = deflateSync(Buffer.alloc(1_000_000))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const secret = () => join(directory, 'secret.ts')
const hls = (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`
const dash = (target: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period>` +
  `<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`
const sdp = () =>
  `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${new URL(address).port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`
const svg = () =>
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}/x.png"/><image href="file://${secret()}"/></svg>`

/** Files that name other files or addresses, or are of an unsupported kind. */
const strange: [what: string, content: () => string | Uint8Array][] = [
  ['nothing', () => ''],
  ['a single byte', () => 'x'],
  ['zeros', () => Buffer.alloc(4096)],
  ['text', () => 'hello'],
  ['a page of HTML', () => `<html><img src="${address}"></html>`],
  ['a program', () => Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(200)])],
  ['a zip', () => Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(200)])],
  ['a PDF', () => '%PDF-1.7\n'],
  ['a drawing that names other pictures', svg],
  ['an animated GIF', () => bytesOf('a.gif')],
  ['an HLS playlist of an address', () => hls(`${address}/x.ts`)],
  ['an HLS playlist of a file', () => hls(secret())],
  ['an HLS playlist of a file: address', () => hls(`file://${secret()}`)],
  ['an HLS playlist of a concat: address', () => hls(`concat:${secret()}|${address}/x.ts`)],
  ['an HLS playlist of a subfile: address', () => hls(`subfile,,start,0,end,100,,:${secret()}`)],
  [
    'an HLS playlist with a key at an address',
    () => `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${address}/key"\n#EXTINF:1,\n${secret()}\n`,
  ],
  ['an HLS playlist after a byte order mark', () => `\uFEFF${hls(secret())}`],
  ['a master playlist', () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${address}/x.m3u8\n`],
  ['a DASH manifest of an address', () => dash(`${address}/x.mp4`)],
  ['a DASH manifest of a file', () => dash(secret())],
  ['a list of files', () => `ffconcat version 1.0\nfile '${secret()}'\n`],
  ['a list of addresses', () => `ffconcat version 1.0\nfile '${address}/x.mp4'\n`],
  ['an RTSP description', sdp],
  ['a redirection', () => `[InternetShortcut]\nURL=${address}\n`],
  [
    'an XSPF playlist',
    () =>
      `<?xml version="1.0"?><playlist><trackList><track><location>${address}</location></track></trackList></playlist>`,
  ],
  ['MPEG-TS', () => readFileSync(secret())],
]

describe('a file of an unsupported kind, with any name', () => {
  it.each(strange)('%s is not recognised', (_, content) => {
    expect(detectDemuxer(Buffer.from(content()))).toBeUndefined()
  })

  it.each(strange)('%s is refused also by the allowed demuxers, and opens nothing', async (_, content) => {
    writeFileSync(join(directory, 'strange.mp4'), content())
    for (const demuxer of ['mov', 'matroska', 'png_pipe'] as const)
      await expect(decode('strange.mp4', demuxer)).rejects.toMatchObject({ code: 'failed' })
    expect(visits).toBe(0)
  })
})

/** Starts like a supported kind, but is invalid or exceeds a limit. */
const pretending: [what: string, demuxer: Demuxer, content: () => Uint8Array][] = [
  [
    'a playlist behind the first bytes of an mp4',
    'mov',
    () => Buffer.concat([bytesOf('a.mp4').subarray(0, 32), Buffer.from(hls(secret()))]),
  ],
  [
    'a playlist behind the first bytes of a PNG',
    'png_pipe',
    () => Buffer.concat([bytesOf('a.png').subarray(0, 8), Buffer.from(hls(secret()))]),
  ],
  ['an mp4 without an index', 'mov', () => bytesOf('a.mp4').subarray(0, 48)],
  [
    'an mp4 whose boxes hold themselves',
    'mov',
    () => Buffer.concat([bytesOf('a.mp4').subarray(0, 32), Buffer.from('0000000c6d6f6f760000000c'.repeat(500), 'hex')]),
  ],
  [
    'an mp4 with a box longer than the file',
    'mov',
    () => Buffer.concat([bytesOf('a.mp4').subarray(0, 32), Buffer.from('7fffffff6d6f6f76', 'hex')]),
  ],
  ['a PNG of 16,000 x 16,000', 'png_pipe', () => pngOf(16_000, 16_000)],
  ['a PNG of 2 billion pixels across', 'png_pipe', () => pngOf(2_147_483_647, 1)],
  ['a PNG of no size', 'png_pipe', () => pngOf(0, 0)],
  ['a film of 7680 x 4320', 'mov', () => bytesOf('large.mp4')],
  ['a film of a codec that we do not read', 'matroska', () => bytesOf('other-codec.mkv')],
  ['a sound that is said to be a film', 'mov', () => bytesOf('a.wav')],
  ['a film that is said to be a still', 'jpeg_pipe', () => bytesOf('a.mp4')],
]

describe('a file that imitates a supported kind', () => {
  it.each(pretending)('%s is refused', async (_, demuxer, content) => {
    writeFileSync(join(directory, 'pretending'), content())
    await expect(decode('pretending', demuxer)).rejects.toMatchObject({ code: 'failed' })
  })

  it('a video of twelve streams is probed only up to eight', async () => {
    await expect(probeMedia('many-streams.mp4', 'mov', place)).rejects.toMatchObject({ code: 'failed' })
  })
})

describe.each(valid)('%s, damaged', (file) => {
  const settle = async (bytes: Uint8Array) => {
    writeFileSync(join(directory, `damaged-${file}`), bytes)
    const demuxer = detectDemuxer(bytesOf(file))!
    const failure = await decode(`damaged-${file}`, demuxer).catch((reason) => reason)
    if (failure instanceof Error) expect(failure).toBeInstanceOf(FfmpegFailure)
    // Neither out of time nor stalled: the content of the file decided.
    if (failure instanceof FfmpegFailure) expect(failure.code).toBe('failed')
  }

  it('is read if it is undamaged', async () => {
    await expect(decode(file, detectDemuxer(bytesOf(file))!)).resolves.toBeDefined()
  })
  it('truncated anywhere: ends', async () => {
    for (const share of [0.01, 0.3, 0.9])
      await settle(bytesOf(file).subarray(0, Math.ceil(bytesOf(file).length * share)))
  })
  it('with random bytes replaced: ends', async () => {
    for (const seed of [1, 2, 3]) {
      const bytes = Buffer.from(bytesOf(file))
      for (let i = 0; i < 12; i++) bytes[(seed * 7_919 + i * 104_729) % bytes.length]! ^= 1 << ((seed + i) % 8)
      await settle(bytes)
    }
  })
  it('followed by a megabyte of zeros: ends', async () => {
    await settle(Buffer.concat([bytesOf(file), Buffer.alloc(2 ** 20)]))
  })
})
