/**
 * Makes a source file usable by the renderer: the file itself where its frames can be cut exactly, otherwise a
 * transcoded copy with a constant frame rate.
 */
import { join } from 'node:path'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { type Demuxer, restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { listVideoPackets, type MediaFacts, probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { hasConstantFrameRate, sourceFps, transcodeSourceArguments } from '../../../lib/render/source-arguments.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'

interface LocalFile {
  path: string
  demuxer: Demuxer
}

export interface NormalisedSource {
  /** The uploaded file. */
  source: LocalFile
  input: string[]
  hasSound: boolean
  hasSubtitles: boolean
  /** The file that is shown: the uploaded one or the copy. */
  shown: LocalFile
  shownInput: string[]
  isTranscoded: boolean
  /** Duration of the video stream; audio after it is dropped. */
  durationMs: number
}

interface NormaliseOptions {
  /** Just above the longest allowed duration: bounds what is transcoded, and how many packets are listed. */
  secondsMax: number
  /** Throws when the video stream is longer than allowed. */
  refuse: (seconds: number) => void
  /** Called with the finished share of the work, 0 to 1. */
  onProgress: (share: number) => void
}

export async function normaliseSource(
  source: LocalFile & { bytes: number },
  context: FfmpegContext,
  options: NormaliseOptions,
): Promise<NormalisedSource> {
  const facts = await probeMedia(source.path, source.demuxer, context)
  if (!facts.video) throw new JobFailure('transcription-failed', 'The source file has no readable video stream.')
  if (facts.durationMs !== undefined) options.refuse(facts.durationMs / 1000)
  const input = restrictedInput(source.path, source.demuxer)
  const packetsMax = Math.ceil(options.secondsMax * sourceFps)
  const isTranscoded = !(await isFrameAccurate(source, facts, context, packetsMax))
  const shown: LocalFile = isTranscoded ? await transcode(input, facts, context, options) : source
  const { pts } = await listVideoPackets(shown.path, shown.demuxer, context, packetsMax)
  const seconds = pts.length / sourceFps
  if (seconds === 0) throw new JobFailure('transcription-failed', 'The source file has no readable video stream.')
  options.refuse(seconds)
  return {
    source,
    input,
    hasSound: facts.audio !== undefined,
    hasSubtitles: facts.subtitles !== undefined,
    shown,
    shownInput: restrictedInput(shown.path, shown.demuxer),
    isTranscoded,
    durationMs: Math.round(seconds * 1000),
  }
}

/** A render of 1080x1920 needs no more than this; a higher bit rate would only make each download slower. */
const bitsPerSecondMax = 20_000_000
const pixelsMax = 1920 * 1920

async function isFrameAccurate(
  { path, demuxer, bytes }: LocalFile & { bytes: number },
  { video, durationMs = 0 }: MediaFacts,
  context: FfmpegContext,
  packetsMax: number,
): Promise<boolean> {
  if (demuxer !== 'mov' || video?.codec !== 'h264' || video.fps !== sourceFps || video.isRotated) return false
  if (video.width * video.height > pixelsMax || bytes * 8 > (bitsPerSecondMax * durationMs) / 1000) return false
  const { pts, timescale } = await listVideoPackets(path, demuxer, context, packetsMax)
  return hasConstantFrameRate(pts, timescale)
}

async function transcode(
  input: string[],
  { video, durationMs }: MediaFacts,
  context: FfmpegContext,
  { secondsMax, onProgress }: NormaliseOptions,
): Promise<LocalFile> {
  const path = join(context.directory, 'copy.mp4')
  // Without a declared matrix: BT.709 for HD, BT.601 below.
  const colours = video?.colours ?? (Math.min(video?.width ?? 0, video?.height ?? 0) < 720 ? 'bt601' : 'bt709')
  await runFfmpeg({
    ...context,
    arguments: transcodeSourceArguments(input, { seconds: secondsMax, colours }, path),
    onProgress: ({ outTimeMs }) => onProgress(durationMs ? Math.min(outTimeMs / durationMs, 1) : 0),
  })
  return { path, demuxer: 'mov' }
}
