import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { templates } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { bedrockClient } from '../../lib/providers/bedrock.ts'
import { builtInDirector } from '../../lib/providers/director/built-in.ts'
import { modelDirector } from '../../lib/providers/director/model.ts'
import { bedrockTextModel } from '../../lib/providers/text-model/bedrock.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import { converse, converseModel, toolUseResponse } from '../support/fake-vendors/converse.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { directorSuite, timedWords } from './director-suite.ts'

let bedrock: FakeVendor
beforeAll(async () => {
  bedrock = await startFakeBedrock(converse(fakeNova))
})
afterAll(() => bedrock.stop())
beforeEach(() => {
  bedrock.calls.length = 0
  bedrock.faults = []
})

const director = () =>
  modelDirector(bedrockTextModel({ client: bedrockClient({ endpoint: bedrock.url }), modelId: converseModel }))
const token = process.env.BEDROCK_API_KEY
const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  token: { token: token ?? '' },
  authSchemePreference: ['httpBearerAuth'],
})

directorSuite('built in', () => builtInDirector)
directorSuite('of a stand-in for Bedrock', director)
directorSuite(
  'of Bedrock itself (BEDROCK_API_KEY)',
  () => modelDirector(bedrockTextModel({ client, modelId: converseModel })),
  {
    skip: !token,
  },
)

const picture = { type: 'image', url: 'https://example.com/jar.png', description: 'A jar' }
const cutting = (text: string) =>
  director().cut({ words: timedWords(text), mood: 'energetic', tone: null, assets: [picture], seed: 'a' })
const cut = (text: string, ...slides: object[]) => {
  bedrock.faults = slides.map((slide) => toolUseResponse('deliver_slides', { slides: [slide] }))
  return cutting(text)
}
const said = 'Honey was 3000 years old.'
const tone = 'dark'
const good = { template: 'bigNumber', tone, emphasis: '3000 years', value: '3000 years', label: 'old honey' }

describe('the director of Bedrock', () => {
  it('shows items at the words that say them', async () => {
    const points = ['Old honey', 'Sweet years', 'Tombs']
    const [scene] = await cut(said, { template: 'bulletList', tone, emphasis: '', points })
    expect(scene).toMatchObject({
      template: 'bulletList',
      visual: { type: 'bullets', items: 3, anchors: ['Old', 'years', 'Tombs'] },
      content: { points },
      direction: { enter: 'fade', pace: 'lively' },
    })
  })

  it("shows the client's own picture by its number", async () => {
    const [scene] = await cut(said, {
      template: 'imageFull',
      tone,
      emphasis: '',
      caption: 'Honey',
      prompt: 'A jar',
      picture: 0,
    })
    expect(scene!.content).toEqual({ caption: 'Honey', prompt: 'A jar', imageUrl: picture.url })
  })

  it.each([
    ['a template that is not there', { ...good, template: 'pieChart' }],
    ['a tone that is not there', { ...good, tone: 'loud' }],
    ['no figure where there should be one', { ...good, value: undefined }],
    ['a figure that nobody said', { ...good, value: '4000 years' }],
    ['one step', { template: 'flowSteps', tone, emphasis: '', steps: ['Gather'] }],
    [
      'a picture that nobody sent',
      { template: 'imageFull', tone, emphasis: '', caption: 'x', prompt: 'x', picture: 1 },
    ],
    ['a heading that fills the wall', { template: 'heroTitle', tone, emphasis: '', title: 'x'.repeat(81) }],
  ])('retries a deck with %s once, then uses the built-in director', async (_what, wrong) => {
    expect((await cut(said, wrong, good))[0]).toMatchObject({ template: 'bigNumber', emphasis: '3000 years' })
    expect(await cut(said, wrong, wrong)).toMatchObject([{ template: 'heroTitle', text: said }])
    expect(bedrock.calls).toHaveLength(4)
  })

  it('replaces only the unusable part of a deck', async () => {
    const words = timedWords('Honey never spoils at all, ever. Jars of it were found in tombs of Egypt.')
    const title = { template: 'heroTitle', tone, title: 'It keeps' }
    for (const slides of [[title, { template: 'pieChart' }], [title]]) {
      bedrock.faults = [1, 2].map(() => toolUseResponse('deliver_slides', { slides }))
      const scenes = await director().cut({ words, mood: null, tone: null, assets: [], seed: 'a' })
      expect(scenes[0]!.content).toEqual({ title: 'It keeps' })
      expect(scenes[1]).toMatchObject({ template: 'callToAction', startMs: scenes[0]!.endMs })
      expect(scenes).toHaveLength(2)
    }
  })

  it('rejects an answer without slides after the second attempt', async () => {
    bedrock.faults = [1, 2].map(() => toolUseResponse('deliver_slides', { slides: 'three' }))
    await expect(cutting(said)).rejects.toMatchObject({ name: 'ProviderRejected' })
  })

  it.each([
    ['title', ''],
    ['title', null],
    ['layout', null],
    ['layout', 'middle'],
    ['emphasis', null],
    ['emphasis', 'sweet bees'],
  ])('treats a %s of %j as missing', async (field, value) => {
    const points = ['Old honey', 'Sweet years']
    const [scene] = await cut(said, { template: 'bulletList', tone, points, [field]: value })
    expect(scene).toMatchObject({ emphasis: '', content: { points }, params: { layout: 'center' } })
    expect(scene!.content).not.toHaveProperty('title')
    expect(bedrock.calls).toHaveLength(1)
  })

  it('uses the emphasis as it is written in the passage', async () => {
    expect((await cut(said, { ...good, emphasis: 'honey' }))[0]!.emphasis).toBe('Honey')
  })

  it('requests long talks in parts, each with its position', async () => {
    const words = timedWords(Array.from({ length: 40 }, (_, n) => `Sentence number ${n} says a bit.`).join(' '))
    const scenes = await director().cut({ words, mood: null, tone: null, assets: [], seed: 'a' })
    const asked = bedrock.calls.map(({ body }) => JSON.parse(JSON.parse(body.toString()).messages[0].content[0].text))
    expect(asked.map(({ slides }) => slides)).toContain(`1 to 15 of ${scenes.length}`)
    expect(asked.flatMap(({ passages }) => passages).toSorted()).toEqual(scenes.map(({ text }) => text).toSorted())
    expect(new Set(scenes.map(({ template }) => template))).toEqual(new Set(templates))
  })
})
