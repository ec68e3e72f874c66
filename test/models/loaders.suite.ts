/**
 * The loaders of the downloaded models with the real packages: onnxruntime-node, node-llama-cpp and sherpa-onnx-node, each
 * in its process, behind the server and the adapters that the service uses. The models are tiny stand-ins with the inputs
 * and outputs of the real ones: what a voice sounds like and what a writer writes is not tested here.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAiAddress, providerChoice } from '../../lib/domain/generation/provider-choice.ts'
import { builtInVoices, findVoice } from '../../lib/domain/videos/voices.ts'
import { openAiNarrator } from '../../lib/providers/narrator/openai.ts'
import type { OpenAiServer } from '../../lib/providers/openai/server.ts'
import { transcribeSound } from '../../lib/providers/openai/transcription.ts'
import { openAiTextModel } from '../../lib/providers/text-model/openai.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import type { FoundServer } from '../../local/discover-servers.ts'
import { filePath, modelDirectory, modelsDirectory, packagesDirectory } from '../../local/models/folder.ts'
import { type Model, models } from '../../local/models/manifest.ts'
import { type DownloadedModels, startDownloadedModels } from '../../local/models/start.ts'
import { foundServerLines, providerConfigFrom } from '../../local/provider-config.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import { llamaStandIn } from './stand-ins/gguf.ts'
import { kokoroStandIn, voiceStandIn } from './stand-ins/kokoro.ts'
import { parakeetStandIn } from './stand-ins/parakeet.ts'

const standIns: Record<string, Uint8Array | string> = {
  'Qwen3.5-2B-Q4_K_M.gguf': llamaStandIn(),
  'onnx/model.onnx': kokoroStandIn(),
  'voices/af_heart.bin': voiceStandIn(0.3),
  ...parakeetStandIn(),
}

/** The models of the manifest, with the sizes of the stand-ins. */
function writeStandIns(directory: string): Model[] {
  symlinkSync(packagesDirectory(modelsDirectory(process.env)), packagesDirectory(directory))
  return models.map((model) => {
    const files = model.files.map((file) => {
      const content = standIns[file.path]!
      const path = filePath(modelDirectory(directory, model), file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return { ...file, bytes: Buffer.byteLength(content) }
    })
    return { ...model, files }
  })
}

const log: unknown[] = []
const directory = temporaryDirectoryOfFile()
let downloaded: DownloadedModels
beforeAll(async () => {
  downloaded = await startDownloadedModels(directory, (...line) => log.push(line), writeStandIns(directory))
})
afterAll(() => downloaded.stop())

const serverOf = (capability: 'text' | 'speech' | 'transcription'): OpenAiServer => {
  const { baseUrl, model } = downloaded.found[capability] as FoundServer
  return { baseUrl, model, allowLocal: true }
}
const heart = { ...findVoice(builtInVoices, 'en-clara')!, engineVoice: 'af_heart' }

describe('Kokoro by onnxruntime-node', () => {
  it('speaks, and its word times are where the sound is', async () => {
    const text = 'The water of the ocean is salty, isn’t it? Rivers carry 5 grams of zyglor salt.'
    const narration = await openAiNarrator({ speech: serverOf('speech') }).narrate(text, heart)
    expect(narration.words.map((word) => word.text)).toEqual(text.split(' '))
    const { samples, sampleRate } = parseWav(narration.wav)
    expect(sampleRate).toBe(24_000)
    const loudness = (fromMs: number, toMs: number) => {
      const part = samples.subarray((fromMs * sampleRate) / 1000, (toMs * sampleRate) / 1000)
      return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length)
    }
    for (const [index, { startMs, endMs }] of narration.words.entries()) {
      expect(loudness(startMs, endMs)).toBeGreaterThan(5_000)
      const next = narration.words[index + 1]
      // A blank between two words is silent.
      if (next) expect(loudness(endMs + 5, next.startMs - 5)).toBeLessThan(500)
    }
  })

  it('speaks a text of several sentences and several hundred words', async () => {
    const text = Array.from({ length: 40 }, () => 'Rivers carry salt into the sea.').join(' ')
    const { words, durationMs } = await openAiNarrator({ speech: serverOf('speech') }).narrate(text, heart)
    expect(words).toHaveLength(240)
    expect(words.at(-1)!.endMs).toBeGreaterThan(durationMs - 1_000)
  })
})

describe('a GGUF model by node-llama-cpp', () => {
  it('fills in a form: the grammar of its schema holds', async () => {
    const model = openAiTextModel(serverOf('text'))
    const output = await model.request({
      task: 'Fill in the form.',
      material: { idea: 'Why the sea is salty' },
      form: {
        name: 'plan',
        description: 'A plan',
        fields: {
          mood: { type: 'string', enum: ['calm', 'loud'] },
          beats: {
            type: 'array',
            items: {
              type: 'object',
              properties: { cut: { type: 'string', enum: ['hard', 'soft'] } },
              required: ['cut'],
            },
          },
        },
        schema: v.object({
          mood: v.picklist(['calm', 'loud']),
          beats: v.array(v.object({ cut: v.picklist(['hard', 'soft']) })),
        }),
      },
      ...{ tokensMax: 400, temperature: 0.3, deadlineMs: 60_000 },
    })
    expect(['calm', 'loud']).toContain(output.mood)
    expect(Array.isArray(output.beats)).toBe(true)
  })

  it('says when its output was cut off', async () => {
    const { baseUrl } = serverOf('text')
    const messages = [{ role: 'user', content: 'Write.' }]
    const body = JSON.stringify({ messages, max_tokens: 5 })
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'length' }] })
  })
})

describe('Parakeet by sherpa-onnx-node', () => {
  it('writes the words of a sound with their times', async () => {
    const sampleRate = 16_000
    const loud: [number, number][] = [
      [500, 1_140],
      [1_640, 2_200],
    ]
    const samples = Int16Array.from({ length: 2.4 * sampleRate }, (_, at) => {
      const ms = (at * 1000) / sampleRate
      const noise = ((at * 7_919) % 20_011) - 10_005
      return loud.some(([from, to]) => ms > from && ms < to) ? noise : 0
    })
    const words = await transcribeSound(serverOf('transcription'), { sampleRate, samples }, { deadlineMs: 60_000 })
    expect(words.map(({ text }) => text)).toEqual(['ab', 'ab', 'ab', 'ab'])
    expect(Math.abs(words[0]!.startMs - 500)).toBeLessThan(100)
    expect(Math.abs(words[2]!.startMs - 1_640)).toBeLessThan(100)
    expect(words[1]!.endMs).toBeLessThanOrEqual(1_240)
  })
})

describe('the service', () => {
  it('uses each of them where nothing else is configured, and says so in a line each', () => {
    const config = providerConfigFrom({}, downloaded.found)
    const choice = v.parse(providerChoice, JSON.parse(config.providers))
    expect(choice).toMatchObject({
      ...{ writer: 'openai', director: 'openai', narrator: 'openai', expressive: 'openai', transcriber: 'openai' },
      images: 'built-in',
    })
    const { host } = new URL(openAiAddress(choice, 'speech').baseUrl)
    expect(foundServerLines(downloaded.found, config)).toEqual([
      `Uses Qwen3.5 2B of the downloaded models on ${host} for scripts and slides.`,
      `Uses kokoro of the downloaded models on ${host} for voices.`,
      `Uses parakeet of the downloaded models on ${host} for the words of uploads.`,
    ])
    expect(downloaded.notes).toEqual([])
    expect(log).toEqual([])
  })
})
