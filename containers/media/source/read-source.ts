/**
 * Reads the source file of a video: measures it, transcodes it where it cannot be cut at every frame, extracts the
 * sound and a thumbnail, and transcribes it. The file is untrusted: ffmpeg opens it only with the limits of
 * `lib/ffmpeg/limits.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasObject } from '../../../lib/aws/media-bucket.ts'
import { downloadSource, findSource } from '../../../lib/aws/sources.ts'
import { videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import type { SourceFacts } from '../../../lib/domain/generation/source.ts'
import {
  refuseLongSource,
  sourceArtefactKey,
  sourceFactsKey,
  sourceSecondsMax,
} from '../../../lib/domain/generation/source.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { refuseLongVideo } from '../../../lib/domain/workspaces/price.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { chooseTranscriber } from '../../../lib/providers/choose/transcriber.ts'
import type { Transcriber, Transcript } from '../../../lib/providers/transcriber/index.ts'
import { mixNarrationTrack } from '../../../lib/render/sound/narration-track.ts'
import { parseWav } from '../../../lib/render/sound/wav.ts'
import { extractFrameArguments, extractSoundArguments } from '../../../lib/render/source-arguments.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefactFile, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { countSource } from '../../../lib/use-cases/uploads/receive-upload.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { withProgress } from '../progress-writer.ts'
import { identifyFile } from '../render/materials.ts'
import { RenderFailure } from '../render-failure.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import type { JobTask } from '../task.ts'
import { type NormalisedSource, normaliseSource } from './normalise-source.ts'

/** A little less than the state machine's timeout for the task. */
const timeoutMs = 13 * 60 * 1000
/** The percentage of the generation at which each stage starts. */
const stages = [
  { from: 0, statusText: 'Downloading the source' },
  { from: 10, statusText: 'Preparing the video' },
  { from: 75, statusText: 'Transcribing the speech' },
  { from: 90, statusText: 'Storing the results' },
] as const
const [, normaliseAt, transcribeAt, storeAt] = stages.map(({ from }) => from) as [number, number, number, number]

export async function readSource({ run, video, directory, signal }: JobTask): Promise<void> {
  const { sourceKey } = video.media
  if (!sourceKey) throw new JobFailure('transcription-failed', 'This video has no source file.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const transcriber = await chooseTranscriber(video)
  const factsKey = sourceFactsKey(owner, sourceKey, transcriber.id)
  if (await hasObject(factsKey)) return
  const { attempt } = video.process!
  const write = (percent: number) => {
    const { statusText } = stages.findLast(({ from }) => from <= percent)!
    return reportProgress(video, 'process', { runId: run.runId, attempt }, { progress: percent, statusText })
  }
  const facts = await withProgress({ signal, write, toTaskError: publicError }, (progress) =>
    ingest({ owner, sourceKey, transcriber }, { directory, timeoutMs, signal: progress.signal }, progress.report),
  )
  await storeJson(owner, factsKey, facts)
}

type ReportProgress = (percent: number) => void

interface SourceOwner {
  workspace: Workspace
  videoId: string
}

interface Source {
  owner: SourceOwner
  sourceKey: string
  transcriber: Transcriber
}

async function ingest(
  { owner, sourceKey, transcriber }: Source,
  context: FfmpegContext,
  report: ReportProgress,
): Promise<SourceFacts> {
  report(1)
  const source = await fetchSource(owner, sourceKey, context)
  report(normaliseAt)
  const picture = await normaliseSource(source, context, {
    secondsMax: Math.min(plans[owner.workspace.planId].durationSecondsMax ?? sourceSecondsMax, sourceSecondsMax) + 1,
    refuse: (seconds) => {
      refuseLongVideo(owner.workspace, seconds)
      refuseLongSource(seconds)
    },
    onProgress: (share) => report(normaliseAt + Math.floor((transcribeAt - normaliseAt) * share)),
  })
  report(transcribeAt)
  const sound = await extractSound(picture, context)
  const named = (kind: 'sources' | 'narrations' | 'visuals', extension: string) =>
    sourceArtefactKey(owner, kind, sourceKey, extension)
  const shownKey = picture.isTranscoded ? named('sources', 'mp4') : sourceKey
  const [audioKey, thumbnailKey] = [named('narrations', 'wav'), named('visuals', 'jpg')]
  // Stored first, because a transcriber may read it from there.
  await storeArtefactFile(owner, audioKey, sound, 'audio/wav')
  const transcript = await transcribe(transcriber, picture, { sound, soundKey: audioKey }, context)
  report(storeAt)
  const thumbnail = await extractThumbnail(picture, transcript, context)
  if (picture.isTranscoded) await storeArtefactFile(owner, shownKey, picture.shown.path, 'video/mp4')
  await storeArtefactFile(owner, thumbnailKey, thumbnail, 'image/jpeg')
  return { sourceKey: shownKey, audioKey, thumbnailKey, durationMs: picture.durationMs, words: transcript.words }
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

async function transcribe(
  transcriber: Transcriber,
  picture: NormalisedSource,
  { sound, soundKey }: { sound: string; soundKey: string },
  context: FfmpegContext,
): Promise<Transcript> {
  const { sampleRate, samples } = parseWav(await readFile(sound))
  const { source, hasSubtitles, durationMs } = picture
  const recording = { ...source, hasSubtitles, sampleRate, samples, soundKey, ffmpeg: context }
  const transcript = await retryWhileBusy(() => transcriber.transcribe(recording), context.signal)
  // Subtitles may continue after the video stream.
  const heard = transcript.words.filter(({ startMs }) => startMs < durationMs)
  return { ...transcript, words: heard.map((word) => ({ ...word, endMs: Math.min(word.endMs, durationMs) })) }
}

/** A frame within the first passage of speech, where a speaker may be visible; otherwise an early one. */
async function extractThumbnail(
  { shownInput, durationMs }: NormalisedSource,
  { passages }: Transcript,
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
