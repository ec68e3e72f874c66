import { globSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AccountResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { voicePrefixes } from '../../lib/domain/videos/voices.ts'
import { send } from '../mcp/mcp-client.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import { converse } from '../support/fake-vendors/converse.ts'
import type { FakeVendor, VendorResponse } from '../support/fake-vendors/fake-vendor.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { billedSpeechRequests, startFakePolly } from '../support/fake-vendors/polly.ts'
import { stability } from '../support/fake-vendors/stability.ts'
import {
  callApiOf,
  runAdmin,
  type ServiceProcess,
  startServiceProcess,
  storedObjects,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
const environment = { PROVIDERS: JSON.stringify({ writer: 'bedrock', narrator: 'polly', images: 'stability' }) }
let service: ServiceProcess
afterAll(async () => {
  await service?.stop()
  remove()
})

let bedrock: FakeVendor
let polly: FakeVendor
beforeAll(async () => {
  ;[bedrock, polly] = await Promise.all([startFakeBedrock(converse(fakeNova), stability), startFakePolly()])
  // The service is a child of this process, and calls the vendors that its environment names.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
    AWS_ENDPOINT_URL_POLLY: polly.url,
  })
})
afterAll(() => Promise.all([bedrock.stop(), polly.stop()]))

const scriptsOrdered = () => bedrock.calls.filter(({ path }) => path.endsWith('/converse')).length

/** Completely stored segments of the render of a video: the object that is written last for each. */
const segmentsOf = (id: string) => globSync(`s3/**/${id}/segments/*.mp4._S3rver_object.md5`, { cwd: directory }).length

/**
 * Until the returned function is called, no render of the video can be stored, so that none completes before the kill:
 * its folder links to nothing, which the storage reads as empty and cannot write to.
 */
function preventRenders(id: string): () => void {
  const [videoFolder] = globSync(`s3/**/${id}`, { cwd: directory })
  const folder = join(directory, videoFolder!, 'renders')
  symlinkSync('nothing', folder)
  return () => rmSync(folder)
}

/** How often each order for a picture was sent. */
const picturesOrdered = () =>
  Object.values(
    Object.groupBy(
      bedrock.calls.filter(({ path }) => path.endsWith('/invoke')),
      ({ body }) => body.toString(),
    ),
  ).map((calls) => calls!.length)

/** A task of the MCP server: it lasts as long as its video. */
const sendMcp = async (method: string, params: Record<string, unknown>) =>
  (await send({ key: service.runtime.apiKey, baseUrl: service.runtime.baseUrl }, method, params)).body.result
const beginTask = async (brief: object): Promise<string> =>
  (await sendMcp('tools/call', { name: 'create_video', arguments: brief })).taskId
const readTask = (taskId: string) => sendMcp('tasks/get', { taskId })

describe('kill -9 of the whole service', () => {
  it('during each vendor call and in the middle of a render: one video, one charge, one set of events, nothing bought or rendered twice', async () => {
    bedrock.fault = 'silent'
    service = await startServiceProcess(directory, environment)
    const taskId = await beginTask({
      ...{ prompt: 'Sleep better', targetDuration: 16, imageStyle: 'ai_image', aspectRatio: '1:1' },
      ...{ voiceId: `${voicePrefixes.polly}Joanna`, render: true },
    })
    const [id = ''] = taskId.split('.')
    await vi.waitUntil(() => scriptsOrdered() === 1, { timeout: 60_000 })
    await service.kill()

    bedrock.fault = null
    polly.fault = 'silent'
    service = await startServiceProcess(directory, environment)
    await vi.waitUntil(() => billedSpeechRequests(polly).length === 2, { timeout: 60_000 })
    const during = await readTask(taskId)
    await service.kill()
    expect(scriptsOrdered()).toBe(2)
    expect(during).toMatchObject({ taskId, status: 'working' })

    polly.fault = null
    // One picture arrives, and no other does.
    Object.assign(bedrock, { faults: [(usual: VendorResponse) => usual], fault: 'silent' })
    service = await startServiceProcess(directory, environment)
    await waitForVideo(service.runtime, id, ({ process }) => /visuals: 1 of [2-9]/.test(process!.statusText ?? ''))
    await service.kill()
    expect(billedSpeechRequests(polly)).toHaveLength(4)

    bedrock.fault = null
    const allowRenders = preventRenders(id)
    service = await startServiceProcess(directory, environment)
    await vi.waitUntil(() => segmentsOf(id) > 0, { timeout: 60_000, interval: 10 })
    await service.kill()
    allowRenders()

    service = await startServiceProcess(directory, environment)
    const video = await waitForVideo(service.runtime, id, ({ status }) => status === 'ready')
    expect(await readTask(taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { data: { id } } },
    })
    expect(video.process).toMatchObject({ status: 'COMPLETED', progress: 100, error: null })
    expect(video.render).toMatchObject({ status: 'COMPLETED', progress: 100, error: null })
    expect(video.render!.reuse!.reused).toBeGreaterThan(0)
    expect((await fetch(video.media.renderUrl!)).status).toBe(200)

    // Calls in flight at a kill had to be repeated; results that had arrived were not requested again.
    expect(scriptsOrdered()).toBe(2)
    expect(billedSpeechRequests(polly)).toHaveLength(4)
    expect(picturesOrdered().filter((times) => times === 1)).not.toEqual([])
    expect(Math.max(...picturesOrdered())).toBe(2)

    const list = await callApiOf<VideoResource[]>(service.runtime, 'GET', '/videos')
    expect(list.map((item) => item.id)).toEqual([id])
    const events = await runAdmin<{ type: string; takenAt: string | null }[]>(
      directory,
      'event',
      'list',
      '--workspace',
      service.runtime.workspaceId,
    )
    expect(events.map(({ type }) => type)).toEqual([
      'video.created',
      'video.generation_completed',
      'video.render_completed',
    ])
    expect(events.every(({ takenAt }) => takenAt !== null)).toBe(true)
    const { credits, limits } = await callApiOf<AccountResource>(service.runtime, 'GET', '/')
    expect(credits.used).toBe(10)
    expect(limits.generations.used).toBe(1)
    expect(limits.storage.usedBytes).toBe(storedObjects(directory, id).reduce((sum, { bytes }) => sum + bytes, 0))
  }, 240_000)
})
