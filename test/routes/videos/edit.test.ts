/** PATCH /videos/{id}. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { timeoutError } from '../../../lib/domain/core/failures.ts'
import { setDescription } from '../../../lib/domain/videos/edits.ts'
import { beginProcess, failJob } from '../../../lib/domain/videos/job-transitions.ts'
import { claimAttempt, getVideo } from '../../../lib/store/videos.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { apiClientOf } from '../../support/api-client.ts'
import { readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })

const newVideo = async (brief: object = {}) => (await send('POST', '/videos', { prompt: 'x', ...brief })).body.data

const edit = (id: string, body: unknown) => send('PATCH', `/videos/${id}`, body)

/** Every field that can be edited, with a value that it did not have. */
const edits = {
  title: 'Another',
  aspectRatio: '1:1',
  showSubtitles: false,
  description: 'Posted with it',
  descriptionPrompt: 'Be warm',
  scriptPrompt: 'Be brief',
  prompt: 'Another idea',
  subType: 'generic',
  targetDuration: 45,
  characterImageUrl: 'https://example.com/a.png',
  characterDescription: 'A cat',
  voiceId: 'en-miles',
  voiceProvider: 'standard',
  videoDuration: 'short',
  imageStyle: 'ai_image',
  connectedBRolls: true,
  presentationTone: 'dry',
  presenter: { name: 'Ann' },
}

describe('PATCH /videos/{id}', () => {
  rule('videos.edit.flat-or-nested', async () => {
    const { id, brief } = await newVideo()
    const flat = await edit(id, { title: 'Flat', imageStyle: 'ai_image' })
    expect(flat).toMatchObject({
      status: 200,
      body: { data: { id, title: 'Flat', brief: { ...brief, imageStyle: 'ai_image' } } },
    })
    const nested = await edit(id, { brief: { aspectRatio: '4:5' } })
    expect(nested.body.data.brief).toEqual({ ...brief, imageStyle: 'ai_image', aspectRatio: '4:5' })
    expect((await send('GET', `/videos/${id}`)).body).toEqual(nested.body)
  })

  rule('videos.edit.editable-fields', async () => {
    for (const [name, value] of Object.entries(edits)) {
      const { id } = await newVideo()
      const { status, body } = await edit(id, { [name]: value })
      expect(status, name).toBe(200)
      expect({ ...body.data.brief, ...body.data }, name).toMatchObject({ [name]: value })
    }
    const { id } = await newVideo()
    const { title, subType, ...brief } = edits
    expect((await edit(id, edits)).body.data).toMatchObject({ title, subType, brief })
  })

  rule('videos.edit.other-field', async () => {
    const { id, updatedAt, brief } = await newVideo()
    const others = Object.keys(brief).filter((name) => !(name in edits))
    expect(others.toSorted()).toEqual(['customStyleText', 'inputMode', 'language', 'presentationAssets', 'text'])
    for (const name of [...others, 'type', 'mood', 'isAutomation', 'weather']) {
      const answer = await edit(id, { title: 'x', [name]: brief[name] ?? 'x' })
      expect(answer, name).toMatchObject({ status: 400, body: { error: { details: [{ path: `body.${name}` }] } } })
      expect(answer.body.error.message).toContain(name)
    }
    expect((await send('GET', `/videos/${id}`)).body.data.updatedAt).toBe(updatedAt)
  })

  rule('videos.edit.no-field', async () => {
    const { id } = await newVideo()
    for (const body of [{}, { brief: {} }, undefined]) expect((await edit(id, body)).status).toBe(400)
  })

  rule('videos.edit.nothing-requeued', async () => {
    const { id } = await given.generatedVideo(world)
    const before = (await send('GET', `/videos/${id}`)).body.data
    const after = (await edit(id, { prompt: 'Another', videoDuration: 'short', scriptPrompt: 'Be brief' })).body.data
    expect([after.process, after.render, after.status]).toEqual([before.process, null, 'draft'])
  })

  it('200: changes what is given, flat or nested, keeps the rest and requeues nothing', async () => {
    const video = await newVideo({ description: 'Old' })
    const flat = await send('PATCH', `/videos/${video.id}`, { title: 'New', description: null, subType: 'generic' })
    expect(flat).toMatchObject({ status: 200, body: { data: { title: 'New', subType: 'generic' } } })
    const nested = await send('PATCH', `/videos/${video.id}`, {
      imageStyle: 'mixed',
      brief: { imageStyle: 'ai_image' },
    })
    expect(nested.body.data.brief).toEqual({ ...video.brief, description: null, imageStyle: 'ai_image' })
    expect(nested.body.data.process).toEqual(video.process)
    expect(Date.parse(nested.body.data.updatedAt)).toBeGreaterThan(Date.parse(video.updatedAt))
  })

  it('400: names a field that cannot be edited, a wrong value and an edit of nothing, and changes nothing', async () => {
    const video = await newVideo({ description: 'Old' })
    const bad: [unknown, string][] = [
      [{ text: 'x' }, 'body.text'],
      [{ title: 'x', brief: { language: 'fr' } }, 'body.brief.language'],
      [{ type: 'ai' }, 'body.type'],
      [{ title: ' ' }, 'body.title'],
      [{ title: null }, 'body.title'],
      [{ aspectRatio: '2:1' }, 'body.aspectRatio'],
      [{ voiceId: 'nobody' }, 'body.voiceId'],
      [{ voiceProvider: 'expressive' }, 'body.voiceProvider'],
      [{ targetDuration: 601 }, 'body.targetDuration'],
      [{ presenter: { occurrences: 0 } }, 'body.presenter.occurrences'],
      [{}, 'body'],
      [{ brief: {} }, 'body'],
    ]
    for (const [body, path] of bad) {
      const answer = await send('PATCH', `/videos/${video.id}`, body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.error.details[0].path, JSON.stringify(answer.body)).toBe(path)
    }
    expect((await send('GET', `/videos/${video.id}`)).body.data.updatedAt).toBe(video.updatedAt)
  })

  it('200: no concurrent edit and no step of a job loses an edit that was accepted before it', async () => {
    const { id } = await newVideo()
    const run = { workspaceId: world.workspaceId, videoId: id }
    const { runId } = (await getVideo(world.workspaceId, id)).process!
    await changeVideo(run, (current) => beginProcess(current, runId, now()))
    const rounds = 4
    /** Each client edits a field of its own, so that the next read must show its last edit. */
    const editField = async (name: string) => {
      for (let round = 1; round <= rounds; ) {
        const { status } = await edit(id, { [name]: `${name}-${round}` })
        // Too many conflicts: nothing was stored.
        if (status === 503) continue
        expect(status).toBe(200)
        const { data } = (await send('GET', `/videos/${id}`)).body
        expect({ ...data.brief, title: data.title }[name]).toBe(`${name}-${round++}`)
      }
    }
    const workOn = async () => {
      for (let round = 1; round <= rounds; round++) {
        await claimAttempt(world.workspaceId, id, 'process', runId)
        await changeVideo(run, (current) => setDescription(current, `description-${round}`, null, now()))
      }
      await changeVideo(run, (current) => failJob(current, 'process', runId, timeoutError, now()))
    }
    const names = ['title', 'prompt', 'characterDescription', 'scriptPrompt', 'presentationTone']
    await Promise.all([...names.map(editField), workOn()])
    const { data } = (await send('GET', `/videos/${id}`)).body
    const lastEdits = [...names, 'description'].map((name) => [name, `${name}-${rounds}`])
    const { title, ...brief } = Object.fromEntries(lastEdits)
    expect(data).toMatchObject({ title, brief, process: { status: 'FAILED' } })
  })

  it('200: another voice brings its provider', async () => {
    const video = await newVideo({ description: 'Old' })
    const { body } = await send('PATCH', `/videos/${video.id}`, { voiceId: 'en-miles' })
    expect(body.data.brief).toMatchObject({ voiceId: 'en-miles', voiceProvider: 'standard' })
  })

  rule('videos.edit.applies-to-clips', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const edit = { prompt: 'Quiet evenings', scriptPrompt: 'Be bold', voiceId: 'en-miles', aspectRatio: '16:9' }
    await callApi('PATCH', `/videos/${id}`, { key: world.apiKey, body: edit })
    for (const regenerate of [true, false])
      expect(
        (await callApi('POST', `/videos/${id}/clips`, { key: world.apiKey, body: { regenerate } })).body.data.brief,
      ).toMatchObject(edit)
  })

  rule('videos.edit.script-prompt', async () => {
    const { patch, post, account } = apiClientOf(world)
    const { id } = await readyAutomation(world)
    const before = await account()
    expect((await patch(`/videos/${id}`, { scriptPrompt: 'Playful' })).status).toBe(200)
    expect(await account()).toEqual(before)
    const { body } = await post(`/automations/${id}/run`)
    expect(body.data.brief.scriptPrompt).toBe('Playful')
  })
})
