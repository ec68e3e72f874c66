/** The picture of a source: the file as it came where a film's frames can be cut out of it, else a copy that they can. */
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
  /** The file that came. */
  source: LocalFile
  input: string[]
  hasSound: boolean
  hasSubtitles: boolean
  /** The file that is shown, which may be a copy. */
  shown: LocalFile
  shownInput: string[]
  isTranscoded: boolean
  /** Of the picture; sound that goes on after it is not heard. */
  durationMs: number
}

interface NormaliseOptions {
  /** No more than this is copied of a file that does not say how long it is. */
  secondsMax: number
  /** Throws where the picture is longer than it may be. */
  refuse: (seconds: number) => void
  /** Told the share of the work that is done, 0 to 1. */
  onProgress: (share: number) => void
}

export async function normaliseSource(
  source: LocalFile & { bytes: number },
  place: FfmpegContext,
  bounds: NormaliseOptions,
): Promise<NormalisedSource> {
  const facts = await probeMedia(source.path, source.demuxer, place)
  if (!facts.video) throw new JobFailure('transcription-failed', 'The source file has no picture that can be read.')
  if (facts.durationMs !== undefined) bounds.refuse(facts.durationMs / 1000)
  const input = restrictedInput(source.path, source.demuxer)
  const isCopy = !(await isFrameAccurate(source, facts, place))
  const shown: LocalFile = isCopy ? await transcode(input, facts, place, bounds) : source
  const { pts } = await listVideoPackets(shown.path, shown.demuxer, place)
  const seconds = pts.length / sourceFps
  if (seconds === 0) throw new JobFailure('transcription-failed', 'The source file has no picture that can be read.')
  bounds.refuse(seconds)
  return {
    source,
    input,
    hasSound: facts.audio !== undefined,
    hasSubtitles: facts.subtitles !== undefined,
    shown,
    shownInput: restrictedInput(shown.path, shown.demuxer),
    isTranscoded: isCopy,
    durationMs: Math.round(seconds * 1000),
  }
}

/** A film of 1080x1920 takes no more than this; a source with more would only be slow to fetch. */
const bitsPerSecondMax = 20_000_000
const pixelsMax = 1920 * 1920

async function isFrameAccurate(
  { path, demuxer, bytes }: LocalFile & { bytes: number },
  { video, durationMs = 0 }: MediaFacts,
  place: FfmpegContext,
): Promise<boolean> {
  if (demuxer !== 'mov' || video?.codec !== 'h264' || video.fps !== sourceFps || video.isRotated) return false
  if (video.width * video.height > pixelsMax || bytes * 8 > (bitsPerSecondMax * durationMs) / 1000) return false
  const { pts, timescale } = await listVideoPackets(path, demuxer, place)
  return hasConstantFrameRate(pts, timescale)
}

async function transcode(
  input: string[],
  { video, durationMs }: MediaFacts,
  place: FfmpegContext,
  { secondsMax, onProgress: tell }: NormaliseOptions,
): Promise<LocalFile> {
  const path = join(place.directory, 'copy.mp4')
  // Files that do not say are BT.709 where they are HD, BT.601 below that.
  const colours = video?.colours ?? (Math.min(video?.width ?? 0, video?.height ?? 0) < 720 ? 'bt601' : 'bt709')
  await runFfmpeg({
    ...place,
    arguments: transcodeSourceArguments(input, { seconds: secondsMax, colours }, path),
    onProgress: ({ outTimeMs }) => tell(durationMs ? Math.min(outTimeMs / durationMs, 1) : 0),
  })
  return { path, demuxer: 'mov' }
}
