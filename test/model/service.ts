/**
 * The real side of the model: a workspace of the shared service, its client, the workers that perform its outbox, and
 * the ends of its jobs. Generations and renders end as their pipelines end them, without making media.
 */
import { createHmac } from 'node:crypto'
import { now } from '../../lib/clock.ts'
import { artefactKey } from '../../lib/domain/core/artefact.ts'
import type { PlatformId } from '../../lib/domain/core/platform.ts'
import type { RenderFacts, TimelineName, Video } from '../../lib/domain/records/video.ts'
import { completeProcess, completeRender } from '../../lib/domain/videos/complete-job.ts'
import { beginProcess, beginRender, failJob } from '../../lib/domain/videos/job-transitions.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { queryAll } from '../../lib/store/core/query.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { storeArtefact, storeTimeline } from '../../lib/use-cases/artefacts/store-artefact.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { attemptDelivery } from '../../lib/use-cases/webhooks/attempt-delivery.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { startTestReceiver } from '../support/receiver.ts'
import { runClipJob, runScriptJob } from '../support/run-jobs.ts'
import { type ApiRequest, callApi, newWorld, type World } from '../support/world.ts'
import type { Event, PlanName, Timelines, Workspace } from './model.ts'

/** What arrived at an endpoint. */
export interface Arrival extends Event {
  deliveryId: string
  body: Buffer
  signature: string
}

/** One receiver for all sequences; the path of an endpoint names its workspace and a number of its own. */
export async function startArrivals() {
  const receiver = await startTestReceiver()
  const arrivals = new Map<string, Arrival[]>()
  receiver.answering = ({ path, headers, body }, response) => {
    const { event, data } = JSON.parse(String(body))
    const header = (name: string) => String(headers[name])
    const arrival = { body, deliveryId: header('x-service-delivery'), signature: header('x-service-signature') }
    const list = arrivals.get(path) ?? []
    arrivals.set(path, [...list, { ...arrival, event, about: (data.automation ?? data.video).id }])
    receiver.posts.length = 0
    response.writeHead(path.includes('refuse') ? 500 : 200).end()
  }
  return {
    urlOf: (path: string) => `${receiver.url}${path}`,
    arrivalsAt: (url: string) => arrivals.get(new URL(url).pathname) ?? [],
    stop: receiver.stop,
  }
}
export type Arrivals = Awaited<ReturnType<typeof startArrivals>>

export const signatureOf = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')

/** A render that the sandbox accepts. */
export interface Film extends RenderFacts {
  mp4: Uint8Array
  cover: Uint8Array
}

/** What all sequences share. */
export interface Surroundings {
  /** The first voice of each provider. */
  voices: Record<string, string>
  arrivals: Arrivals
  film: Film
}

/** A new workspace with a profile that has accounts of the sandbox. */
export async function newService(plan: PlanName, platforms: readonly PlatformId[], film: Film) {
  const world = await newWorld({ planId: plan })
  const { id } = await addProfile(world.workspaceId, { name: 'Studio' })
  for (const platform of platforms) await connectSandboxAccount(world.workspaceId, id, platform)
  const { accounts } = await getProfile(world.workspaceId, id)
  const profile = { id, accounts: accounts.map((account) => ({ id: account.id, platform: account.platform })) }
  return { ...serviceOf(world, film), profile }
}
export type Service = Awaited<ReturnType<typeof newService>>

/** The kinds that the tests' workers perform; the commands end jobs and slots themselves. */
const performed = new Set(['event', 'purge', 'drop', 'wake'])

function serviceOf(world: World, film: Film) {
  const { workspaceId } = world
  const call = (method: string, path: string, request: Omit<ApiRequest, 'key'> = {}) =>
    callApi(method, path, { key: world.apiKey, ...request })
  return {
    workspaceId,
    call,
    /** Performs the outbox, and attempts the deliveries that wait for their first attempt. */
    async performOutbox({ webhooks }: Workspace): Promise<void> {
      const rows = await queryAll({
        KeyConditionExpression: 'pk = :outbox',
        ExpressionAttributeValues: { ':outbox': keys.outbox(workspaceId, '').pk },
        ConsistentRead: true,
      })
      const due = rows.filter(({ kind, purgedAt }) => performed.has(String(kind)) && !purgedAt)
      await Promise.all(due.map(({ pk, sk }) => dispatchOutboxRow({ pk: String(pk), sk: String(sk) })))
      if (webhooks.length === 0 || due.length === 0) return
      const { body } = await call('GET', '/webhooks/deliveries?status=pending&limit=100')
      // One after the other, as failures of an endpoint are counted in a row. The model has no limits of receivers: each attempt has its token.
      for (const { id, attempts } of body.data.toReversed())
        if (attempts === 0) await attemptDelivery({ workspaceId, deliveryId: id, attempt: 0, isReserved: true })
    },
    begin: async (videoId: string, kind: 'process' | 'render') => {
      const { runId } = (await getVideo(workspaceId, videoId))[kind]!
      await changeVideo({ workspaceId, videoId }, (video) =>
        kind === 'process'
          ? beginProcess(video, runId, now())!
          : beginRender(video, runId, `manifests/${runId}`, now())!,
      )
    },
    fail: async (videoId: string, kind: 'process' | 'render', code: 'timeout') => {
      const { runId } = (await getVideo(workspaceId, videoId))[kind]!
      const error = { code, message: 'Too late.', blocked: false }
      await changeVideo({ workspaceId, videoId }, (video) => failJob(video, kind, runId, error, now()))
    },
    completeGeneration: (videoId: string, result: GivenGeneration) =>
      completeGeneration({ workspaceId, videoId }, result),
    completeRender: (videoId: string) => completeRenderOf({ workspaceId, videoId }, film),
    completeScript: (videoId: string) => runScriptJob(world, videoId),
    completeClip: (videoId: string) => runClipJob(world, videoId),
  }
}

export interface GivenGeneration {
  title: string
  durationSeconds: number
  timelines: Partial<Timelines>
}
type Place = { workspaceId: string; videoId: string }

/** As the last step of the pipeline does; the job is running. */
async function completeGeneration(place: Place, { title, durationSeconds, timelines }: GivenGeneration) {
  const workspace = await getWorkspace(place.workspaceId)
  const owner = { workspace, videoId: place.videoId }
  const { process } = await getVideo(place.workspaceId, place.videoId)
  const audioKey = artefactKey(owner, 'narrations', process!.runId, 'wav')
  await storeArtefact(owner, audioKey, Buffer.from('RIFF'), 'audio/wav')
  const isSpoken = (timelines.captions ?? []).length > 0
  const captionsKey = isSpoken ? artefactKey(owner, 'subtitles', timelines.captions, 'vtt') : null
  if (captionsKey) await storeArtefact(owner, captionsKey, Buffer.from('WEBVTT'), 'text/vtt')
  const stored: [string, string][] = []
  for (const [name, items] of Object.entries(timelines))
    stored.push([name, await storeTimeline(owner, name as TimelineName, items as never)])
  const result = { title, durationSeconds, audioKey, captionsKey, timelines: Object.fromEntries(stored) }
  await changeVideo(place, (video) => completeProcess(workspace, video, process!.runId, result, now()))
}

async function completeRenderOf(place: Place, { mp4, cover, ...facts }: Film): Promise<Video> {
  const workspace = await getWorkspace(place.workspaceId)
  const owner = { workspace, videoId: place.videoId }
  const { runId } = (await getVideo(place.workspaceId, place.videoId)).render!
  const [renderKey, thumbnailKey] = [
    artefactKey(owner, 'renders', runId, 'mp4'),
    artefactKey(owner, 'renders', runId, 'jpg'),
  ]
  await storeArtefact(owner, renderKey, mp4, 'video/mp4')
  await storeArtefact(owner, thumbnailKey, cover, 'image/jpeg')
  const rendered = { renderKey, thumbnailKey, bytes: mp4.byteLength, film: facts }
  return changeVideo(place, (video) => completeRender(video, runId, 0, rendered, now()))
}

/** The first voice of each provider, with any key. */
export async function readVoices(): Promise<Record<string, string>> {
  const { body } = await callApi('GET', '/voices?language=en', { key: (await newWorld()).apiKey })
  const first = (provider: string) => body.data.find((one: { provider: string }) => one.provider === provider)?.id
  return { standard: first('standard'), expressive: first('expressive') }
}

/** Times as `T`, addresses as `U`. */
export const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, inner) => {
      if (inner === null || inner === undefined) return inner
      if (/At$/.test(name)) return 'T'
      return /(?:Url|^url)$/.test(name) && typeof inner === 'string' ? 'U' : inner
    }),
  )
