/** Decisions on an upload: created with a presigned URL, resolved into a video when its file arrives, or failed. */
import { artefactKey, artefactName } from '../core/artefact.ts'
import type { JobError } from '../core/failures.ts'
import { toJobError } from '../core/failures.ts'
import { deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { clip, truncate } from '../core/text.ts'
import { earliest, secondsAfter } from '../core/time.ts'
import { type Brief, titleLengthMax } from '../records/brief.ts'
import { type Decision, newDecision, type RecordChange } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import { type Upload, uploadFormats } from '../records/upload.ts'
import type { Video } from '../records/video.ts'
import { newVideo, queuedProcess } from '../videos/create-video.ts'
import { builtInVoices, defaultVoice } from '../videos/voices.ts'
import { plans } from '../workspaces/plan.ts'
import { refuseFullStorage } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The maximum of S3 for one PUT. */
export const uploadBytesMax = 5 * 1024 ** 3
/**
 * A PUT has to start within this time. Short, because a presigned URL ends with the session of the function that signed it.
 */
export const uploadUrlTtlSeconds = 15 * 60
const transferSecondsMin = 60 * 60
const transferSecondsMax = 6 * 60 * 60
/**
 * How long a transfer may take after the URL's expiry: as long as at 1 Mbit/s, within bounds. An upload without a file
 * reserves its bytes until then.
 */
export const transferSecondsOf = (bytes: number): number =>
  Math.min(Math.max(Math.ceil((bytes * 8) / 1_000_000), transferSecondsMin), transferSecondsMax)
/** Within this time of its creation, the file of any upload arrives or never does. */
export const uploadOpenSecondsMax = uploadUrlTtlSeconds + transferSecondsMax
/** Uploads of a workspace that wait for their files at once. */
export const waitingUploadsMax = 100
/** How often the sweeper checks for a file whose event was lost. */
const checkIntervalSeconds = 10 * 60

/** Part of the storage key of every uploaded file, and of no other object. */
export const sourceFolder = '/sources/'

export type UploadInput = Pick<Upload, 'fileName' | 'contentType' | 'bytes' | 'title' | 'wishes'>

interface UploadDecision extends Decision {
  upload: Upload
}

/** The stored file of an upload. */
export interface ArrivedFile {
  bytes: number
  contentType: string
  /** Its first bytes, at least 16. */
  start: Uint8Array
}

/** The ids differ in their prefix only, so that the storage key of a file leads to its upload. */
const videoIdOf = (uploadId: string) => uploadId.replace(/^upl_/, 'vid_')
const uploadIdOf = (videoId: string) => videoId.replace(/^vid_/, 'upl_')

/** The upload that a stored file belongs to. */
export function uploadOfKey(key: string): { workspaceId: string; uploadId: string } {
  const [workspaceId = '', videoId = ''] = key.split('/')
  return { workspaceId, uploadId: uploadIdOf(videoId) }
}

/** Creates an upload and reserves its declared size. Refuses if it exceeds the plan's storage, or if too many wait. */
export function createUpload(workspace: Workspace, input: UploadInput, uploadId: string, now: string): UploadDecision {
  refuseWaitingUploads(workspace)
  refuseFullStorage(workspace, input.bytes)
  const videoId = videoIdOf(uploadId)
  const { extension } = uploadFormats[input.contentType]
  const addressEndsAt = secondsAfter(now, uploadUrlTtlSeconds)
  const upload: Upload = {
    id: uploadId,
    workspaceId: workspace.id,
    version: 1,
    status: 'waiting',
    ...input,
    reservedBytes: input.bytes,
    videoId,
    sourceKey: artefactKey({ workspace, videoId }, 'sources', [uploadId], extension),
    error: null,
    createdAt: now,
    addressEndsAt,
    closesAt: secondsAfter(addressEndsAt, transferSecondsOf(input.bytes)),
    dueAt: secondsAfter(now, checkIntervalSeconds),
  }
  return {
    ...newDecision(workspace.id, [{ record: 'upload', before: undefined, after: upload }], now),
    storageBytesMax: plans[workspace.planId].storageBytesMax,
    upload,
  }
}

function refuseWaitingUploads({ uploadsWaiting }: Workspace): void {
  if (uploadsWaiting >= waitingUploadsMax)
    throw new Refusal(
      'limit-reached',
      `At most ${waitingUploadsMax} uploads of a workspace wait for their files at once. Send the files of some, or wait until they expire.`,
    )
}

/** When the sweeper checks again for a missing file. */
export const nextUploadCheckAt = ({ closesAt }: Upload, now: string) =>
  earliest(closesAt, secondsAfter(now, checkIntervalSeconds))

/** Makes the video of an arrived file, or fails the upload. Undefined if it has ended or still waits for the file. */
export function resolveUpload(
  workspace: Workspace,
  upload: Upload,
  file: ArrivedFile | undefined,
  now: string,
): UploadDecision | undefined {
  if (upload.status !== 'waiting') return undefined
  if (!file) return now < upload.closesAt ? undefined : failed(upload, notReceived, now)
  const error = mismatchIn(upload, file) ?? fullFor(workspace, upload, file)
  return error ? failed(upload, error, now) : received(workspace, upload, now)
}

const notReceived: JobError = { code: 'timeout', message: 'No file arrived before the upload expired.', blocked: false }

function mismatchIn({ bytes, contentType }: Upload, file: ArrivedFile): JobError | undefined {
  const mismatch = (message: string): JobError => ({
    code: 'invalid-request',
    message: truncate(message),
    blocked: true,
  })
  if (file.bytes !== bytes) return mismatch(`The file has ${file.bytes} bytes; ${bytes} were declared.`)
  if (file.contentType !== contentType)
    return mismatch(`The file was sent as ${file.contentType}; ${contentType} was declared.`)
  if (!uploadFormats[contentType].begins.test(Buffer.from(file.start).toString('hex')))
    return mismatch(`The file is not a valid ${contentType} file.`)
  return undefined
}

/** The plan may have changed since the bytes were reserved. */
function fullFor(workspace: Workspace, { reservedBytes = 0 }: Upload, { bytes }: ArrivedFile): JobError | undefined {
  try {
    refuseFullStorage({ ...workspace, storageUsedBytes: workspace.storageUsedBytes - reservedBytes }, bytes)
    return undefined
  } catch (refusal) {
    if (refusal instanceof Refusal) return toJobError(refusal, 'transcription-failed')
    throw refusal
  }
}

/** Queues the deletion of its file, also of one that arrives within the purge's second pass. */
function failed(before: Upload, error: JobError, now: string): UploadDecision {
  const upload: Upload = { ...before, version: before.version + 1, status: 'failed', error, dueAt: null }
  return {
    ...newDecision(upload.workspaceId, [{ record: 'upload', before, after: upload }], now),
    upload,
    purges: [{ videoId: upload.videoId, clips: 0, runs: [] }],
  }
}

/** Free, and not counted as a generation: an upload needs no script or narration. */
function received(workspace: Workspace, before: Upload, now: string): UploadDecision {
  const upload: Upload = { ...before, version: before.version + 1, status: 'received', dueAt: null }
  const { id, videoId, title, fileName, sourceKey, bytes, wishes } = upload
  const runId = deterministicIdAt('run', now, id)
  const blank = newVideo(
    workspace,
    {
      id: videoId,
      title: title ?? titleOf(fileName),
      titleIsWorking: false,
      type: 'video',
      subType: null,
      brief: briefOfUpload(),
      mood: null,
      presentationMood: null,
    },
    queuedProcess({ runId, work: 'ingest', wishes, purchase: undefined }, now),
    now,
  )
  const video: Video = { ...blank, media: { ...blank.media, sourceKey } }
  const source = { name: artefactName({ workspace, videoId }, sourceKey), bytes }
  const changes: RecordChange[] = [
    { record: 'upload', before, after: upload },
    { record: 'video', before: undefined, after: video, source },
  ]
  return {
    ...newDecision(upload.workspaceId, changes, now),
    storageBytesMax: plans[workspace.planId].storageBytesMax,
    upload,
    events: [newEvent('video.created', { video }, videoId, now)],
    starts: [{ pipeline: 'generate', videoId, runId }],
  }
}

/** The file name without its extension, clipped to the length of a title. */
const titleOf = (fileName: string): string =>
  clip(fileName.replace(/\.[^.]*$/, '').trim() || fileName.trim(), titleLengthMax)

/** The empty brief of an uploaded video, with defaults for its clips. */
function briefOfUpload(): Brief {
  const voice = defaultVoice(builtInVoices, 'en')!
  return {
    prompt: null,
    text: null,
    scriptPrompt: null,
    description: null,
    descriptionPrompt: null,
    inputMode: 'auto',
    videoDuration: 'subminute',
    language: voice.language,
    aspectRatio: '9:16',
    imageStyle: 'mixed',
    connectedBRolls: false,
    customStyleText: null,
    voiceId: voice.id,
    voiceProvider: voice.provider,
    showSubtitles: true,
    presentationTone: null,
    presentationAssets: [],
    presenter: null,
    targetDuration: null,
    characterImageUrl: null,
    characterDescription: null,
  }
}
