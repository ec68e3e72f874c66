/** Transcripts of uploads by servers with OpenAI's API. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { TimedWord } from '../../lib/domain/core/timeline-item.ts'
import type { Passage } from '../../lib/domain/generation/source.ts'
import { openAiTranscriber } from '../../lib/providers/transcriber/openai.ts'
import { passagesOf } from '../../lib/providers/transcriber/passages.ts'
import { resample } from '../../lib/render/sound/resample.ts'
import { encodeWav, type PcmSound } from '../../lib/render/sound/wav.ts'
import { fliteSpeaker, type Utterance } from '../support/openai/speech.ts'
import { openAiKey, openAiStandIn } from '../support/openai/stand-in.ts'
import { type TranscriptionServer, transcriptions } from '../support/openai/transcriptions.ts'
import { orderDepsFor, removeScratch } from '../support/provider-orders.ts'

const text = 'The sea is salty because rivers carry minerals into it. How much is it? Thirty five grams in every litre.'
const words = text.split(' ')
const bare = (word: string) => word.replace(/\p{P}/gu, '').toLowerCase()

async function transcriberOf(
  server: TranscriptionServer,
  spoken: Utterance[],
  { hear, longestMs = 300_000 }: { hear?: (sound: PcmSound) => TimedWord[]; longestMs?: number } = {},
) {
  const standIn = await openAiStandIn({
    kind: server === 'whisper-1' ? 'openai' : 'other',
    operations: [transcriptions({ server, spoken, ...(hear && { hear }) })],
  })
  onTestFinished(standIn.stop)
  const account = { baseUrl: standIn.baseUrl, apiKey: openAiKey, model: server, allowLocal: true }
  const parts = new Map<number, TimedWord[]>()
  const makeOnce = async ({ startMs }: Passage, make: () => Promise<TimedWord[]>) => {
    const words = parts.get(startMs) ?? (await make())
    parts.set(startMs, words)
    return words
  }
  const context = { ...orderDepsFor(), makeOnce }
  const transcribe = (sound: PcmSound) => {
    const passages = passagesOf(sound.samples, sound.sampleRate)
    const { transcribe } = openAiTranscriber(account, { read: async () => encodeWav(sound), longestMs })
    return transcribe({ soundKey: 'sound.wav', passages }, context)
  }
  return { standIn, transcribe }
}

afterEach(removeScratch)

describe.each<[TranscriptionServer, number]>([
  ['whisper-1', 20],
  ['speaches', 20],
  ['segment-words', 20],
  ['vllm', 400],
  ['localai', 400],
  ['gpt-4o-transcribe', 400],
  ['openrouter', 400],
])('a transcript of %s', (server, errorMs) => {
  it(`has every word, within ${errorMs} ms`, async () => {
    const utterance = await fliteSpeaker(text)
    const { transcribe } = await transcriberOf(server, [utterance])
    const heard = await transcribe(utterance.sound)
    expect(heard.map((word) => bare(word.text))).toEqual(words.map(bare))
    let clock = 0
    for (const [index, { startMs, endMs }] of heard.entries()) {
      expect(startMs).toBeGreaterThanOrEqual(clock)
      expect(endMs).toBeGreaterThanOrEqual(startMs)
      expect(Math.abs(startMs - utterance.words[index]!.startMs)).toBeLessThan(errorMs)
      clock = endMs
    }
  })
})

describe('a transcriber of a server with OpenAI’s API', () => {
  it('takes the punctuation from the text, as Whisper’s words have none', async () => {
    const utterance = await fliteSpeaker(text)
    const { transcribe } = await transcriberOf('whisper-1', [utterance])
    expect((await transcribe(utterance.sound)).map((word) => word.text)).toEqual(words)
  })

  it('sends a long recording in pieces that are cut in pauses, at 16 kHz', async () => {
    const utterance = await fliteSpeaker(text)
    const samples = Int16Array.from(resample(Float32Array.from(utterance.sound.samples), 24_000, 48_000), Math.round)
    const rates: number[] = []
    const { transcribe, standIn } = await transcriberOf('speaches', [], {
      longestMs: 4_000,
      hear: (sound) => {
        rates.push(sound.sampleRate)
        return [{ text: `piece${rates.length}.`, startMs: 100, endMs: 400 }]
      },
    })
    const words = await transcribe({ samples, sampleRate: 48_000 })
    expect(standIn.posts().length).toBeGreaterThan(1)
    expect(new Set(rates)).toEqual(new Set([16_000]))
    expect(words.map((word) => word.text)).toEqual(rates.map((_, index) => `piece${index + 1}.`))
    const starts = words.map(({ startMs }) => startMs)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(starts.at(-1)!).toBeGreaterThan(2_000)
  })

  it('does not send a piece again after a later one failed', async () => {
    const { sound } = await fliteSpeaker(text)
    let heardMs = 0
    const { transcribe, standIn } = await transcriberOf('speaches', [], {
      longestMs: 2_000,
      hear: ({ samples, sampleRate }) => {
        heardMs += (1000 * samples.length) / sampleRate
        return []
      },
    })
    standIn.faults = [null, null, { status: 503, body: 'busy' }]
    await expect(transcribe(sound)).rejects.toMatchObject({ name: 'ProviderBusy' })
    expect(heardMs).toBeGreaterThan(2_000)
    await transcribe(sound)
    expect(heardMs).toBeLessThanOrEqual((1000 * sound.samples.length) / sound.sampleRate)
  })

  it('drops the words that a recogniser invents in silence', async () => {
    const { sound } = await fliteSpeaker('Only this.')
    const samples = new Int16Array(sound.samples.length * 2 + 10 * sound.sampleRate)
    samples.set(sound.samples)
    samples.set(sound.samples, samples.length - sound.samples.length)
    const { transcribe } = await transcriberOf('speaches', [], {
      hear: ({ samples: { length }, sampleRate }) => [
        { text: 'Only', startMs: 100, endMs: 300 },
        { text: 'Thank', startMs: 5_000, endMs: 5_300 },
        { text: 'this.', startMs: (length / sampleRate) * 1000 - 300, endMs: (length / sampleRate) * 1000 },
        { text: 'Bye.', startMs: (length / sampleRate) * 1000 + 2_000, endMs: (length / sampleRate) * 1000 + 2_300 },
      ],
    })
    const words = await transcribe({ ...sound, samples })
    expect(words.map((word) => word.text)).toEqual(['Only', 'this.'])
  })

  it('reports a busy server, and a rejected key to the operator', async () => {
    const utterance = await fliteSpeaker('Only this.')
    const { transcribe, standIn } = await transcriberOf('whisper-1', [utterance])
    standIn.faults = [
      { status: 503, body: 'busy' },
      { status: 401, body: { error: { message: 'Incorrect API key' } } },
    ]
    await expect(transcribe(utterance.sound)).rejects.toMatchObject({ name: 'ProviderBusy' })
    await expect(transcribe(utterance.sound)).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})
