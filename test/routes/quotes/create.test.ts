/** POST /quotes, and the header `Quote` of the quoted action. */
import * as v from 'valibot'
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { quotedActions } from '../../../lib/contract/requests/quotes.ts'
import { isPaid, type Route, requestClassesOf } from '../../../lib/contract/route.ts'
import * as routes from '../../../lib/contract/routes.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { createQuote } from '../../../lib/domain/workspaces/quote.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const brief = { prompt: 'Why cats knead blankets' }
const scene = {
  id: 'scn_1',
  imagePrompt: 'mountains at dawn',
  animationPrompt: 'Slow push in',
  narration: 'Calm mornings begin in the evening.',
  voiceDescription: 'Natural voice',
  duration: 6,
  imageKey: 'none/visuals/still.png',
  videoKey: 'none/visuals/clip.mp4',
}

let world: World
beforeAll(async () => {
  world = await newWorld({ planId: 'pro' })
})

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, as = world) =>
  callApi(method, path, { key: as.apiKey, ...(body === undefined ? {} : { body }), headers })
const quote = (body: object, as = world) => call('POST', '/quotes', body, {}, as)
const spent = async () => {
  const ledger = await creditLedgerOf(world.workspaceId)
  return ledger.reduce((sum, { kind, credits }) => sum + (kind === 'reserve' ? credits : 0), 0)
}
const refusal = (code: string, message: RegExp) => ({
  status: 409,
  body: { error: { code, message: expect.stringMatching(message) } },
})

it('every paid action of the route table can be quoted', () => {
  const paid = Object.entries<Route>(routes).flatMap(([name, row]) => (isPaid(row) ? [name] : []))
  expect(paid.toSorted()).toEqual([...quotedActions].toSorted())
})

it('a quote counts as a write, not as a paid action', () => {
  expect(requestClassesOf(routes.createQuote)).toEqual(['writes'])
})

describe('POST /quotes', () => {
  rule(['quotes.answer', 'quotes.binding'], async () => {
    const { id } = (await call('POST', '/videos', brief)).body.data
    const story = await given.renderedVideo(world, { type: 'ai', scenes: [scene] })
    const actions: [string, object, string, object][] = [
      ['createVideo', {}, '/videos', { ...brief, targetDuration: 90 }],
      ['createAutomation', {}, '/automations', brief],
      ['createClip', { id: story.id }, `/videos/${story.id}/clips`, { regenerate: true }],
      ['processVideo', { id: story.id }, `/videos/${story.id}/process`, {}],
      ['describeVideo', { id }, `/videos/${id}/description`, {}],
    ]
    for (const [action, ids, path, body] of actions) {
      const answer = await quote({ action, ...ids, body })
      expect(answer.body, action).toMatchObject({ data: {} })
      expectMatchesOpenApi('POST', '/quotes', 200, answer.body)
      const { id: quoteId, credits, unit } = answer.body.data
      const before = await spent()
      const done = await call('POST', path, body, { Quote: quoteId })
      expect([action, done.status]).toEqual([action, expect.toBeOneOf([200, 201, 202])])
      expect({ action, credits: (await spent()) - before, unit }).toEqual({ action, credits, unit: 'video' })
      expect(credits).toBeGreaterThan(0)
    }
  })

  rule('quotes.pure', async () => {
    const before = await spent()
    const { total } = (await call('GET', '/videos')).body.paging
    const { data } = (await quote({ action: 'createVideo', body: brief })).body
    expect(data).toMatchObject({ action: 'createVideo', credits: 10, unit: 'video', seconds: 60, vendorUsd: 0 })
    expect(await spent()).toEqual(before)
    expect((await call('GET', '/videos')).body.paging.total).toBe(total)
  })

  rule('quotes.expired', async () => {
    const { data } = (await quote({ action: 'createVideo', body: brief })).body
    expect(Date.parse(data.expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
    const send = (body: object, id = data.id, as = world) => call('POST', '/videos', body, { Quote: id }, as)
    expect(await send({ prompt: 'Another idea' })).toMatchObject(refusal('quote-expired', /not for this request/))
    expect(await send(brief, data.id, await newWorld({ planId: 'pro' }))).toMatchObject(
      refusal('quote-expired', /not for this request/),
    )
    expect(await send(brief, data.id.replace(/_10_/, '_1_'))).toMatchObject(refusal('quote-expired', /not for this/))
    expect(await send(brief, 'qte_?')).toMatchObject(refusal('quote-expired', /not for this request/))
    const { mediaSecret } = await getWorkspace(world.workspaceId)
    const request = [routes.createVideo.signature, {}, v.parse(routes.createVideo.body, brief)] as const
    const price = { credits: 10, unit: 'video' } as const
    const quotedAt = (secondsAgo: number) =>
      createQuote(mediaSecret, request, price, secondsAfter(now(), -secondsAgo)).id
    expect(await send(brief, quotedAt(15 * 60))).toMatchObject(refusal('quote-expired', /has expired/))
    expect(await send(brief, quotedAt(14 * 60))).toMatchObject({ status: 201 })
    expect(await send({ brief })).toMatchObject({ status: 201 })
  })

  rule('quotes.refusals', async () => {
    const none = await newWorld({ planId: 'free' })
    const long = { action: 'createVideo', body: { ...brief, targetDuration: 600 } }
    const asked = await quote(long, none)
    const acted = await call('POST', '/videos', long.body, {}, none)
    expect([asked.status, asked.body.error.code]).toEqual([acted.status, acted.body.error.code])
    expect(asked.status).toBe(402)
    expect(await quote({ action: 'createVideo', body: { type: 'film' } })).toMatchObject({
      status: 400,
      body: { error: { details: expect.arrayContaining([expect.objectContaining({ path: 'body.type' })]) } },
    })
    expect(await quote({ action: 'drawSceneImage', id: 'vid_none' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'body.sceneId', message: 'is required for drawSceneImage' }] } },
    })
    expect(await quote({ action: 'describeVideo', id: 'vid_none' })).toMatchObject({ status: 404 })
    expect(await quote({ action: 'describeVideo', id: '🐈'.repeat(64) })).toMatchObject({ status: 404 })
    expect(await quote({ action: 'describeVideo', id: '🐈'.repeat(65) })).toMatchObject({ status: 400 })
    expect(await quote({ action: 'renderVideo', id: 'vid_none' })).toMatchObject({ status: 400 })
  })

  it('a scene image and a script cost what the plan table says', async () => {
    const story = await given.renderedVideo(world, { type: 'ai', scenes: [scene] })
    const image = await quote({ action: 'drawSceneImage', id: story.id, sceneId: 'scn_1' })
    expect(image.body.data).toMatchObject({ credits: 2, unit: 'video', seconds: null })
    const script = await quote({ action: 'writeScript', id: story.id, body: {} })
    expect(script.body.data).toMatchObject({ credits: 10, unit: 'video', seconds: null })
  })

  it('a replayed response is not refused by its expired quote', async () => {
    const { data } = (await quote({ action: 'createVideo', body: brief })).body
    const headers = { Quote: data.id, 'Idempotency-Key': crypto.randomUUID() }
    const first = await call('POST', '/videos', brief, headers)
    const again = await call('POST', '/videos', brief, { ...headers, Quote: 'qte_gone' })
    expect(again.body).toEqual(first.body)
  })
})
