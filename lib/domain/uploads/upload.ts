/** An upload: the client puts a file into storage; its arrival makes a video. */
import { artefactKey } from '../core/artefact.ts'
import type { JobError } from '../core/failures.ts'
import { toJobError } from '../core/failures.ts'
import { deterministicId } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { earliest, secondsAfter } from '../core/time.ts'
import type { Brief } from '../records/brief.ts'
import type { Decision, RecordChange } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import { type Upload, uploadFormats } from '../records/upload.ts'
import type { Video } from '../records/video.ts'
import { newVideo, queuedProcess } from '../videos/create-video.ts'
import { builtInVoices, defaultVoice } from '../videos/voices.ts'
import { refuseFullStorage } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export const fileNameLengthMax = 255
export const uploadTitleLengthMax = 200
/** What S3 takes in one PUT. */
export const uploadBytesMax = 5 * 1024 ** 3
/** A PUT has to begin within this time. */
export const uploadUrlTtlSeconds = 60 * 60
/** One that began in the last moment may go on for so long: 5 GB at 2 Mbit/s. */
const transferSeconds = 6 * 60 * 60
/** How often the sweeper looks for a file of which nothing was told. */
const checkIntervalSeconds = 10 * 60

/** What every key of an uploaded file holds, and no key of another kind. */
export const sourceFolder = '/sources/'

export type UploadInput = Pick<Upload, 'fileName' | 'contentType' | 'bytes' | 'title' | 'wishes'>

interface UploadDecision extends Decision {
  upload: Upload
}

/** The file of an upload as it lies in storage. */
export interface ArrivedFile {
  bytes: number
  contentType: string
  /** Its first bytes; 16 are enough. */
  start: Uint8Array
}

/** Both bear the same time and chance, so that the address of a file leads to its upload. */
const videoIdOf = (uploadId: string) => uploadId.replace(/^upl_/, 'vid_')
const uploadIdOf = (videoId: string) => videoId.replace(/^vid_/, 'upl_')

/** The upload that a file was put into storage for. */
export function uploadOfKey(key: string): { workspaceId: string; uploadId: string } {
  const [workspaceId = '', videoId = ''] = key.split('/')
  return { workspaceId, uploadId: uploadIdOf(videoId) }
}

/** Room for a file that is to come. Refused where the plan has none for what was declared. */
export function createUpload(workspace: Workspace, wish: UploadInput, uploadId: string, now: string): UploadDecision {
  refuseFullStorage(workspace, wish.bytes)
  const videoId = videoIdOf(uploadId)
  const { extension } = uploadFormats[wish.contentType]
  const addressEndsAt = secondsAfter(now, uploadUrlTtlSeconds)
  const upload: Upload = {
    id: uploadId,
    workspaceId: workspace.id,
    version: 1,
    status: 'waiting',
    ...wish,
    videoId,
    sourceKey: artefactKey({ workspace, videoId }, 'sources', [uploadId], extension),
    error: null,
    createdAt: now,
    addressEndsAt,
    closesAt: secondsAfter(addressEndsAt, transferSeconds),
    dueAt: secondsAfter(now, checkIntervalSeconds),
  }
  return decided(upload, [{ record: 'upload', before: undefined, after: upload }], now)
}

/** When the sweeper should look again for a file that has not come. */
export const nextUploadCheckAt = ({ closesAt }: Upload, now: string) =>
  earliest(closesAt, secondsAfter(now, checkIntervalSeconds))

/** Makes the video of a file that came, or ends the upload. Undefined where there is nothing to do: it ended, or it goes on waiting. */
export function resolveUpload(
  workspace: Workspace,
  upload: Upload,
  file: ArrivedFile | undefined,
  now: string,
): UploadDecision | undefined {
  if (upload.status !== 'waiting') return undefined
  if (!file) return now < upload.closesAt ? undefined : failed(upload, notReceived, now)
  const error = mismatchIn(upload, file) ?? fullFor(workspace, file)
  return error ? failed(upload, error, now) : received(workspace, upload, now)
}

const notReceived: JobError = { code: 'timeout', message: 'No file came before the upload was closed.', blocked: false }

function mismatchIn({ bytes, contentType }: Upload, file: ArrivedFile): JobError | undefined {
  const wrong = (message: string): JobError => ({ code: 'invalid-request', message, blocked: true })
  if (file.bytes !== bytes) return wrong(`The file has ${file.bytes} bytes; ${bytes} were declared.`)
  if (file.contentType !== contentType)
    return wrong(`The file came as ${file.contentType}; ${contentType} was declared.`)
  if (!uploadFormats[contentType].begins.test(Buffer.from(file.start).toString('hex')))
    return wrong(`The file is no ${contentType}.`)
  return undefined
}

function fullFor(workspace: Workspace, { bytes }: ArrivedFile): JobError | undefined {
  try {
    refuseFullStorage(workspace, bytes)
    return undefined
  } catch (refusal) {
    if (refusal instanceof Refusal) return toJobError(refusal, 'transcription-failed')
    throw refusal
  }
}

function failed(before: Upload, error: JobError, now: string): UploadDecision {
  const upload: Upload = { ...before, version: before.version + 1, status: 'failed', error, dueAt: null }
  return decided(upload, [{ record: 'upload', before, after: upload }], now)
}

/** An upload costs no credits and is no generation of the month: nothing is written or spoken for it. */
function received(workspace: Workspace, before: Upload, now: string): UploadDecision {
  const upload: Upload = { ...before, version: before.version + 1, status: 'received', dueAt: null }
  const { id, videoId, title, fileName, sourceKey, wishes } = upload
  const runId = deterministicId('run', id)
  const made = newVideo(
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
  const video: Video = { ...made, media: { ...made.media, sourceKey } }
  const changes: RecordChange[] = [
    { record: 'upload', before, after: upload },
    { record: 'video', before: undefined, after: video },
  ]
  return {
    ...decided(upload, changes, now),
    events: [newEvent('video.created', { video }, videoId, now)],
    starts: [{ pipeline: 'generate', videoId, runId }],
  }
}

const decided = (upload: Upload, changes: RecordChange[], now: string): UploadDecision => ({
  workspaceId: upload.workspaceId,
  at: now,
  upload,
  changes,
  charges: [],
  events: [],
  starts: [],
})

/** The name without its ending, as long as a title may be; no character is cut in half. */
function titleOf(fileName: string): string {
  const name = fileName.replace(/\.[^.]*$/, '').trim() || fileName.trim()
  return name.slice(0, uploadTitleLengthMax).replace(/[\ud800-\udbff]$/, '')
}

/** Nobody wrote it: the file speaks for itself. Variations of the video begin from it. */
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
