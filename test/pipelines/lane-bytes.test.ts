/** One video rendered in every lane, and by functions that fail: the same bytes, from the request to the files. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { putObject } from '../../lib/aws/media-bucket.ts'
import { now } from '../../lib/clock.ts'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { artefactKey } from '../../lib/domain/core/artefact.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import type { StorageOwner } from '../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { deleteArtefactsExcept } from '../../lib/use-cases/artefacts/delete-artefacts.ts'
import type { Fault } from '../../local/emulators/lambda-sandboxes.ts'
import { type Reelsmith, startReelsmith } from '../../local/reelsmith.ts'
import { given, timedCaptions } from '../support/given/videos.ts'
import { portraitPng, speechWav } from '../support/picture-server.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import { newWorld, type World } from '../support/world.ts'
import { type ApiCredentials, callApiOf, waitForVideo } from './service-process.ts'

const directory = temporaryDirectoryOfFile({ memory: true })
/** Segments of the video: one for each of as many functions. */
const shots = 8
/** The commands that functions were invoked with in the latest render, without ids. */
let invoked: string[] = []
/** What happens to the function that renders the first frames. */
let fault: Fault | undefined
let service: Reelsmith
let client: ApiCredentials & World
let owner: StorageOwner
/** Of the video as one function renders it. */
let alone: Awaited<ReturnType<typeof render>>

beforeAll(async () => {
  const mediaFault = (event: unknown) => {
    const [name = '', , , , ...frames] = (event as { command: string[] }).command
    invoked.push(name)
    return name === 'render-batch' && frames[0] === '0' ? fault : undefined
  }
  service = await startReelsmith({ directory, port: 0, timeScale: 20, log: () => {}, mediaFault })
  service.resume()
  client = { ...(await newWorld({ planId: 'pro' })), baseUrl: service.baseUrl }
  owner = await newVideo(client)
  alone = await render(oneFunction)
})
afterAll(() => service.stop())
afterEach(() => {
  vi.unstubAllEnvs()
  fault = undefined
})

/** A generated video of 1.2 s, whose picture belongs to another one. */
async function newVideo({ workspaceId }: World): Promise<StorageOwner> {
  const workspace = await getWorkspace(workspaceId)
  const key = artefactKey({ workspace, videoId: mintId('vid', now()) }, 'visuals', 'still', 'png')
  await putObject(key, await portraitPng(), 'image/png')
  const captions = timedCaptions('Same bytes.')
  const shotMs = (captions.at(-1)!.endMs + 600) / shots
  const bRolls = Array.from({ length: shots }, (_, index) => ({
    ...{ id: `brl_${index}`, startMs: Math.round(index * shotMs), endMs: Math.round((index + 1) * shotMs) },
    ...{ text: '', prompt: '', keywords: [], hidden: false, mediaType: 'ai_image' as const },
    media: { kind: 'still' as const, key },
  }))
  const brief = { aspectRatio: '1:1' }
  const { id, media } = await given.generatedVideo({ workspaceId }, { captions, bRolls, brief })
  await putObject(media.audioKey!, speechWav(2), 'audio/wav')
  return { workspace, videoId: id }
}

/** The settings of a deployment whose functions render everything, in parts if they have little of a processor. */
const oneFunction = { RENDER_FUNCTIONS_MAX: '1', RENDER_FUNCTION_VCPUS: '1' }
const functions = (count: number) => ({ RENDER_FUNCTIONS_MAX: String(count), RENDER_FUNCTION_VCPUS: '0.01' })
const tasksOnly = { RENDER_FUNCTIONS_MAX: '0', RENDER_FUNCTION_VCPUS: '1' }

/** Renders the video as if it never had been, in the lane that these settings give. */
async function render(settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  for (const kind of ['renders', 'segments'] as const) await deleteArtefactsExcept(owner, kind, new Set())
  invoked = []
  await callApiOf(client, 'POST', `/videos/${owner.videoId}/render`)
  const video = await waitForVideo(client, owner.videoId, ({ status }) => status === 'ready')
  return { files: await hashesOf(video), reuse: video.render!.reuse!, invoked: invoked.toSorted() }
}

async function hashesOf({ media }: VideoResource) {
  const hash = async (url: string | null) => {
    const response = await fetch(url!)
    expect(response.status).toBe(200)
    return createHash('sha256')
      .update(new Uint8Array(await response.arrayBuffer()))
      .digest('hex')
  }
  return { mp4: await hash(media.renderUrl), thumbnail: await hash(media.thumbnailUrl) }
}

const completions = async () =>
  (await listEvents(client.workspaceId)).filter(({ type }) => type === 'video.render_completed').length

/** Of a fan-out: the parts, then the function that joins them unless a part was lost. */
const parts = (count: number) => [...Array<string>(count).fill('render-batch'), 'render-sound', 'render-thumbnail']

describe('one video', () => {
  it('is rendered by one function', () => {
    expect(alone).toMatchObject({ invoked: ['render-video'], reuse: { segments: shots, reused: 0 } })
  })

  it.each([2, 4, 8])('is the same mp4 and the same thumbnail by %i functions', async (count) => {
    const { files, ...how } = await render(functions(count))
    expect(files).toEqual(alone.files)
    // The parts rendered everything: the join found all segments.
    expect(how).toEqual({
      invoked: [...parts(count), 'render-video'],
      reuse: { segments: shots, reused: shots, secondsRendered: 0 },
    })
  })

  it('is the same mp4 and the same thumbnail by a task', async () => {
    expect(await render(tasksOnly)).toMatchObject({ files: alone.files, invoked: [], reuse: { reused: 0 } })
  })

  it.each(['killed', 'vanished', 'memory', 'throttled'] as const)(
    'of which a function is lost (%s) is completed by a task, once, from what the others rendered',
    async (happens) => {
      const before = await completions()
      fault = happens
      const { files, reuse, ...other } = await render(functions(2))
      expect(files).toEqual(alone.files)
      // A throttled function is tried twice more. No other function joins: a task does.
      expect(other.invoked).toEqual(parts(happens === 'throttled' ? 4 : 2))
      expect(reuse.reused).toBeGreaterThanOrEqual(shots / 2)
      expect(await completions()).toBe(before + 1)
    },
  )
})
