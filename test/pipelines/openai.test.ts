/**
 * A video whose script, voice, word times and pictures all come from one server with OpenAI's API, configured by the
 * OPENAI_* variables alone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { VideoResource, VoiceResource } from '../../lib/contract/resources/index.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { chatCompletions } from '../support/openai/chat.ts'
import { imageOperations } from '../support/openai/images.ts'
import { speechOperations, type Utterance } from '../support/openai/speech.ts'
import { type OpenAiStandIn, openAiKey, openAiStandIn } from '../support/openai/stand-in.ts'
import { transcriptions } from '../support/openai/transcriptions.ts'
import {
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
const spoken: Utterance[] = []
let standIn: OpenAiStandIn
let service: ServiceProcess

beforeAll(async () => {
  standIn = await openAiStandIn({
    kind: 'openai',
    operations: [
      chatCompletions({ kind: 'openai', model: fakeNova }),
      ...speechOperations({ server: 'kokoro', spoken }),
      transcriptions({ server: 'whisper-1', spoken }),
      ...imageOperations('gpt-image-1'),
    ],
  })
  service = await startServiceProcess(directory, {
    ...{ OPENAI_API_KEY: openAiKey, OPENAI_BASE_URL: standIn.baseUrl, OPENAI_TEXT_MODEL: 'stand-in-model' },
    ...{ OPENAI_SPEECH_MODEL: 'kokoro', OPENAI_TRANSCRIBE_MODEL: 'whisper-1', OPENAI_IMAGE_MODEL: 'gpt-image-1' },
    TIME_SCALE: '100',
  })
})
afterAll(async () => {
  await service?.stop()
  await standIn?.stop()
  remove()
})
beforeEach(() => {
  standIn.calls.length = 0
})

const send = <Data = VideoResource>(method: string, path: string, body?: unknown) =>
  callApiOf<Data>(service.runtime, method, path, body)
const requestsTo = (path: string) => standIn.posts().filter((post) => post.path === `/v1${path}`)

describe('a deployment that has a server with OpenAI’s API', () => {
  it('makes a video of its script, its voice, its word times and its pictures', async () => {
    const { id } = await send('POST', '/videos', {
      prompt: 'How to sleep better',
      targetDuration: 8,
      aspectRatio: '1:1',
      imageStyle: 'ai_image',
      process: { render: true },
    })
    await waitForVideo(service.runtime, id, ({ process }) => ['COMPLETED', 'FAILED'].includes(process!.status))
    const video = await send('GET', `/videos/${id}?include=captions`)
    expect(video.process, service.output()).toMatchObject({ status: 'COMPLETED' })
    expect(requestsTo('/chat/completions').length).toBeGreaterThan(0)
    expect(requestsTo('/audio/speech').length).toBeGreaterThan(0)
    expect(requestsTo('/audio/transcriptions')).toHaveLength(requestsTo('/audio/speech').length)
    expect(requestsTo('/images/generations').length).toBeGreaterThan(0)

    const words = spoken.flatMap((utterance) => utterance.words)
    const captions = video.captions!
    expect(captions.map(({ punctuated_word }) => punctuated_word)).toEqual(words.map(({ text }) => text))
    // Whisper says when each word was spoken, to a hundredth of a second.
    if (spoken.length === 1)
      for (const [index, { startMs }] of captions.entries())
        expect(Math.abs(startMs - words[index]!.startMs)).toBeLessThan(60)
  })

  it('offers the voices of the server in both tiers', async () => {
    const voices = await send<VoiceResource[]>('GET', '/voices')
    expect(voices.find(({ id }) => id === 'openai-af_heart')).toMatchObject({ provider: 'standard', language: 'en' })
    expect(voices.find(({ id }) => id === 'openai-expressive-af_heart')).toMatchObject({ provider: 'expressive' })
    expect(voices.map(({ id }) => id)).toContain('en-clara')
  })
})
