/** The voices for a brief: their providers, how long a list is cached, and their samples. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { handler as createVideo } from '../../../functions/api/videos/create.ts'
import { handler as listVoices } from '../../../functions/api/voices/list.ts'
import { AccountExpired, ProviderBusy } from '../../../lib/domain/core/failures.ts'
import { builtInVoices, type Voice, type VoiceVendorName } from '../../../lib/domain/videos/voices.ts'
import { createVoiceCatalogue, type VoiceCatalogueDeps } from '../../../lib/providers/choose/voices.ts'
import type { CachedVoices } from '../../../lib/store/voice-cache.ts'
import { createVoicePreviews } from '../../../lib/use-cases/generation/ensure-voice-previews.ts'
import { apiEvent, noContext } from '../../support/api-event.ts'
import type { FakeVendor } from '../../support/fake-vendors/fake-vendor.ts'
import { billedSpeechRequests, startFakePolly } from '../../support/fake-vendors/polly.ts'
import { newWorld, type World } from '../../support/world.ts'

const hour = 60 * 60 * 1000

/** Lists in memory, and a vendor whose responses are counted. */
function sources(vendors: VoiceVendorName[] = ['polly']) {
  const rows = new Map<string, CachedVoices>()
  const state = {
    asked: 0,
    failure: null as Error | null,
    time: Date.parse('2027-01-01T00:00:00.000Z'),
    names: ['Joanna'],
  }
  const given: VoiceCatalogueDeps = {
    vendors: () => vendors,
    open: async (name) => ({
      name,
      list: async () => {
        state.asked++
        if (state.failure) throw state.failure
        return state.names.map((id) => voiceOf(`${name}-${id}`))
      },
      speakSample: async () => new Uint8Array(),
    }),
    find: async (name) => rows.get(name),
    put: async (name, offered) => void rows.set(name, offered),
    now: () => new Date(state.time).toISOString(),
  }
  return { given, state, rows }
}
const voiceOf = (id: string): Voice => ({ ...builtInVoices[0]!, id, engine: 'polly', engineVoice: id })
const idsOf = (voices: readonly Voice[]) => voices.map(({ id }) => id)

describe('the list of voices', () => {
  it('is the built-in one without a chosen vendor, and needs no request', async () => {
    const { given, state } = sources([])
    expect(await createVoiceCatalogue(given)()).toBe(builtInVoices)
    expect(state.asked).toBe(0)
  })

  it('has the voices of vendors before the built-in ones, which stay', async () => {
    const { given } = sources(['polly', 'elevenlabs'])
    const ids = idsOf(await createVoiceCatalogue(given)())
    expect(ids.slice(0, 2)).toEqual(['polly-Joanna', 'elevenlabs-Joanna'])
    expect(ids.slice(2)).toEqual(idsOf(builtInVoices))
  })

  it('of another configuration of the vendor is not used', async () => {
    const { given, state } = sources(['openai'])
    const withServer = (server: string) => createVoiceCatalogue({ ...given, configurationOf: () => server })
    await withServer('http://127.0.0.1:8880/v1')()
    await withServer('http://127.0.0.1:8880/v1')()
    expect(state.asked).toBe(1)
    state.names = ['nova']
    expect(idsOf(await withServer('https://api.openai.com/v1')())[0]).toBe('openai-nova')
    expect(state.asked).toBe(2)
  })

  it('is fetched once a day, by the first process that needs it', async () => {
    const { given, state } = sources()
    const processes = [createVoiceCatalogue(given), createVoiceCatalogue(given)]
    for (const voices of processes) await voices()
    state.time += 23 * hour
    for (const voices of processes) await voices()
    expect(state.asked).toBe(1)
    state.time += 2 * hour
    state.names = ['Danielle']
    for (const voices of processes) expect(idsOf(await voices())[0]).toBe('polly-Danielle')
    expect(state.asked).toBe(2)
  })

  it('is kept while the vendor does not respond, and not every request calls the vendor', async () => {
    const { given, state } = sources()
    const voices = createVoiceCatalogue(given)
    await voices()
    state.time += 25 * hour
    state.failure = new ProviderBusy('Busy.')
    for (let request = 0; request < 3; request++) expect(idsOf(await voices())[0]).toBe('polly-Joanna')
    expect(state.asked).toBe(2)
    state.time += 2 * 60_000
    state.failure = null
    state.names = ['Danielle']
    expect(idsOf(await voices())[0]).toBe('polly-Danielle')
  })

  it.each([ProviderBusy, AccountExpired])(
    'is the built-in one when the vendor never responded (%o)',
    async (Failure) => {
      const { given, state } = sources()
      state.failure = new Failure('Not now.')
      const voices = createVoiceCatalogue(given)
      for (let request = 0; request < 3; request++) expect(await voices()).toEqual(builtInVoices)
      expect(state.asked).toBe(1)
      state.time += 61_000
      state.failure = null
      expect(idsOf(await voices())[0]).toBe('polly-Joanna')
    },
  )
})

describe('voice samples', () => {
  const [joanna, amy] = [voiceOf('polly-Joanna'), voiceOf('polly-Amy')]

  /** Storage in memory, and a vendor that speaks as `greet` defines. */
  function previews(greet: (voice: Voice) => Promise<Uint8Array>, patienceMs = 10_000) {
    const stored = new Set<string>()
    const state = { greeted: [] as string[], time: Date.parse('2027-01-01T00:00:00.000Z') }
    const keep = createVoicePreviews({
      open: async (name) => ({
        name,
        list: async () => [],
        speakSample: async (voice) => {
          state.greeted.push(voice.id)
          return greet(voice)
        },
      }),
      has: async (key) => stored.has(key),
      put: async (key) => void stored.add(key),
      now: () => new Date(state.time).toISOString(),
      timeoutMs: patienceMs,
    })
    return { keep, state }
  }

  it('that could not be made are not ordered by every request', async () => {
    let isBroken = true
    const { keep, state } = previews(async () => {
      if (isBroken) throw new ProviderBusy('Busy.')
      return new Uint8Array()
    })
    for (let request = 0; request < 3; request++) expect((await keep([joanna]))(joanna)).toBe(false)
    expect(state.greeted).toEqual([joanna.id])
    isBroken = false
    state.time += 2 * hour
    expect((await keep([joanna]))(joanna)).toBe(true)
  })

  it('do not block on a slow vendor, and are not ordered twice meanwhile', async () => {
    const clip = Promise.withResolvers<Uint8Array>()
    const { keep, state } = previews((voice) => (voice === amy ? Promise.resolve(new Uint8Array()) : clip.promise), 50)
    const first = await keep([joanna, amy])
    expect([first(joanna), first(amy)]).toEqual([false, true])
    const second = keep([joanna])
    clip.resolve(new Uint8Array())
    expect((await second)(joanna)).toBe(true)
    expect(state.greeted).toEqual([joanna.id, amy.id])
  })
})

describe('with Polly as the chosen vendor', () => {
  let vendor: FakeVendor
  let world: World
  beforeAll(async () => {
    ;[vendor, world] = await Promise.all([startFakePolly(), newWorld()])
    vi.stubEnv('PROVIDERS', '{"narrator":"polly"}')
    vi.stubEnv('AWS_ENDPOINT_URL_POLLY', vendor.url)
  })
  afterAll(() => vendor.stop())

  /** The handlers run in this process: the service of the other tests has no vendors. */
  async function answerOf(handler: typeof createVideo, method: string, path: string, body?: object) {
    const [rawPath = '', query = ''] = path.split('?')
    const event = apiEvent(method, rawPath, { authorization: `Bearer ${world.apiKey}` }, JSON.stringify(body))
    const queryStringParameters = Object.fromEntries(new URLSearchParams(query))
    const answer = await handler({ ...event, queryStringParameters }, noContext)
    return { status: answer.statusCode, body: JSON.parse(answer.body ?? '') }
  }
  const listed = (query: string) => answerOf(listVoices, 'GET', `/v1/voices?${query}`)
  const created = (brief: object) => answerOf(createVideo, 'POST', '/v1/videos', { prompt: 'An idea', ...brief })

  it('200: GET /voices lists its voices, each with a sample that was made once', async () => {
    const { body } = await listed('language=en')
    const ids = body.data.map(({ id }: Voice) => id)
    expect(ids).toEqual(expect.arrayContaining(['polly-Joanna', 'polly-Amy', 'en-clara']))
    const joanna = body.data.find(({ id }: Voice) => id === 'polly-Joanna')
    expect(joanna).toMatchObject({ name: 'Joanna', provider: 'standard', language: 'en', gender: 'female' })
    const clip = Buffer.from(await (await fetch(joanna.previewUrl)).arrayBuffer())
    expect(clip.readUInt16BE(0)).toBe(0xfffb)
    const spoken = billedSpeechRequests(vendor).length
    await listed('language=en')
    expect(billedSpeechRequests(vendor)).toHaveLength(spoken)
  })

  it('200: GET /voices lists a voice whose sample cannot be made, without one', async () => {
    vendor.fault = { status: 500, body: {} }
    const { body } = await listed('language=zh')
    vendor.fault = null
    expect(body.data.map(({ id }: Voice) => id)).toEqual(['polly-Zhiyu', 'zh-meilin', 'zh-wei'])
    expect(body.data.map(({ previewUrl }: { previewUrl: string | null }) => previewUrl === null)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('201: a brief names one, or gets the first of its language', async () => {
    const named = await created({ voiceId: 'polly-Matthew' })
    expect(named.body.data.brief).toMatchObject({ voiceId: 'polly-Matthew', voiceProvider: 'standard', language: 'en' })
    expect((await created({ language: 'hi' })).body.data.brief.voiceId).toBe('polly-Kajal-hi-IN')
    expect((await created({ language: 'fr' })).body.data.brief.voiceId).toBe('fr-elise')
    expect((await created({ voiceId: 'en-clara' })).body.data.brief.voiceId).toBe('en-clara')
  })

  it('400: a voice that is not available, with those that are', async () => {
    const { status, body } = await created({ voiceId: 'polly-Nobody' })
    expect(status).toBe(400)
    const [detail] = body.error.details
    expect(detail).toMatchObject({ path: 'body.voiceId' })
    expect(detail.allowed).toEqual(expect.arrayContaining(['polly-Joanna', 'en-clara']))
    expect((await created({ voiceProvider: 'expressive' })).body.error.details[0].path).toBe('body.voiceProvider')
  })
})
