/** The server of the downloaded models, through the adapters that the service uses. Its processes are stand-ins. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtInVoices, findVoice } from '../../../lib/domain/videos/voices.ts'
import { openAiNarrator } from '../../../lib/providers/narrator/openai.ts'
import { openAiVoices } from '../../../lib/providers/narrator/openai-voices.ts'
import type { OpenAiServer } from '../../../lib/providers/openai/server.ts'
import { transcribeSound } from '../../../lib/providers/openai/transcription.ts'
import { encodeWav, parseWav } from '../../../lib/render/sound/wav.ts'
import { listen } from '../../../local/listen.ts'
import { InputRefused } from '../../../local/models/child.ts'
import { modelDirectory } from '../../../local/models/folder.ts'
import { models } from '../../../local/models/manifest.ts'
import { ModelFailed, type ModelProcess } from '../../../local/models/model-process.ts'
import { type LocalModels, startModelServer } from '../../../local/models/server.ts'
import { startDownloadedModels } from '../../../local/models/start.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const processOf = <Input, Output>(answer: (input: Input) => Output): ModelProcess<Input, Output> => ({
  request: async (input) => answer(input),
  pid: undefined,
  stop: () => {},
})

async function serverOf(local: LocalModels, model: string): Promise<OpenAiServer> {
  const { baseUrl, stop } = await startModelServer(local)
  onTestFinished(stop)
  return { baseUrl, model, allowLocal: true }
}

const tone = { sampleRate: 24_000, samples: Int16Array.from({ length: 48_000 }, (_, at) => 8_000 * Math.sin(at / 20)) }
const words = [
  { text: 'Salt', startMs: 200, endMs: 700 },
  { text: 'water.', startMs: 900, endMs: 1_700 },
]
const voice = { ...findVoice(builtInVoices, 'en-clara')!, engineVoice: 'af_heart' }
const speaking = (speak = () => ({ wav: encodeWav(tone), words })): LocalModels => ({
  speech: { model: 'kokoro', voices: ['af_heart'], process: processOf(speak) },
})

describe('the server of the downloaded models', () => {
  it('speaks with the word times of the model', async () => {
    const speech = await serverOf(speaking(), 'kokoro')
    const narration = await openAiNarrator({ speech }).narrate('Salt water.', voice)
    expect(narration.words).toEqual(words)
    expect(parseWav(narration.wav).samples).toEqual(tone.samples)
  })

  it('of an early Kokoro-FastAPI, which streams lines, is used without word times', async () => {
    const requests: string[] = []
    const old = createServer((request, response) => {
      requests.push(request.url!)
      response.setHeader('content-type', 'audio/wav')
      response.end(request.url === '/dev/captioned_speech' ? '{"audio":""}\n{"audio":""}\n' : encodeWav(tone))
    })
    const { url, stop } = await listen(old, 0)
    onTestFinished(stop)
    const narrator = openAiNarrator({ speech: { baseUrl: `${url}/v1`, model: 'kokoro', allowLocal: true } })
    for (const text of ['Salt water.', 'More salt.'])
      expect((await narrator.narrate(text, voice)).words).toHaveLength(2)
    expect(requests).toEqual(['/dev/captioned_speech', '/v1/audio/speech', '/v1/audio/speech'])
  })

  it('has its voices in the tier expressive, with previews', async () => {
    const vendor = openAiVoices(await serverOf(speaking(), 'kokoro'), { tiers: ['standard', 'expressive'] })
    const voices = await vendor.list()
    expect(voices).toMatchObject([
      { id: 'openai-af_heart', provider: 'standard', language: 'en', gender: 'female' },
      { id: 'openai-expressive-af_heart', provider: 'expressive', name: 'Heart' },
    ])
    expect((await vendor.speakSample(voices[1]!, 'Hello.')).length).toBeGreaterThan(1_000)
  })

  it('writes words of an upload', async () => {
    const process = processOf(() => ({ text: 'Salt water.', words }))
    const server = await serverOf({ transcription: { model: 'parakeet', process } }, 'parakeet')
    expect(await transcribeSound(server, tone, { deadlineMs: 10_000 })).toEqual(words)
  })

  it('refuses what the model refuses, and is busy while the model fails', async () => {
    const refusing = await serverOf(
      speaking(() => {
        throw new InputRefused('There is no voice af_heart.')
      }),
      'kokoro',
    )
    const rejected = openAiNarrator({ speech: refusing }).narrate('Salt.', voice)
    await expect(rejected).rejects.toThrow('There is no voice af_heart.')
    const failing = await serverOf(
      speaking(() => {
        throw new ModelFailed('Kokoro ended with SIGABRT.')
      }),
      'kokoro',
    )
    await expect(openAiNarrator({ speech: failing }).narrate('Salt.', voice)).rejects.toMatchObject({
      name: 'ProviderBusy',
    })
  })

  it('answers programs of this machine only, and 404 without a model', async () => {
    const { baseUrl } = await serverOf(speaking(), 'kokoro')
    const foreign = await fetch(`${baseUrl}/models`, { headers: { origin: 'https://example.com' } })
    expect(foreign.status).toBe(403)
    expect((await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

describe('the downloaded models', () => {
  it('without a model are not started', async () => {
    const { found, notes } = await startDownloadedModels(temporaryDirectory(), () => {})
    expect(found).toEqual({ text: undefined, speech: undefined, transcription: undefined })
    expect(notes).toEqual([])
  })

  it('without their packages name the command that installs them, and fail nothing', async () => {
    const directory = temporaryDirectory()
    const voiceModel = models.find(({ name }) => name === 'voice')!
    const small = { ...voiceModel, files: voiceModel.files.map((file) => ({ ...file, bytes: 3 })) }
    for (const { path } of small.files) {
      const file = join(modelDirectory(directory, small), path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'abc')
    }
    const { found, notes } = await startDownloadedModels(directory, () => {}, [small])
    expect(found.speech).toBeUndefined()
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(
      /^The model voice is downloaded and not used, because npm packages are missing: run npm install --prefix .* onnxruntime-node@1\.30\.0 cmu-pronouncing-dictionary@3\.0\.0$/,
    )
  })
})
