/** Creates workspaces for tests, and calls the service as a client does. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { inject } from 'vitest'
import { now } from '../../lib/clock.ts'
import { createVideoRequest } from '../../lib/contract/requests/videos.ts'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import type { ApiKeyScope } from '../../lib/domain/records/api-key.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import type { VideoInput } from '../../lib/domain/videos/create-video.ts'
import { failJob } from '../../lib/domain/videos/job-transitions.ts'
import { hashApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { createWorkspace } from '../../lib/domain/workspaces/workspace.ts'
import { createApiKey } from '../../lib/store/api-keys.ts'
import { putWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { assertDeclaredRefusal, assertDeclaredResult } from './declared-refusals.ts'

export interface World {
  workspaceId: string
  apiKey: string
  keyId: string
}

/** A workspace of its own with one key. */
export async function newWorld({
  planId = 'self-hosted',
  organizationId = null,
}: {
  planId?: PlanId
  organizationId?: string | null
} = {}): Promise<World> {
  const workspaceId = mintId('wsp', now())
  const mediaSecret = randomBytes(16).toString('hex')
  await putWorkspace(createWorkspace({ id: workspaceId, name: 'Test', planId, organizationId, mediaSecret }, now()))
  return { workspaceId, ...(await newKey(workspaceId)) }
}

/** A key that may use every route, unless its scope is given. */
export async function newKey(
  workspaceId: string,
  scope: ApiKeyScope = 'admin',
): Promise<{ apiKey: string; keyId: string }> {
  const apiKey = mintApiKey()
  const keyId = mintId('key', now())
  const key = { id: keyId, workspaceId, name: 'test', scope, hash: hashApiKey(apiKey), lastFour: apiKey.slice(-4) }
  await createApiKey({ ...key, createdAt: now(), revokedAt: null })
  return { apiKey, keyId }
}

export interface ApiResponse {
  status: number
  headers: Headers
  /** The parsed body, of any type: the test states what it expects. */
  body: ReturnType<typeof JSON.parse>
}

export interface ApiRequest {
  key?: string
  headers?: Record<string, string>
  /** Sent as JSON, or as it is where it is text or bytes. */
  body?: unknown
  /** The result was stored by an earlier version, whose fields are not all of today's. */
  isStoredEarlier?: boolean
}

/** One request to the service; `path` begins after `/v1`. */
export async function callApi(
  method: string,
  path: string,
  { key, headers = {}, body, isStoredEarlier = false }: ApiRequest = {},
): Promise<ApiResponse> {
  const response = await fetch(`${inject('baseUrl')}${path}`, {
    method,
    headers: { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text ? JSON.parse(text) : undefined
  assertDeclaredRefusal(method, path, parsed)
  if (!isStoredEarlier) assertDeclaredResult(method, path, parsed)
  return { status: response.status, headers: response.headers, body: parsed }
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** Waits until a video is as wanted; a job that failed ends the wait with its reason. */
export async function untilVideo(
  { apiKey }: Pick<World, 'apiKey'>,
  id: string,
  wanted: (video: VideoResource) => boolean,
  secondsMax = 60,
): Promise<VideoResource> {
  const deadline = Date.now() + secondsMax * 1000
  for (;;) {
    const { body } = await callApi('GET', `/videos/${id}`, { key: apiKey })
    const video = body.data as VideoResource
    if (wanted(video)) return video
    if (video.status === 'failed') throw new Error(`The job failed: ${JSON.stringify([video.process, video.render])}`)
    if (Date.now() > deadline) throw new Error(`Not as wanted after ${secondsMax} s: ${JSON.stringify(video)}`)
    await delay(50)
  }
}

/** Ends the open generation of a video badly. */
export const failGeneration = ({ workspaceId }: Pick<World, 'workspaceId'>, videoId: string): Promise<Video> =>
  changeVideo({ workspaceId, videoId }, (video) =>
    failJob(video, 'process', video.process!.runId, { code: 'timeout', message: 'Too late.', blocked: false }, now()),
  )

/** What a brief becomes after parsing. */
export const videoInputOf = (brief: Record<string, unknown>): VideoInput => v.parse(createVideoRequest, brief)
