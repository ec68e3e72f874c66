/** Work of ffmpeg and of the motion kernel: objects of the right shape, after some time. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { RenderedVideo } from '../../../containers/media/render/render-composition.ts'
import type { RenderRequest } from '../../../containers/media/render/render-request.ts'
import type { SegmentStore } from '../../../containers/media/render/segment-store.ts'
import type { NormalisedSource } from '../../../containers/media/source/normalise-source.ts'
import type { AudioAnalysis } from '../../../lib/domain/generation/quality/audio-analysis.ts'
import { pictureCheck } from '../../../lib/domain/generation/quality/checks.ts'
import type { PcmSound } from '../../../lib/render/sound/wav.ts'
import { writeFile } from './files.ts'
import { bytesOf, digest, soundOf } from './vendors.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function renderComposition({
  composition,
  directory,
  store,
  signal,
  onProgress,
}: RenderRequest): Promise<RenderedVideo> {
  const names = [...new Set(composition.shots.map((shot) => `${digest(shot).slice(0, 32)}.mp4`))].slice(0, 3)
  const percentOf = (segments: number) => Math.floor((99 * segments) / names.length)
  let reused = 0
  for (const [index, name] of names.entries()) {
    const path = join(directory, name)
    signal.throwIfAborted()
    if (await store?.fetch(name, path, signal)) reused++
    else {
      await simulator.work({ name: 'render', ms: [250, 4_000] })
      onProgress(percentOf(index + 0.6))
      await simulator.work({ name: 'render', ms: [250, 4_000] })
      await writeFile(path, bytesOf(name))
      await store?.put(name, path, signal)
    }
    onProgress(percentOf(index + 1))
  }
  store?.flush?.()
  signal.throwIfAborted()
  const video = bytesOf([composition, 'video'])
  const [videoPath, thumbnailPath] = [join(directory, 'video.mp4'), join(directory, 'thumbnail.jpg')]
  await writeFile(videoPath, video)
  await writeFile(thumbnailPath, bytesOf([composition, 'thumbnail']))
  return {
    videoPath,
    thumbnailPath,
    bytes: video.byteLength,
    sha256: sha256(video),
    durationMs: composition.durationMs,
    frames: 1,
    reuse: { segments: names.length, reused, secondsRendered: 0 },
    parts: names,
  }
}

async function renderPart({ directory, store, signal }: RenderRequest & { store: SegmentStore }): Promise<void> {
  await simulator.work({ name: 'render', ms: [500, 5_000] })
  const path = join(directory, 'part.m4a')
  await writeFile(path, bytesOf('sound'))
  await store.put('sound.m4a', path, signal)
}
export const renderSegmentRange = renderPart
export const renderSoundOnly = renderPart
export const renderThumbnailOnly = renderPart

export const measureRenderQuality = async () => ({ passed: true, checks: [] })
export const checkPicture = async () => [pictureCheck(0)]

const sourceMs = 12_000

export async function normaliseSource(source: { path: string }): Promise<NormalisedSource> {
  await simulator.work({ name: 'transcode', ms: [1_000, 10_000] })
  return {
    source,
    shown: source,
    isTranscoded: false,
    input: [],
    shownInput: [],
    hasSound: true,
    hasSubtitles: false,
    durationMs: sourceMs,
  } as unknown as NormalisedSource
}
export const identifyFile = async (key: string, files: ReadonlyMap<string, string>) => ({
  path: files.get(key),
  demuxer: 'mov',
})

const speechLevel = 3_000

/** The last argument names the file. What it contains does not depend on the directories. */
export async function runFfmpeg({ arguments: parts }: { arguments: string[] }): Promise<{ output: Uint8Array }> {
  const path = parts.at(-1)!
  const names = parts.map((part) => basename(part))
  await writeFile(path, path.endsWith('.wav') ? soundOf(sourceMs, speechLevel) : bytesOf(names))
  return { output: new Uint8Array() }
}
export class FfmpegFailure extends Error {
  code = 'failed'
  isPermanent = false
}

/** All of it is speech, at the right loudness. */
export const analyseSound = ({ samples, sampleRate }: PcmSound): AudioAnalysis => {
  const durationMs = (samples.length * 1000) / sampleRate
  return {
    durationMs,
    loudnessLufs: -14,
    windowMs: 100,
    sounds: Array.from({ length: Math.ceil(durationMs / 100) }, () => true),
  }
}
export const mixNarrationTrack = (_sounds: unknown, durationMs: number) => soundOf(durationMs)
