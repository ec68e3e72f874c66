/** An agent with tools alone: it makes, edits, renders and publishes a video. Its task is read by other processes, too. */
import { beforeAll, expect, it, vi } from 'vitest'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { mcpOnUse } from '../../local/handlers.ts'
import { callTool, connectMcp, send } from '../mcp/mcp-client.ts'
import { apiEvent, noContext } from '../support/api-event.ts'
import { newApiClient } from './shared-service.ts'

let world: Awaited<ReturnType<typeof newApiClient>>
let agent: Awaited<ReturnType<typeof connectMcp>>

beforeAll(async () => {
  world = await newApiClient()
  agent = await connectMcp({ key: world.apiKey, byUrl: true, baseUrl: world.baseUrl }, '2025-11-25')
})

/** Waits as a model does: it calls again while the result says so. */
async function wait(videoId: string) {
  for (;;) {
    const { structuredContent } = await agent.callTool({ name: 'wait_for_video', arguments: { videoId } })
    const { data, nextPollMs } = structuredContent as { data: ReturnType<typeof JSON.parse>; nextPollMs?: number }
    if (nextPollMs === undefined) return data
  }
}

/** `tasks/get` in this process: nothing about the task is in the memory of the one that began it. */
async function readTaskHere(taskId: string) {
  const { handler } = mcpOnUse()
  const call = (event: ReturnType<typeof apiEvent>) => handler(event as never, noContext) as Promise<{ body: string }>
  const fetchHere = async (_: unknown, { method, headers, body }: RequestInit = {}) => {
    const lower = Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value])
    const event = apiEvent(method!, '/v1/mcp', { ...Object.fromEntries(lower), host: 'localhost' }, String(body))
    return new Response((await call(event)).body)
  }
  vi.stubGlobal('fetch', fetchHere)
  try {
    return (await send({ key: world.apiKey }, 'tasks/get', { taskId })).body.result
  } finally {
    vi.unstubAllGlobals()
  }
}

it('makes a video as a task, edits, renders and publishes it', async () => {
  const { id: profileId } = await addProfile(world.workspaceId, { name: 'Studio' })
  await connectSandboxAccount(world.workspaceId, profileId, 'bluesky')
  const voices = await callTool(agent, 'list_voices', { language: 'en' })
  const args = { text: 'Calm mornings begin early.', voiceId: voices[0].id, aspectRatio: '1:1', render: true }
  const { body } = await send({ key: world.apiKey }, 'tools/call', { name: 'create_video', arguments: args })
  const { taskId, status, pollIntervalMs } = body.result
  expect([body.result.resultType, status, pollIntervalMs]).toEqual(['task', 'working', 3_000])
  expect(await readTaskHere(taskId)).toMatchObject({ taskId, resultType: 'complete' })

  const videoId = taskId.split('.')[0]
  await wait(videoId)
  const here = await readTaskHere(taskId)
  const there = (await send({ key: world.apiKey }, 'tasks/get', { taskId })).body.result
  expect(here).toMatchObject({ status: 'completed', result: { structuredContent: { data: { status: 'ready' } } } })
  expect(here.result.content).toContainEqual(expect.objectContaining({ type: 'resource_link', mimeType: 'video/mp4' }))
  expect([there.status, there.result.structuredContent]).toEqual([here.status, here.result.structuredContent])

  const { captions, media } = await callTool(agent, 'get_video', { videoId, include: ['captions'] })
  const edits = [{ id: captions[0].id, text: 'Quiet' }]
  expect(await callTool(agent, 'edit_captions', { videoId, edits })).toMatchObject({
    removed: 0,
    edited: [{ text: 'Quiet' }],
  })
  await callTool(agent, 'edit_theme', { videoId, captionsPrimaryColor: '#ff8800' })
  await callTool(agent, 'render_video', { videoId })
  const edited = await wait(videoId)
  expect([edited.status, edited.media.renderUrl === media.renderUrl]).toEqual(['ready', false])

  const { url } = await callTool(agent, 'download_video', { videoId })
  const film = await fetch(url)
  expect([film.status, film.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  await film.body?.cancel()
  const [profile] = await callTool(agent, 'list_profiles')
  expect(profile.accounts.map(({ platform }: { platform: string }) => platform)).toEqual(['bluesky'])
  await callTool(agent, 'publish_video', { videoId, profileId, platforms: ['bluesky'], caption: 'Quiet mornings' })
  expect((await wait(videoId)).publish).toMatchObject({ status: 'COMPLETED', platforms: ['bluesky'] })
})

it('is told by a failed task what failed', async () => {
  const args = { text: '— … —' }
  const { body } = await send({ key: world.apiKey }, 'tools/call', { name: 'create_video', arguments: args })
  const { taskId } = body.result
  await wait(taskId.split('.')[0])
  expect((await send({ key: world.apiKey }, 'tasks/get', { taskId })).body.result).toMatchObject({
    status: 'completed',
    statusMessage: expect.stringContaining('process failed: voice-failed'),
    result: { isError: true },
  })
})
