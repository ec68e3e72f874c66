/**
 * Transcodes an untrusted video file into a clip: decoded inside the limits of ffmpeg and encoded again, never passed
 * through.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { detectDemuxer, restrictedInput } from '../../ffmpeg/limits.ts'
import { listVideoPackets, type MediaFacts, probeMedia } from '../../ffmpeg/probe.ts'
import { FfmpegFailure, runFfmpeg } from '../../ffmpeg/run.ts'
import { encodeClipArguments } from './built-in.ts'
import type { Clip } from './index.ts'

const fps = 30
/** A clip that is too short is slowed down to half its speed at most; then its last frame is held. */
const slowestFactor = 2
const containers = ['mov', 'matroska'] as const

interface ClipSize {
  width: number
  height: number
  durationMs: number
}

interface NormaliseOptions {
  /** Exists and belongs to the call. */
  directory: string
  signal?: AbortSignal
  /** The vendor, for the error message. */
  from: string
  /** False where the frames belong to a voice. */
  maySlowDown: boolean
}

/**
 * Covers the frame and has the exact duration of `shape`. Throws `ProviderRejected` where the file is not a valid
 * video.
 */
export async function normaliseClip(bytes: Uint8Array, shape: ClipSize, options: NormaliseOptions): Promise<Clip> {
  const { directory, signal, from } = options
  const demuxer = containers.find((name) => name === detectDemuxer(bytes))
  if (!demuxer) throw invalidClip(from)
  const [sourceFile, clipFile] = [join(directory, 'source'), join(directory, 'clip.mp4')]
  await writeFile(sourceFile, bytes)
  const context = { directory, timeoutMs: 60_000 + 10 * shape.durationMs, ...(signal && { signal }) }
  const frames = Math.max(1, Math.round((shape.durationMs * fps) / 1000))
  try {
    const facts = await probeMedia(sourceFile, demuxer, context)
    if (!facts.video) throw invalidClip(from)
    const filters = ['-map', '0:v:0', '-vf', filtersFor(facts, shape, options), '-frames:v', String(frames)]
    const input = restrictedInput(sourceFile, demuxer)
    await runFfmpeg({ ...context, arguments: ['-v', 'error', ...input, ...filters, ...encodeClipArguments(clipFile)] })
    // A stream without a decodable frame results in an empty file, not in an error.
    if ((await listVideoPackets(clipFile, 'mov', context)).pts.length !== frames) throw invalidClip(from)
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) throw invalidClip(from, failure)
    throw failure
  }
  const { width, height } = shape
  return { bytes: await readFile(clipFile), durationMs: Math.floor((frames * 1000) / fps), width, height }
}

function filtersFor(
  { video, durationMs: sourceMs }: MediaFacts,
  { width, height, durationMs }: ClipSize,
  { maySlowDown }: NormaliseOptions,
): string {
  const factor = maySlowDown && sourceMs ? Math.min(slowestFactor, Math.max(1, durationMs / sourceMs)) : 1
  // Files without a colour tag are BT.709 from HD on, BT.601 below.
  const colours = video?.colours ?? (Math.min(video?.width ?? 0, video?.height ?? 0) < 720 ? 'bt601' : 'bt709')
  return [
    `setpts=${factor.toFixed(6)}*(PTS-STARTPTS),fps=${fps}`,
    // Cropping first leaves fewer pixels to scale.
    `scale=iw*sar:ih,crop=min(iw\\,ih*${width}/${height}):min(ih\\,iw*${height}/${width})`,
    `scale=${width}:${height}:flags=bicubic:in_color_matrix=${colours}:out_color_matrix=bt709:out_range=tv`,
    'setsar=1,format=yuv420p,tpad=stop=-1:stop_mode=clone',
  ].join(',')
}

const invalidClip = (from: string, cause?: unknown) =>
  new ProviderRejected(`${from} returned a file that is not a valid video.`, { cause })
