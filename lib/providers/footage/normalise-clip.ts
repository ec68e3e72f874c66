/**
 * Makes a clip of a file that somebody else made: nothing of it is believed, all of it is decoded inside the limits of ffmpeg and
 * written anew.
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
/** A clip may go at half its speed to last as long as was wished; what is still missing its last picture stands for. */
const slowestFactor = 2
const containers = ['mov', 'matroska'] as const

export interface ClipSize {
  width: number
  height: number
  durationMs: number
}

interface NormaliseOptions {
  /** Exists and belongs to the call. */
  directory: string
  signal?: AbortSignal
  /** Who gave the file, for the message of a refusal. */
  from: string
  /** Whether a clip that is too short may go slower: not where its pictures belong to a voice. */
  maySlowDown: boolean
}

/** Fills the frame and lasts as long as `shape` says, to the frame. Throws `ProviderRejected` where the file is no clip. */
export async function normaliseClip(bytes: Uint8Array, shape: ClipSize, reading: NormaliseOptions): Promise<Clip> {
  const { directory, signal, from } = reading
  const demuxer = containers.find((name) => name === detectDemuxer(bytes))
  if (!demuxer) throw invalidClip(from)
  const [given, written] = [join(directory, 'given'), join(directory, 'clip.mp4')]
  await writeFile(given, bytes)
  const place = { directory, timeoutMs: 60_000 + 10 * shape.durationMs, ...(signal && { signal }) }
  const frames = Math.max(1, Math.round((shape.durationMs * fps) / 1000))
  try {
    const facts = await probeMedia(given, demuxer, place)
    if (!facts.video) throw invalidClip(from)
    const filters = ['-map', '0:v:0', '-vf', filtersFor(facts, shape, reading), '-frames:v', String(frames)]
    const input = restrictedInput(given, demuxer)
    await runFfmpeg({ ...place, arguments: ['-v', 'error', ...input, ...filters, ...encodeClipArguments(written)] })
    // A stream without a picture that can be decoded gives an empty file, and no failure.
    if ((await listVideoPackets(written, 'mov', place)).pts.length !== frames) throw invalidClip(from)
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) throw invalidClip(from, failure)
    throw failure
  }
  const { width, height } = shape
  return { bytes: await readFile(written), durationMs: Math.floor((frames * 1000) / fps), width, height }
}

function filtersFor(
  { video, durationMs: givenMs }: MediaFacts,
  { width, height, durationMs }: ClipSize,
  { maySlowDown }: NormaliseOptions,
): string {
  const factor = maySlowDown && givenMs ? Math.min(slowestFactor, Math.max(1, durationMs / givenMs)) : 1
  // Files that do not say are BT.709 where they are HD, BT.601 below that.
  const colours = video?.colours ?? (Math.min(video?.width ?? 0, video?.height ?? 0) < 720 ? 'bt601' : 'bt709')
  return [
    `setpts=${factor.toFixed(6)}*(PTS-STARTPTS),fps=${fps}`,
    // Cropping first leaves less to scale.
    `scale=iw*sar:ih,crop=min(iw\\,ih*${width}/${height}):min(ih\\,iw*${height}/${width})`,
    `scale=${width}:${height}:flags=bicubic:in_color_matrix=${colours}:out_color_matrix=bt709:out_range=tv`,
    'setsar=1,format=yuv420p,tpad=stop=-1:stop_mode=clone',
  ].join(',')
}

const invalidClip = (from: string, cause?: unknown) =>
  new ProviderRejected(`${from} gives a file that is no clip that can be used.`, { cause })
