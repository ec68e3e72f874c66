/** Videos that are further than a request can bring them, made through the rules and the store: no generation runs for them. */
import { setTimeout as delay } from 'node:timers/promises'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Timelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import {
  type CaptionWord,
  paginateCaptions,
  toCaptionWords,
  webVtt,
} from '../../../lib/domain/generation/captions/captions.ts'
import type { VideoDecision } from '../../../lib/domain/records/decision.ts'
import type { TimelineName, Video } from '../../../lib/domain/records/video.ts'
import { completeProcess, completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { beginProcess, beginRender, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefact, storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { World } from '../world.ts'
import { videoInputOf } from '../world.ts'

type WorkspaceRef = Pick<World, 'workspaceId'>

export interface GivenVideo extends Partial<Timelines> {
  /** The brief, as a request would send it. */
  brief?: Record<string, unknown>
  /** These a brief could not ask for: an upload, a variant that is made elsewhere. */
  type?: Video['type']
  subType?: string | null
  /** What else the finished record shall hold. A clip's `parentVideoId` is there from the beginning. */
  fields?: Partial<Video>
}

export const sampleScript =
  'Calm mornings begin in the evening. Lay out your clothes, fill the kettle, and sleep early.'

/** A text as a narrator would have spoken it: three words a second, one word each 300 ms and 33 ms of rest. */
export const timedCaptions = (text: string): CaptionWord[] =>
  toCaptionWords(
    text.split(/\s+/).map((word, index) => ({ text: word, startMs: index * 333, endMs: index * 333 + 300 })),
    (index) => `cap_${index}`,
  )

/** Commits with retries on conflicts: tests make many videos of one workspace concurrently. */
async function commitWithRetry(decide: () => Promise<VideoDecision>): Promise<Video> {
  for (;;) {
    const decision = await decide()
    try {
      await commit(decision)
      return decision.video
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      await delay(Math.random() * 50)
    }
  }
}

/** What is put on a record beside what the rule decided. */
const withFields = (decision: VideoDecision, fields: Partial<Video>): VideoDecision => {
  const video = { ...decision.video, ...fields }
  const changes = decision.changes.map((change) =>
    change.record === 'video' && change.after ? { ...change, after: video } : change,
  )
  return { ...decision, video, changes }
}

/**
 * A video whose generation is done, and paid for. Without captions of its own it says `spokenText`; `captions: []` makes one
 * that was never transcribed. Only the timelines that a generation would make, or that are given, are there.
 */
async function generatedVideo({ workspaceId }: WorkspaceRef, given: GivenVideo = {}): Promise<Video> {
  const { brief: wish = {}, type, subType, fields = {}, ...timelines } = given
  const ids = { videoId: mintId('vid', now()), runId: mintId('run', now()) }
  const parent = fields.parentVideoId ? { parentVideoId: fields.parentVideoId } : {}
  const kind = { ...(type ? { type } : {}), ...(subType === undefined ? {} : { subType }), ...parent }
  const brief = videoInputOf({ prompt: 'An idea', ...wish })
  await commitWithRetry(async () => withFields(createVideo(await getWorkspace(workspaceId), brief, ids, now()), kind))
  const workspace = await getWorkspace(workspaceId)
  const run = { workspaceId, ...ids }
  await changeVideo(run, (video) => beginProcess(video, ids.runId, now()))
  const owner = { workspace, videoId: ids.videoId }
  const made = { title: 'Calm mornings', ...(await storeNarration(owner, timelines)) }
  return changeVideo(run, (video) =>
    withFields(completeProcess(workspace, video, ids.runId, made, now()), { ...kind, ...fields }),
  )
}

/** Keeps the sound, the captions and the timelines of a video. */
async function storeNarration(
  owner: StorageOwner,
  { captions = timedCaptions(sampleScript), bRolls = [], ...rest }: Partial<Timelines>,
) {
  const captionsPages = rest.captionsPages ?? paginateCaptions(captions, (index) => `pag_${index}`)
  const audioKey = artefactKey(owner, 'narrations', 'sound', 'wav')
  await storeArtefact(owner, audioKey, Buffer.from('RIFF'), 'audio/wav')
  const captionsKey = captions.length > 0 ? artefactKey(owner, 'subtitles', captions, 'vtt') : null
  if (captionsKey) await storeArtefact(owner, captionsKey, Buffer.from(webVtt(captions, captionsPages)), 'text/vtt')
  const kept = await Promise.all(
    Object.entries({ ...rest, captions, captionsPages, bRolls }).map(async ([name, items]) => [
      name,
      await storeTimeline(owner, name as TimelineName, items as Timelines[TimelineName]),
    ]),
  )
  const durationSeconds = ((captions.at(-1)?.endMs ?? 9_400) + 600) / 1000
  return { durationSeconds, audioKey, captionsKey, timelines: Object.fromEntries(kept) as Record<TimelineName, string> }
}

/** A generated video with a render, stored under `media.renderKey`; a few bytes unless one is given. */
async function renderedVideo(
  place: WorkspaceRef,
  { film: whole, ...given }: GivenVideo & { film?: { mp4: Uint8Array; cover: Uint8Array } } = {},
): Promise<Video> {
  const { id, workspaceId } = await generatedVideo(place, given)
  const workspace = await getWorkspace(workspaceId)
  const owner = { workspace, videoId: id }
  const film = whole?.mp4 ?? Buffer.from(`The film of ${id}`)
  const [renderKey, thumbnailKey] = [artefactKey(owner, 'renders', id, 'mp4'), artefactKey(owner, 'renders', id, 'jpg')]
  await storeArtefact(owner, renderKey, film, 'video/mp4')
  await storeArtefact(owner, thumbnailKey, whole?.cover ?? Buffer.from('A picture'), 'image/jpeg')
  const runId = mintId('run', now())
  const run = { workspaceId, videoId: id }
  await changeVideo(run, (video) => requestRender(workspace, video, runId, now()))
  await changeVideo(run, (video) => beginRender(video, runId, artefactKey(owner, 'manifests', id, 'json'), now())!)
  const rendered = { renderKey, thumbnailKey, bytes: film.byteLength }
  return changeVideo(run, (video) => completeRender(video, runId, 0, rendered, now()))
}

/** Sets figures of a workspace that would take many requests to reach: credits, storage, generations. */
async function workspaceWith({ workspaceId }: WorkspaceRef, fields: Record<string, number | string>): Promise<void> {
  const entries = Object.entries(fields)
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
    }),
  )
}

export const given = { generatedVideo, renderedVideo, workspaceWith }
