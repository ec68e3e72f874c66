/** The voices that vendors offer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInVoices, type Voice } from '../../lib/domain/videos/voices.ts'
import { elevenLabsVoices } from '../../lib/providers/narrator/elevenlabs-voices.ts'
import { pollyVoices } from '../../lib/providers/narrator/polly-voices.ts'
import { elevenLabsKey, startFakeElevenLabs } from '../support/fake-vendors/elevenlabs.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { startFakePolly } from '../support/fake-vendors/polly.ts'

let [pollyVendor, elevenVendor]: FakeVendor[] = []
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const pollyPlace = () => ({ endpoint: pollyVendor!.url, region: 'us-east-1', credentials })
const elevenAccount = () => ({ url: elevenVendor!.url, key: elevenLabsKey })
const voiceOf = (engine: Voice['engine'], engineVoice: string) => ({ ...builtInVoices[0]!, engine, engineVoice })

beforeAll(async () => {
  ;[pollyVendor, elevenVendor] = await Promise.all([startFakePolly(), startFakeElevenLabs()])
})
afterAll(() => Promise.all([pollyVendor?.stop(), elevenVendor?.stop()]))

describe('the voices that are offered', () => {
  it('of Polly are its neural ones, with the most common region of a language first', async () => {
    const voices = await pollyVoices(pollyPlace()).list()
    const ids = voices.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['polly-Amy', 'polly-Joanna', 'polly-Lucia', 'polly-Zhiyu']))
    expect(voices.find(({ language }) => language === 'en')?.id).toBe('polly-Joanna')
    expect(voices.find(({ id }) => id === 'polly-Zhiyu')).toMatchObject({ language: 'zh', provider: 'standard' })
    expect(voices.find(({ language }) => language === 'hi')).toMatchObject({
      id: 'polly-Kajal-hi-IN',
      engineVoice: 'Kajal/hi-IN',
    })
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of ElevenLabs are all that the account has, with the previews of the vendor', async () => {
    const voices = await elevenLabsVoices(elevenAccount()).list()
    expect(voices).toHaveLength(3)
    expect(voices[0]).toMatchObject({
      id: 'eleven-21m00Tcm4TlvDq8ikWAM',
      provider: 'expressive',
      gender: 'female',
      previewUrl: 'https://storage.example.com/rachel.mp3',
    })
    expect(voices[2]).toMatchObject({ language: 'en', gender: 'neutral' })
    expect(voices[2]).not.toHaveProperty('previewUrl')
  })

  it('have a preview', async () => {
    const clips = [
      await pollyVoices(pollyPlace()).speakSample(voiceOf('polly', 'Joanna/en-US'), 'Hello.'),
      await elevenLabsVoices(elevenAccount()).speakSample(voiceOf('elevenlabs', '21m00Tcm4TlvDq8ikWAM'), 'Hello.'),
    ]
    for (const clip of clips) expect(Buffer.from(clip).readUInt16BE(0)).toBe(0xfffb)
  })

  it('are unknown while the vendor is busy or rejects the key', async () => {
    for (const [vendor, source] of [
      [pollyVendor!, pollyVoices(pollyPlace())],
      [elevenVendor!, elevenLabsVoices(elevenAccount())],
    ] as const) {
      vendor.fault = { status: 503, body: {} }
      await expect(source.list()).rejects.toMatchObject({ name: 'ProviderBusy' })
      vendor.fault = null
    }
    const stranger = elevenLabsVoices({ ...elevenAccount(), key: 'wrong' })
    await expect(stranger.list()).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})
