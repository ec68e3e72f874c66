/** All narrators against their common contract; those of vendors also for failures and charges. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { narrationChecks } from '../../lib/domain/generation/quality/checks.ts'
import { builtInVoices, findVoice, type Voice } from '../../lib/domain/videos/voices.ts'
import { builtInNarrator } from '../../lib/providers/narrator/built-in.ts'
import { elevenLabsNarrator } from '../../lib/providers/narrator/elevenlabs.ts'
import { espeakInstalled } from '../../lib/providers/narrator/espeak.ts'
import type { Narration, Narrator, StoreChunk } from '../../lib/providers/narrator/index.ts'
import { pollyNarrator } from '../../lib/providers/narrator/polly.ts'
import { analyseSound } from '../../lib/render/sound/sound-analysis.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import { restJsonError } from '../support/fake-vendors/bedrock.ts'
import {
  elevenLabsError,
  elevenLabsKey,
  billedRequests as ordersAtElevenLabs,
  startFakeElevenLabs,
} from '../support/fake-vendors/elevenlabs.ts'
import type { FakeVendor, RecordedRequest, VendorFault } from '../support/fake-vendors/fake-vendor.ts'
import { billedSpeechRequests as ordersAtPolly, startFakePolly } from '../support/fake-vendors/polly.ts'
import { expectSpoken, narratorSuite } from './narrator-suite.ts'

const voiceOf = (fields: Partial<Voice>): Voice => ({ ...findVoice(builtInVoices, 'en-clara')!, ...fields })
const joanna = voiceOf({ id: 'polly-Joanna', engine: 'polly', engineVoice: 'Joanna/en-US' })
const lucia = voiceOf({ id: 'polly-Lucia', engine: 'polly', engineVoice: 'Lucia/es-ES', language: 'es' })
const rachel = voiceOf({ id: 'eleven-rachel', engine: 'elevenlabs', engineVoice: '21m00Tcm4TlvDq8ikWAM' })
const rachelInSpanish = { ...rachel, language: 'es' }

let [pollyVendor, elevenVendor]: FakeVendor[] = []
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const pollyPlace = () => ({ endpoint: pollyVendor!.url, region: 'us-east-1', credentials })
const elevenAccount = () => ({ url: elevenVendor!.url, key: elevenLabsKey })

beforeAll(async () => {
  ;[pollyVendor, elevenVendor] = await Promise.all([startFakePolly(), startFakeElevenLabs()])
})
afterAll(() => Promise.all([pollyVendor?.stop(), elevenVendor?.stop()]))

narratorSuite('built in', {
  make: () => builtInNarrator,
  voice: voiceOf({}),
  spanish: findVoice(builtInVoices, 'es-lucia')!,
  longText: 400,
  skip: !espeakInstalled(),
})
narratorSuite('Polly, against a stand-in', {
  make: () => pollyNarrator(pollyPlace()),
  ...{ voice: joanna, spanish: lucia, longText: 3_200 },
})
narratorSuite('ElevenLabs, against a stand-in', {
  make: () => elevenLabsNarrator(elevenAccount()),
  ...{ voice: rachel, spanish: rachelInSpanish, longText: 5_500 },
})

const { POLLY_ACCESS_KEY_ID: accessKeyId = '', POLLY_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env
narratorSuite('Polly itself, where POLLY_ACCESS_KEY_ID is set', {
  make: () =>
    pollyNarrator({ endpoint: 'https://polly.us-east-1.amazonaws.com', credentials: { accessKeyId, secretAccessKey } }),
  ...{ voice: joanna, spanish: lucia, longText: 2_500 },
  skip: !accessKeyId,
})
const realKey = process.env.ELEVENLABS_API_KEY ?? ''
narratorSuite('ElevenLabs itself, where ELEVENLABS_API_KEY is set', {
  make: () => elevenLabsNarrator({ url: 'https://api.elevenlabs.io', key: realKey }),
  ...{ voice: rachel, spanish: rachelInSpanish, longText: 3_000 },
  skip: !realKey,
})

interface Paid {
  make: () => Narrator
  vendor: () => FakeVendor
  voice: Voice
  orders: (vendor: FakeVendor) => RecordedRequest[]
  ordersOfPart: number
  partLengthMax: number
  faults: Record<'busy' | 'faulty' | 'badKey' | 'refused', VendorFault>
  textOf: (order: RecordedRequest) => string
}

const paid: [string, Paid][] = [
  [
    'Polly',
    {
      make: () => pollyNarrator(pollyPlace()),
      vendor: () => pollyVendor!,
      voice: joanna,
      orders: ordersAtPolly,
      ordersOfPart: 2,
      partLengthMax: 3_000,
      faults: {
        busy: restJsonError(400, 'ThrottlingException').answer,
        faulty: restJsonError(500, 'ServiceFailureException').answer,
        badKey: restJsonError(403, 'UnrecognizedClientException').answer,
        refused: restJsonError(400, 'ValidationException').answer,
      },
      textOf: ({ body }) => JSON.parse(body.toString('utf8')).Text,
    },
  ],
  [
    'ElevenLabs',
    {
      make: () => elevenLabsNarrator(elevenAccount()),
      vendor: () => elevenVendor!,
      voice: rachel,
      orders: ordersAtElevenLabs,
      ordersOfPart: 1,
      partLengthMax: 10_000,
      faults: {
        busy: elevenLabsError(429, 'too_many_concurrent_requests', 'Too many').answer,
        faulty: { status: 502, body: 'Bad gateway' },
        badKey: elevenLabsError(401, 'invalid_api_key', 'Invalid API key').answer,
        refused: elevenLabsError(404, 'voice_not_found', 'A voice was not found.').answer,
      },
      textOf: ({ body }) => JSON.parse(body.toString('utf8')).text,
    },
  ],
]

describe.each(paid)('%s', (_name, { make, vendor, voice, orders, ordersOfPart, partLengthMax, faults, textOf }) => {
  beforeEach(() => {
    vendor().calls.length = 0
    vendor().faults.length = 0
    vendor().fault = null
  })
  const failingWith = (fault: VendorFault) => {
    vendor().fault = fault
    return make().narrate(short, voice)
  }
  const short = 'One two three.'
  /** An aborted order may still arrive. */
  const ordersOfTheLong = () => orders(vendor()).filter((order) => textOf(order) !== short)
  const sentence = 'One small habit that you repeat every day builds more than any great plan. '
  const longText = sentence.repeat(Math.ceil(6_000 / sentence.length)).trim()

  it('that is busy or at fault is retried later', async () => {
    await expect(failingWith(faults.busy)).rejects.toMatchObject({ name: 'ProviderBusy' })
    await expect(failingWith(faults.faulty)).rejects.toMatchObject({ name: 'ProviderBusy' })
    await expect(failingWith('lost')).rejects.toMatchObject({ name: 'ProviderBusy' })
  })

  it('that rejects the key reports it to the operator', async () => {
    await expect(failingWith(faults.badKey)).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it('that no longer has the voice refuses by its name', async () => {
    const answer = failingWith(faults.refused)
    await expect(answer).rejects.toMatchObject({ name: 'ProviderRejected' })
    await expect(answer).rejects.toThrow(voice.id)
  })

  it('that sends an incomplete response is retried', async () => {
    const half: VendorFault = (usual) => ({ ...usual, body: JSON.stringify(usual.body ?? '').slice(0, 40) })
    const broken: Partial<Record<Voice['engine'], VendorFault>> = {
      polly: { body: '{"time":1,"type":"wo' },
      elevenlabs: half,
    }
    await expect(failingWith(broken[voice.engine]!)).rejects.toMatchObject({ name: 'ProviderBusy' })
  })

  it('is not called if there is nothing to speak', async () => {
    await expect(make().narrate('😀 –', voice)).rejects.toMatchObject({ name: 'ProviderRejected' })
    expect(vendor().calls).toEqual([])
  })

  it('gets whole sentences, within its concurrency limit', async () => {
    await make().narrate(longText, voice)
    const texts = ordersOfTheLong().map(textOf)
    expect(new Set(texts).size).toBeGreaterThan(1)
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(partLengthMax)
      expect(text).toMatch(/^One .* plan\.$/)
    }
  })

  it('is paid once for each part, also if the narration was interrupted between two', async () => {
    const kept = new Map<string, Narration>()
    let partsLeft = 1
    const storeChunk: StoreChunk = async (part, speak) => {
      const name = JSON.stringify(part)
      const known = kept.get(name)
      if (known) return known
      if (partsLeft-- === 0) throw new Error('The process has ended.')
      const spoken = await speak()
      kept.set(name, spoken)
      return spoken
    }
    await expect(make().narrate(longText, voice, storeChunk)).rejects.toThrow('has ended')
    expect(ordersOfTheLong()).toHaveLength(ordersOfPart)
    partsLeft = Number.POSITIVE_INFINITY
    expectSpoken(await make().narrate(longText, voice, storeChunk), longText)
    expect(ordersOfTheLong()).toHaveLength(ordersOfPart * kept.size)
    await make().narrate(longText, voice, storeChunk)
    expect(ordersOfTheLong()).toHaveLength(ordersOfPart * kept.size)
  })
})

describe('ElevenLabs', () => {
  it('gets the text before and after a part', async () => {
    elevenVendor!.calls.length = 0
    elevenVendor!.fault = null
    await elevenLabsNarrator(elevenAccount()).narrate('One small habit builds more than any plan. '.repeat(100), rachel)
    const [first, last] = ordersAtElevenLabs(elevenVendor!).map(({ body }) => JSON.parse(body.toString('utf8')))
    expect(first.next_text).toBe(last.text.slice(0, 500))
    expect(first.previous_text).toBeUndefined()
    expect(last.previous_text).toBe(first.text.slice(-500))
  })

  it('without word times loses no word, and its estimated times fail the quality gate', async () => {
    const text =
      'The sea is never still. Every wave began far away, in a storm nobody saw. Then it ends, quietly, at your feet. Think of that.'
    elevenVendor!.fault = (usual) => ({ ...usual, body: { ...(usual.body as object), alignment: null } })
    const guessed = await elevenLabsNarrator(elevenAccount()).narrate(text, rachel)
    elevenVendor!.fault = null
    const told = await elevenLabsNarrator(elevenAccount()).narrate(text, rachel)
    expectSpoken(guessed, text)
    const failed = ({ words, wav }: Narration) =>
      narrationChecks(text, words, analyseSound(parseWav(wav))).flatMap(({ name, passed }) => (passed ? [] : [name]))
    expect(failed(guessed)).toEqual(['voiceOffsetMs'])
    expect(failed(told)).toEqual([])
  })
})
