/**
 * Reads the source file of a video: measures it, transcodes it where it cannot be cut at every frame, and extracts the
 * sound, the subtitles and a thumbnail. The file is untrusted: ffmpeg opens it only with the limits of
 * `lib/ffmpeg/limits.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { downloadSource, findSource } from '../../../lib/aws/sources.ts'
import { videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import type { Passage, SourceReading } from '../../../lib/domain/generation/source.ts'
import {
  needsTranscript,
  refuseLongSource,
  sourceArtefactKey,
  sourceFacts,
  sourceFactsKey,
  sourceReadingKey,
  sourceSecondsMax,
} from '../../../lib/domain/generation/source.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { refuseLongVideo } from '../../../lib/domain/workspaces/price.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { transcriberIdFor } from '../../../lib/providers/choose/transcriber-id.ts'
import { passagesOf } from '../../../lib/providers/transcriber/passages.ts'
import { wordsOfSubtitles } from '../../../lib/providers/transcriber/subtitles.ts'
import { mixNarrationTrack } from '../../../lib/render/sound/narration-track.ts'
import { parseWav } from '../../../lib/render/sound/wav.ts'
import { extractFrameArguments, extractSoundArguments } from '../../../lib/render/source-arguments.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { isStored, storeArtefactFile, storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { countSource } from '../../../lib/use-cases/uploads/receive-upload.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { withProgress } from '../progress-writer.ts'
import { identifyFile } from '../render/materials.ts'
import { RenderFailure } from '../render-failure.ts'
import type { JobTask } from '../task.ts'
import { type NormalisedSource, normaliseSource } from './normalise-source.ts'

/** A little less than the state machine's timeout for the task. */
const timeoutMs = 13 * 60 * 1000
/** The percentage of the generation at which each stage starts. */
const stages = [
  { from: 0, statusText: 'Downloading the source' },
  { from: 10, statusText: 'Preparing the video' },
  { from: 75, statusText: 'Storing the results' },
] as const
const [, normaliseAt, storeAt] = stages.map(({ from }) => from) as [number, number, number]

/** Stores the facts as well where nothing has to be transcribed. */
export async function readSource({ run, video, directory, signal }: JobTask): Promise<void> {
  const { sourceKey } = video.media
  if (!sourceKey) throw new JobFailure('transcription-failed', 'This video has no source file.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const transcriber = transcriberIdFor(video)
  const factsKey = sourceFactsKey(owner, sourceKey, transcriber)
  if (await isStored(owner, factsKey)) return
  const reading = await readOnce(owner, sourceKey, { run, video, directory, signal })
  if (!needsTranscript(reading, transcriber)) await storeFirstJson(owner, factsKey, sourceFacts(reading))
}

async function readOnce(
  owner: SourceOwner,
  sourceKey: string,
  { run, video, directory, signal }: Pick<JobTask, 'run' | 'video' | 'directory' | 'signal'>,
): Promise<SourceReading> {
  const readingKey = sourceReadingKey(owner, sourceKey)
  if (await isStored(owner, readingKey)) return getJson<SourceReading>(readingKey)
  const { attempt } = video.process!
  const write = (percent: number) => {
    const { statusText } = stages.findLast(({ from }) => from <= percent)!
    return reportProgress(video, 'process', { runId: run.runId, attempt }, { progress: percent, statusText })
  }
  const reading = await withProgress({ signal, write, toTaskError: publicError }, (progress) =>
    read(owner, sourceKey, { directory, timeoutMs, signal: progress.signal }, progress.report),
  )
  await storeFirstJson(owner, readingKey, reading)
  return reading
}

type ReportProgress = (percent: number) => void

interface SourceOwner {
  workspace: Workspace
  videoId: string
}

async function read(
  owner: SourceOwner,
  sourceKey: string,
  context: FfmpegContext,
  report: ReportProgress,
): Promise<SourceReading> {
  report(1)
  const source = await fetchSource(owner, sourceKey, context)
  report(normaliseAt)
  const picture = await normaliseSource(source, context, {
    secondsMax: Math.min(plans[owner.workspace.planId].durationSecondsMax ?? sourceSecondsMax, sourceSecondsMax) + 1,
    refuse: (seconds) => {
      refuseLongVideo(owner.workspace, seconds)
      refuseLongSource(seconds)
    },
    onProgress: (share) => report(normaliseAt + Math.floor((storeAt - normaliseAt) * share)),
  })
  const sound = await extractSound(picture, context)
  const { sampleRate, samples } = parseWav(await readFile(sound))
  const passages = passagesOf(samples, sampleRate)
  const thumbnail = await extractThumbnail(picture, passages, context)
  const words = picture.hasSubtitles ? await wordsOfSubtitles(picture.source, context) : []
  report(storeAt)
  const named = (kind: 'sources' | 'narrations' | 'visuals', extension: string) =>
    sourceArtefactKey(owner, kind, sourceKey, extension)
  const shownKey = picture.isTranscoded ? named('sources', 'mp4') : sourceKey
  const [audioKey, thumbnailKey] = [named('narrations', 'wav'), named('visuals', 'jpg')]
  await storeArtefactFile(owner, audioKey, sound, 'audio/wav')
  if (picture.isTranscoded) await storeArtefactFile(owner, shownKey, picture.shown.path, 'video/mp4')
  await storeArtefactFile(owner, thumbnailKey, thumbnail, 'image/jpeg')
  return { sourceKey: shownKey, audioKey, thumbnailKey, durationMs: picture.durationMs, words, passages }
}

/** Downloads the file. Counts it first, idempotently: earlier versions counted it after they had received it. */
async function fetchSource(owner: SourceOwner, key: string, { directory }: FfmpegContext) {
  const file = await findSource(key)
  if (!file) throw new JobFailure('transcription-failed', 'The source file no longer exists.')
  // The source of a derived clip belongs to the parent video.
  if (key.startsWith(videoKeyPrefix(owner))) await countSource(owner, key, file.bytes)
  const path = join(directory, 'source')
  await downloadSource(key, path, file.bytes)
  return { ...(await identifyFile(key, new Map([[key, path]]))), bytes: file.bytes }
}

/** The sound of the source as a narration; silence for a source without sound. */
async function extractSound(
  { input, hasSound, durationMs }: NormalisedSource,
  context: FfmpegContext,
): Promise<string> {
  const path = join(context.directory, 'sound.wav')
  if (hasSound) await runFfmpeg({ ...context, arguments: extractSoundArguments(input, durationMs / 1000, path) })
  else await writeFile(path, mixNarrationTrack([], durationMs))
  return path
}

/** A frame within the first passage of speech, where a speaker may be visible; otherwise an early one. */
async function extractThumbnail(
  { shownInput, durationMs }: NormalisedSource,
  passages: readonly Passage[],
  context: FfmpegContext,
): Promise<string> {
  const [first] = passages
  const at = first ? (first.startMs + Math.min(first.endMs, first.startMs + 2_000)) / 2 : durationMs / 10
  const path = join(context.directory, 'thumbnail.jpg')
  await runFfmpeg({
    ...context,
    arguments: extractFrameArguments(shownInput, Math.min(at, durationMs / 2) / 1000, path),
  })
  return path
}

/** Only a permanent failure of ffmpeg is about the file; any other may pass on a retry. */
function publicError(failure: unknown): unknown {
  if (failure instanceof FfmpegFailure && failure.code === 'timeout')
    return new JobFailure('timeout', 'Reading the source took too long.')
  const isAboutTheFile =
    (failure instanceof FfmpegFailure && failure.isPermanent) ||
    (failure instanceof RenderFailure && failure.code === 'bad-media')
  return isAboutTheFile ? new JobFailure('transcription-failed', 'The source file cannot be read as a video.') : failure
}
