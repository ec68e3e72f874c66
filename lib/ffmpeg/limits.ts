/**
 * The sandbox of ffmpeg: what it may read and how much it may use. Media is untrusted, so every input is a local file
 * that is opened with the one demuxer for its first bytes: playlists that name other files or URLs are rejected before
 * they are opened.
 */
import { findOnPath } from './binary.ts'

/** Largest frame of a clip that is decoded: 3840x2160. */
const clipPixelsMax = 8_294_400
/** Largest still that is decoded: 7680x4320, for photographs. */
const stillPixelsMax = 33_177_600
/** Largest single allocation of ffmpeg. */
const blockBytesMax = 256 * 2 ** 20
/** Address space of one ffmpeg process. Encoding 1080x1920 takes less than 0.4 GB. */
const memoryBytesMax = 2 * 2 ** 30
const fileBytesMax = 4 * 2 ** 30
const openFilesMax = 64

const movDecoders = 'h264,hevc,aac,mp3,pcm_s16le,pcm_s16be,pcm_s24le,mov_text'
const matroskaDecoders = 'h264,vp8,vp9,aac,opus,vorbis,subrip,webvtt'

/**
 * Demuxer, decoders and largest frame of each supported file format; `containers/media/build-ffmpeg.sh` has the same.
 * `starts` matches the first bytes in hex.
 */
const kinds = [
  { demuxer: 'png_pipe', starts: /^89504e470d0a1a0a/, decoders: 'png', pixelsMax: stillPixelsMax },
  { demuxer: 'jpeg_pipe', starts: /^ffd8ff/, decoders: 'mjpeg', pixelsMax: stillPixelsMax },
  { demuxer: 'webp_pipe', starts: /^52494646.{8}57454250/, decoders: 'webp,vp8', pixelsMax: stillPixelsMax },
  { demuxer: 'mov', starts: /^.{8}66747970/, decoders: movDecoders, pixelsMax: clipPixelsMax },
  { demuxer: 'matroska', starts: /^1a45dfa3/, decoders: matroskaDecoders, pixelsMax: clipPixelsMax },
  { demuxer: 'wav', starts: /^52494646.{8}57415645/, decoders: 'pcm_s16le,pcm_s24le,pcm_f32le', pixelsMax: 1 },
  { demuxer: 'mp3', starts: /^(494433|ffe[2367]|fff[2367ab])/, decoders: 'mp3,mp3float', pixelsMax: 1 },
  { demuxer: 'ogg', starts: /^4f676753/, decoders: 'opus,vorbis', pixelsMax: 1 },
  { demuxer: 'flac', starts: /^664c6143/, decoders: 'flac', pixelsMax: 1 },
] as const

export type Demuxer = (typeof kinds)[number]['demuxer']
export const acceptedDemuxers: readonly Demuxer[] = kinds.map(({ demuxer }) => demuxer)

/** The demuxer for a file that starts with these bytes (16 suffice), or undefined for an unsupported format. */
export function detectDemuxer(start: Uint8Array): Demuxer | undefined {
  const hex = Buffer.from(start.subarray(0, 16)).toString('hex')
  return kinds.find((kind) => kind.starts.test(hex))?.demuxer
}

/** Arguments that open the local file `path` with this demuxer and its decoders only. */
export function restrictedInput(path: string, demuxer: Demuxer): string[] {
  const { decoders, pixelsMax } = kinds.find((kind) => kind.demuxer === demuxer)!
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-codec_whitelist', decoders],
    ...['-max_pixels', String(pixelsMax), '-probesize', '20M', '-analyzeduration', '20M', '-max_streams', '8'],
    // `file:` prevents a name like `http:x` or `concat:x` from being parsed as a protocol.
    ...['-threads', '1', '-f', demuxer, '-i', `file:${path}`],
  ]
}

/** No input of any run may come from elsewhere, such as an entry of a list that names a URL. */
const protocols = 'file,pipe'

/** The arguments with the allowed protocols for each input that does not limit them itself. */
export function withAllowedProtocols(given: readonly string[]): string[] {
  let isLimited = false
  return given.flatMap((argument) => {
    isLimited ||= argument === '-protocol_whitelist'
    if (argument !== '-i') return [argument]
    const added = isLimited ? [] : ['-protocol_whitelist', protocols]
    isLimited = false
    return [...added, argument]
  })
}

/**
 * The first arguments of every run. With several threads, the scaler takes 80 % more CPU time for a still: runs are
 * parallel instead.
 */
export const commonArguments = [
  ...['-nostdin', '-hide_banner', '-filter_threads', '1', '-max_alloc', String(blockBytesMax)],
]

/**
 * Wraps a command in prlimit (Linux) with fixed limits of memory, CPU time, file size and open files; unchanged where
 * there is none.
 */
export function withResourceLimits(command: string[], cpuSeconds: number): string[] {
  const prlimit = findOnPath('prlimit')
  if (process.platform !== 'linux' || prlimit === undefined) return command
  const limits = [
    `--as=${memoryBytesMax}`,
    `--fsize=${fileBytesMax}`,
    `--nofile=${openFilesMax}`,
    `--cpu=${cpuSeconds}`,
  ]
  return [prlimit, ...limits, '--', ...command]
}
