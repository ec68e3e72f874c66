/** Reads properties of media files with ffmpeg: ffprobe would add 76 MB to every installation. */
import { type Demuxer, restrictedInput } from './limits.ts'
import { type FfmpegRun, runFfmpeg, streamFfmpeg } from './run.ts'

/** The declared properties of a file. Stills have no duration; `colours` is undefined when the file declares none. */
export interface MediaFacts {
  durationMs?: number
  video?: { codec: string; width: number; height: number; fps?: number; colours?: 'bt709' | 'bt601'; isRotated?: true }
  audio?: { codec: string; sampleRate: number }
  subtitles?: { codec: string }
}

/** Times of one stream's packets in the order they are stored, in ticks of `timescale` per second. */
interface PacketTimes {
  timescale: number
  pts: number[]
  dts: number[]
}

type ProbeContext = Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>

/** Opens a local file and reads its header. Throws FfmpegFailure when it is not in the format of `demuxer`. */
export async function probeMedia(path: string, demuxer: Demuxer, context: ProbeContext): Promise<MediaFacts> {
  const { log } = await runFfmpeg({
    ...context,
    // With -t 0 ffmpeg describes the input and exits with 0, which a bare `-i` does not.
    arguments: [
      '-v',
      'info',
      ...restrictedInput(path, demuxer),
      '-map',
      '0',
      '-c',
      'copy',
      '-t',
      '0',
      '-f',
      'null',
      '-',
    ],
  })
  return parseMediaFacts(log)
}

/** Reads ffmpeg's description of its first input (`Input #0`). */
export function parseMediaFacts(log: string): MediaFacts {
  const input = log.slice(Math.max(0, log.indexOf('Input #0'))).split(/^Output #0/m)[0]!
  const time = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(input)
  const video = /^ {2,4}Stream #0:.*?: Video: (\w+)(.*)$/m.exec(input)
  const size = /, (\d+)x(\d+)[, \n[]/.exec(`${video?.[2]}\n`)
  const fps = /, ([\d.]+) fps/.exec(video?.[2] ?? '')
  const colours = /bt709/.test(video?.[2] ?? '')
    ? 'bt709'
    : /bt470bg|smpte170m/.test(video?.[2] ?? '')
      ? 'bt601'
      : undefined
  // Players and ffmpeg's decoder rotate the picture by it.
  const rotation = /displaymatrix: rotation of (-?[\d.]+)/.exec(input)
  const subtitles = /^ {2,4}Stream #0:.*?: Subtitle: (\w+)/m.exec(input)
  const audio = /^ {2,4}Stream #0:.*?: Audio: (\w+)\b.*?, (\d+) Hz/m.exec(input)
  return {
    ...(time && { durationMs: Math.round((Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3])) * 1000) }),
    ...(video &&
      size && {
        video: {
          codec: video[1]!,
          width: Number(size[1]),
          height: Number(size[2]),
          ...(fps && { fps: Number(fps[1]) }),
          ...(colours && { colours }),
          ...(Number(rotation?.[1] ?? 0) !== 0 && { isRotated: true as const }),
        },
      }),
    ...(audio && { audio: { codec: audio[1]!, sampleRate: Number(audio[2]) } }),
    ...(subtitles && { subtitles: { codec: subtitles[1]! } }),
  }
}

/**
 * Times of the packets of the first video stream, without decoding. ffmpeg stops after `packetsMax` of them: a file
 * within the limit of bytes can hold millions of tiny packets.
 */
export async function listVideoPackets(
  path: string,
  demuxer: Demuxer,
  context: ProbeContext,
  packetsMax?: number,
): Promise<PacketTimes> {
  const limit = packetsMax === undefined ? [] : ['-frames:v', String(packetsMax)]
  const output = streamFfmpeg({
    ...context,
    arguments: [
      ...['-v', 'error', ...restrictedInput(path, demuxer), '-map', '0:v:0', '-c', 'copy'],
      ...[...limit, '-f', 'framecrc', '-'],
    ],
  })
  const parser = newPacketParser()
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) parser.accept(line)
  }
  parser.accept(rest)
  return parser.times
}

/**
 * Parses ffmpeg's `framecrc` format: `#tb 0: 1/15360`, then one line per packet: stream, dts, pts, duration, size,
 * checksum.
 */
export function parsePackets(framecrc: string): PacketTimes {
  const parser = newPacketParser()
  for (const line of framecrc.split('\n')) parser.accept(line)
  return parser.times
}

function newPacketParser() {
  const times: PacketTimes = { timescale: Number.NaN, dts: [], pts: [] }
  const accept = (line: string) => {
    const timescale = /^#tb 0: 1\/(\d+)/.exec(line)
    if (timescale) times.timescale = Number(timescale[1])
    if (!line.startsWith('0,')) return
    const [, dts, pts] = line.split(',')
    times.dts.push(Number(dts))
    times.pts.push(Number(pts))
  }
  return { times, accept }
}
