/** POST /videos/{id}/script. */
import { describe, expect, it } from 'vitest'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { runScriptJob } from '../../support/run-jobs.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const post = async ({ apiKey }: World, id: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await callApi('POST', `/videos/${id}/script`, { key: apiKey, body, headers })
  expectMatchesOpenApi('POST', '/videos/{id}/script', answer.status, answer.body)
  return answer
}

const read = async ({ apiKey }: World, id: string) => (await callApi('GET', `/videos/${id}`, { key: apiKey })).body.data

const account = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

describe('POST /videos/{id}/script', () => {
  rule('script.idempotent', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world)
    const send = () => post(world, id, { prompt: 'Be bold' }, { 'Idempotency-Key': 'once' })
    const first = await send()
    const { credits } = await account(world)
    await runScriptJob(world, id)
    const again = await send()
    expect([again.status, again.body]).toEqual([202, first.body])
    expect((await account(world)).credits.balance).toBe(credits.balance)
    expect((await post(world, id)).status).toBe(202)
  })

  rule('script.queued', async () => {
    const world = await newWorld()
    const { id } = await given.renderedVideo(world, { brief: { inputMode: 'idea', prompt: 'Why cats purr' } })
    const before = await read(world, id)
    const { status, body } = await post(world, id)
    expect(status).toBe(202)
    expect(body.data).toMatchObject({ id, process: { status: 'QUEUED', progress: 0 }, brief: { text: null } })
    await runScriptJob(world, id)
    const after = await read(world, id)
    expect(after.brief).toEqual({ ...before.brief, text: expect.stringMatching(/purr/i), inputMode: 'auto' })
    expect(after).toMatchObject({ process: { status: 'COMPLETED', progress: 100 }, status: 'ready' })
    expect([after.media, after.render, after.durationSeconds]).toEqual([
      before.media,
      before.render,
      before.durationSeconds,
    ])
  })

  rule('script.price', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world, { brief: { videoDuration: 'short' } })
    const before = await account(world)
    const events = await listEvents(world.workspaceId)
    await post(world, id)
    await runScriptJob(world, id)
    const after = await account(world)
    expect(after.credits).toMatchObject({ balance: before.credits.balance - 10, used: before.credits.used + 10 })
    expect(after.limits.generations.used).toBe(before.limits.generations.used + 1)
    expect(await listEvents(world.workspaceId)).toEqual(events)
  })

  it('202: every script differs, also from the client’s own text', async () => {
    const world = await newWorld()
    const text = 'Calm mornings begin in the evening.'
    const { id } = await given.generatedVideo(world, { brief: { prompt: null, text } })
    const texts = [text]
    for (let count = 0; count < 3; count++) {
      expect((await post(world, id)).status).toBe(202)
      await runScriptJob(world, id)
      texts.push((await read(world, id)).brief.text)
    }
    expect(new Set(texts).size).toBe(4)
  })

  it('202: a prompt is followed, stored as scriptPrompt and used again', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const prompt = 'Start with "Once upon a time."'
    expect((await post(world, id, { prompt })).body.data.brief.scriptPrompt).toBe(prompt)
    await runScriptJob(world, id)
    expect((await read(world, id)).brief.text).toMatch(/^Once upon a time\./)
    expect((await post(world, id, { prompt: null })).body.data.brief.scriptPrompt).toBe(prompt)
    await runScriptJob(world, id)
    expect((await read(world, id)).brief.text).toMatch(/^Once upon a time\./)
  })

  it('400: the prompt is not a string or longer than 2,000 characters', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    expect((await post(world, id, { prompt: 1 })).status).toBe(400)
    expect((await post(world, id, { prompt: 'x'.repeat(2_001) })).body.error.details[0].path).toBe('body.prompt')
    expect((await post(world, id, { prompt: 'x'.repeat(2_000) })).status).toBe(202)
  })

  it('402: without credits, beyond the generations of the month, and with a full storage', async () => {
    const refused = async (fields: Partial<Record<keyof Workspace, number | string>>) => {
      const world = await newWorld({ planId: 'starter' })
      const { id } = await given.generatedVideo(world)
      await given.workspaceWith(world, fields)
      return (await post(world, id)).body.error
    }
    const { generationsPerMonth, storageBytesMax } = plans.starter
    expect(await refused({ creditsBalance: 9 })).toMatchObject({ status: 402, code: 'warning-no-credits' })
    expect((await refused({ generationsUsed: generationsPerMonth! })).code).toBe('warning-plan-generations')
    expect((await refused({ storageUsedBytes: storageBytesMax! })).code).toBe('warning-plan-storage')
  })

  it('404: the same for an unknown video and for one of another workspace', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await given.generatedVideo(other)
    expect((await post(world, id)).status).toBe(404)
    expect((await post(world, 'vid_none')).status).toBe(404)
  })

  it('409: while a job is open, and for an uploaded video', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await post(world, id)
    expect((await post(world, id)).body.error).toMatchObject({ status: 409, code: 'job-in-progress' })
    const uploaded = await given.generatedVideo(world, { type: 'video' })
    expect((await post(world, uploaded.id)).body.error).toMatchObject({ status: 409, code: 'warning-invalid-input' })
  })
})
