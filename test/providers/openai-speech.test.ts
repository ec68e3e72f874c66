/** Voices of servers with OpenAI's API: what each returns, and when each word is heard. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtInVoices, findVoice, type Voice } from '../../lib/domain/videos/voices.ts'
import { alignBySound } from '../../lib/providers/narrator/align-by-sound.ts'
import { alignTranscript } from '../../lib/providers/narrator/align-transcript.ts'
import { builtInNarrator } from '../../lib/providers/narrator/built-in.ts'
import { espeakInstalled } from '../../lib/providers/narrator/espeak.ts'
import { openAiNarrator } from '../../lib/providers/narrator/openai.ts'
import { openAiVoices } from '../../lib/providers/narrator/openai-voices.ts'
import { syllablesOf } from '../../lib/providers/narrator/syllables.ts'
import { tokenise } from '../../lib/providers/narrator/tokenise.ts'
import { fillWordTimings } from '../../lib/providers/narrator/word-timings.ts'
import type { OpenAiServer } from '../../lib/providers/openai/server.ts'
import { decodeSpeech } from '../../lib/providers/openai/sound.ts'
import { encodeWav, parseWav } from '../../lib/render/sound/wav.ts'
import type { VendorFault } from '../support/fake-vendors/fake-vendor.ts'
import { pcmBytes } from '../support/fake-vendors/tones.ts'
import {
  fliteSpeaker,
  kokoroVoices,
  type SpeechServer,
  speechOperations,
  stereoFloatWav,
  toneSpeaker,
  type Utterance,
} from '../support/openai/speech.ts'
import { openAiKey, openAiStandIn } from '../support/openai/stand-in.ts'
import { type TranscriptionServer, transcriptions } from '../support/openai/transcriptions.ts'
import { expectSpoken, narratorSuite } from './narrator-suite.ts'

const text =
  'The sea is salty because rivers carry minerals into it. Rain dissolves tiny amounts of stone on its way down, ' +
  'and water evaporates while the salt stays behind! How much is it? About thirty five grams in every litre.'
const voice: Voice = {
  ...findVoice(builtInVoices, 'en-clara')!,
  ...{ id: 'openai-alloy', engine: 'openai', engineVoice: 'alloy' },
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

interface ServerOptions {
  speech: SpeechServer
  transcription?: TranscriptionServer
  speak?: typeof toneSpeaker
}

/** A narrator of a stand-in, and what was said. */
async function narratorOf({ speech, transcription, speak = fliteSpeaker }: ServerOptions) {
  const spoken: Utterance[] = []
  const standIn = await openAiStandIn({
    kind: speech === 'openrouter' ? 'openrouter' : speech === 'openai' ? 'openai' : 'other',
    operations: [
      ...speechOperations({ server: speech, speak, spoken }),
      ...(transcription ? [transcriptions({ server: transcription, spoken })] : []),
    ],
  })
  onTestFinished(standIn.stop)
  const server: OpenAiServer = { baseUrl: standIn.baseUrl, apiKey: openAiKey, model: 'tts-model', allowLocal: true }
  const untimed: Error[] = []
  const narrator = openAiNarrator({
    speech: server,
    ...(transcription && { transcription: { ...server, model: 'whisper-1' } }),
    onUntimed: (error) => untimed.push(error),
  })
  return { narrator, standIn, spoken, untimed, server }
}

/** The errors of the starts of all words, in milliseconds. */
const errorsOf = (words: readonly { startMs: number }[], truth: readonly { startMs: number }[]) =>
  words.map(({ startMs }, index) => Math.abs(startMs - truth[index]!.startMs))

describe('the sound of a speech server', () => {
  const sound = {
    sampleRate: 24_000,
    samples: Int16Array.from({ length: 480 }, (_, at) => Math.round(9_000 * Math.sin(at / 9))),
  }
  const wav = Buffer.from(encodeWav(sound))
  const decode = (bytes: Uint8Array, type: string) => decodeSpeech(bytes, type, 'Server')

  it.each([0, 1, 0xffffffff])('is read to its end, where the header says %i bytes', (length) => {
    const streamed = Buffer.from(wav)
    streamed.writeUInt32LE(length === 1 ? 999_999 : length, 40)
    expect(decode(streamed, 'audio/wav')).toEqual(sound)
  })

  it('is mono, also where the server sends two channels of floats', () => {
    const { samples, sampleRate } = decode(stereoFloatWav(sound), 'audio/mpeg')
    expect(sampleRate).toBe(24_000)
    expect(Math.max(...samples.map((sample, at) => Math.abs(sample - sound.samples[at]!)))).toBeLessThanOrEqual(1)
  })

  it('has the rate and the byte order of its type', () => {
    const pcm = pcmBytes(sound.samples)
    expect(decode(pcm, 'audio/pcm')).toEqual(sound)
    expect(decode(pcm, 'audio/pcm;rate=48000')).toEqual({ ...sound, sampleRate: 48_000 })
    expect(decode(pcm, 'application/octet-stream')).toEqual(sound)
    expect(decode(pcm, 'audio/L16; codec=pcm; rate=24000')).toEqual(sound)
    expect(decode(Buffer.from(pcm).swap16(), 'audio/L16;rate=24000')).toEqual(sound)
    expect(decode(Buffer.concat([pcm, Buffer.alloc(1)]), 'audio/pcm')).toEqual(sound)
  })

  it.each(['audio/mpeg', 'audio/ogg', 'text/html', ''])('is refused as %s', (type) => {
    expect(() => decode(Buffer.from('ID3 not a WAV file'), type)).toThrow(
      'Use a server or a model that returns WAV or PCM',
    )
  })

  it.each([
    ['no sound', Buffer.from(wav.subarray(0, 40))],
    ['8 bits', Buffer.from(wav).fill(8, 34, 35)],
    ['a rate of 0', Buffer.from(wav).fill(0, 24, 28)],
  ])('is refused with %s', (_what, bytes) => {
    expect(() => decode(bytes, 'audio/wav')).toThrow(/Server returned/)
  })
})

describe('word times without a transcript', () => {
  it.each([
    ['water', 2],
    ['create', 1],
    ['the', 1],
    ['thirty five', 3],
    ['Geborgenheit', 4],
    ['日本語', 3],
    ['한국어', 3],
    ['नमस्ते', 3],
    ['10', 3],
  ])('count %s as %i syllables', (word, syllables) => {
    expect(Math.round(syllablesOf(word))).toBe(syllables)
  })

  it.each(['en-clara', 'en-miles', 'de-greta'])('are right within 100 ms for half of the words of %s', async (id) => {
    if (id.startsWith('de') && !espeakInstalled()) return
    const spokenText = id.startsWith('de')
      ? 'Katzen treten auf Decken, weil sie es bei der Mutter gelernt haben. Mit den Pfoten regten sie den Milchfluss an.'
      : text
    const { wav, words, durationMs } = await builtInNarrator.narrate(spokenText, findVoice(builtInVoices, id)!)
    const { samples, sampleRate } = parseWav(wav)
    const tokens = tokenise(spokenText, id.slice(0, 2))
    const errors = errorsOf(fillWordTimings(tokens, alignBySound(tokens, samples, sampleRate), durationMs), words)
    expect(median(errors)).toBeLessThan(100)
    expect(Math.max(...errors)).toBeLessThan(400)
  })

  it('are null for silent tokens, and for a sound without speech', () => {
    const tokens = tokenise('One – two.', 'en')
    expect(alignBySound(tokens, new Int16Array(24_000), 24_000)).toEqual([null, null, null])
    const tone = Int16Array.from({ length: 24_000 }, (_, at) => Math.round(9_000 * Math.sin(at / 9)))
    const [one, dash, two] = alignBySound(tokens, tone, 24_000)
    expect(dash).toBeNull()
    expect(one!.startMs).toBe(0)
    expect(two!.endMs).toBe(1_000)
    expect(one!.endMs).toBeLessThanOrEqual(two!.startMs + 10)
  })
})

describe('a transcript of what was spoken', () => {
  const ranges = (written: string) =>
    [...written.matchAll(/\S+/g)].map(({ index, 0: word }) => [index, index + word.length] as const)
  const heard = (...words: string[]) => words.map((text, at) => ({ text, startMs: at * 100, endMs: at * 100 + 80 }))

  it('gives its times to the words of the script, however it writes them', () => {
    const written = "It's 5 o'clock, café Müller."
    const spans = alignTranscript(written, ranges(written), heard('its', '5', 'o', 'clock', 'Cafe', 'Muller'))
    expect(spans).toEqual([
      { startMs: 0, endMs: 80 },
      { startMs: 100, endMs: 180 },
      { startMs: 200, endMs: 380 },
      { startMs: 400, endMs: 480 },
      { startMs: 500, endMs: 580 },
    ])
  })

  it('divides a word that it joins, and leaves out what it did not hear', () => {
    const written = 'any one of all the words can be heard here'
    const spans = alignTranscript(
      written,
      ranges(written),
      heard('anyone', 'of', 'all', 'the', 'words', 'be', 'heard', 'here'),
    )
    expect(spans?.[0]).toEqual({ startMs: 0, endMs: 40 })
    expect(spans?.[1]).toEqual({ startMs: 40, endMs: 80 })
    expect(spans?.[6]).toBeNull()
  })

  it('is not used where it is of other speech', () => {
    const written = 'The sea is salty.'
    expect(alignTranscript(written, ranges(written), heard('Thank', 'you', 'for', 'watching'))).toBeUndefined()
    expect(alignTranscript(written, ranges(written), [])).toBeUndefined()
  })
})

describe.each<SpeechServer>(['openai', 'kokoro', 'speaches', 'openrouter', 'vllm', 'localai'])(
  'speech of %s',
  (speech) => {
    it('is narrated with its own sound, and word times from the sound', async () => {
      const { narrator, spoken } = await narratorOf({ speech })
      const narration = await narrator.narrate(text, voice)
      expectSpoken(narration, text)
      const [utterance] = spoken
      expect(parseWav(narration.wav).samples.length).toBe(utterance!.sound.samples.length)
      expect(median(errorsOf(narration.words, utterance!.words))).toBeLessThan(100)
    })
  },
)

describe.each<[TranscriptionServer, number]>([
  ['whisper-1', 15],
  ['speaches', 15],
  ['segment-words', 15],
  ['vllm', 100],
  ['localai', 100],
  ['gpt-4o-transcribe', 100],
])('word times by a transcript of %s', (transcription, errorMs) => {
  it(`are right within ${errorMs} ms for half of the words`, async () => {
    const { narrator, spoken, untimed } = await narratorOf({ speech: 'kokoro', transcription })
    const { words } = await narrator.narrate(text, voice)
    expect(untimed).toEqual([])
    expect(median(errorsOf(words, spoken[0]!.words))).toBeLessThan(errorMs)
  })
})

narratorSuiteOf('with word times from Whisper', 'whisper-1')

function narratorSuiteOf(name: string, transcription: TranscriptionServer) {
  const spoken: Utterance[] = []
  let standIn: Promise<{ baseUrl: string }> | undefined
  const start = () =>
    (standIn ??= openAiStandIn({
      kind: 'other',
      operations: [
        ...speechOperations({ server: 'kokoro', speak: toneSpeaker, spoken }),
        transcriptions({ server: transcription, spoken }),
      ],
    }))
  const server = async (): Promise<OpenAiServer> => ({
    baseUrl: (await start()).baseUrl,
    model: 'kokoro',
    allowLocal: true,
  })
  narratorSuite(`OpenAI-compatible, ${name}`, {
    make: () => ({
      id: openAiNarrator({ speech: { baseUrl: 'http://127.0.0.1:1/v1', model: 'kokoro', allowLocal: true } }).id,
      narrate: async (...given) =>
        openAiNarrator({ speech: await server(), transcription: await server() }).narrate(...given),
    }),
    ...{ voice, spanish: { ...voice, language: 'es' }, longText: 3_500 },
  })
}

describe('a narrator of a server with OpenAI’s API', () => {
  const failing = async (fault: VendorFault) => {
    const { narrator, standIn } = await narratorOf({ speech: 'openai', speak: toneSpeaker })
    standIn.fault = fault
    return narrator.narrate('Hello there.', voice)
  }
  const error = (status: number, code: string, message: string): VendorFault => ({
    status,
    body: { error: { code, message } },
  })

  it('reports to the operator what only the operator can change', async () => {
    for (const fault of [
      error(401, 'invalid_api_key', 'Incorrect API key provided.'),
      error(429, 'insufficient_quota', 'You exceeded your current quota.'),
      error(404, 'model_not_found', 'The model `tts-9` does not exist.'),
      { status: 404, body: { error: "model 'tts-9' not found, try pulling it first" } },
    ])
      await expect(failing(fault)).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it('is retried while the server is busy, and refuses by name a voice that is gone', async () => {
    await expect(failing(error(429, 'rate_limit_exceeded', 'Slow down'))).rejects.toMatchObject({
      name: 'ProviderBusy',
    })
    await expect(failing({ status: 503, body: 'loading' })).rejects.toMatchObject({ name: 'ProviderBusy' })
    const { narrator } = await narratorOf({ speech: 'kokoro', speak: toneSpeaker })
    const gone = narrator.narrate('Hello.', { ...voice, engineVoice: 'gone' })
    await expect(gone).rejects.toThrow('The voice openai-alloy cannot speak this.')
    await expect(gone).rejects.toThrow('Voice gone not found')
  })

  it('refuses MP3 with what to do', async () => {
    const { narrator } = await narratorOf({ speech: 'mp3-only' })
    await expect(narrator.narrate('Hello.', voice)).rejects.toThrow('audio/mpeg, which cannot be read')
  })

  it('refuses a server that answers with silence', async () => {
    const { narrator, standIn } = await narratorOf({ speech: 'openai' })
    standIn.fault = { headers: { 'content-type': 'audio/pcm' }, body: Buffer.alloc(4_000) }
    await expect(narrator.narrate('Hello.', voice)).rejects.toMatchObject({ name: 'ProviderRejected' })
  })

  it('estimates the times where the transcript fails, and reports that', async () => {
    const { narrator, standIn, untimed } = await narratorOf({ speech: 'kokoro', transcription: 'whisper-1' })
    standIn.faults = [null, { status: 503, body: 'busy' }]
    expectSpoken(await narrator.narrate(text, voice), text)
    expect(untimed).toMatchObject([{ name: 'ProviderBusy' }])
  })

  it('does not reach a local address without the opt-in of the operator', async () => {
    const { server } = await narratorOf({ speech: 'openai' })
    const narrator = openAiNarrator({ speech: { ...server, allowLocal: false } })
    await expect(narrator.narrate('Hello.', voice)).rejects.toThrow('an address that is not public')
  })
})

describe('the voices of a server with OpenAI’s API', () => {
  const listOf = async (speech: SpeechServer, model: string, names?: string[]) => {
    const { server } = await narratorOf({ speech })
    return openAiVoices({ ...server, model }, { tiers: ['standard'], names }).list()
  }

  it('of Kokoro-FastAPI are those of its list, with the languages of their names', async () => {
    const voices = await listOf('kokoro', 'kokoro')
    expect(voices).toHaveLength(kokoroVoices.length)
    expect(voices[0]).toMatchObject({ id: 'openai-af_heart', name: 'Heart', language: 'en', gender: 'female' })
    const byName = Object.fromEntries(
      voices.map(({ engineVoice, language, gender }) => [engineVoice, [language, gender]]),
    )
    expect(byName).toMatchObject({ bf_emma: ['en', 'female'], zm_yunjian: ['zh', 'male'], pf_dora: ['pt', 'female'] })
  })

  it('of Speaches are those of the model', async () => {
    expect(await listOf('speaches', 'speaches-ai/piper-de')).toMatchObject([
      { id: 'openai-thorsten', language: 'de', gender: 'male' },
      { id: 'openai-kerstin', language: 'de', gender: 'neutral' },
    ])
  })

  it('of OpenAI are documented, and speak every language', async () => {
    const server = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o-mini-tts', allowLocal: false }
    const voices = await openAiVoices(server, { tiers: ['standard', 'expressive'] }).list()
    const ids = voices.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['openai-alloy', 'openai-nova-de', 'openai-marin', 'openai-expressive-alloy']),
    )
    for (const tier of ['standard', 'expressive'])
      for (const language of ['en', 'de', 'ja', 'ar'])
        expect(voices.some((one) => one.provider === tier && one.language === language)).toBe(true)
    const expressive = voices.filter(({ provider }) => provider === 'expressive')
    expect(expressive.length).toBeLessThan(voices.length / 2)
    const alone = await openAiVoices(server, { tiers: ['expressive'] }).list()
    expect(alone.map(({ id }) => id)).toContain('openai-expressive-marin')
    const older = await openAiVoices({ ...server, model: 'tts-1' }, { tiers: ['standard'] }).list()
    expect(older.map(({ id }) => id)).not.toContain('openai-marin')
  })

  it('of an operator are the named ones, in the named order', async () => {
    const voices = await listOf('vllm', 'some-tts', ['thorsten:de', 'af_sky', 'de_DE-kerstin-low', 'Anna'])
    expect(voices.map(({ id, language }) => [id, language])).toEqual([
      ['openai-thorsten', 'de'],
      ['openai-af_sky', 'en'],
      ['openai-de_DE-kerstin-low', 'de'],
      ['openai-Anna', 'en'],
    ])
    await expect(listOf('vllm', 'some-tts')).rejects.toThrow('lists no voices: name one')
  })

  it('have previews as MP3', async () => {
    const { server } = await narratorOf({ speech: 'openai' })
    const preview = await openAiVoices(server, { tiers: ['standard'] }).speakSample(voice, 'Hello.')
    expect(Buffer.from(preview).readUInt16BE(0)).toBe(0xfffb)
  })
})
