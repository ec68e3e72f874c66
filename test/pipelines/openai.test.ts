/**
 * A video whose script, voice, word times and pictures all come from one server with OpenAI's API, configured by the
 * OPENAI_* variables alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  NewUploadResource,
  UploadResource,
  VideoResource,
  VoiceResource,
} from '../../lib/contract/resources/index.ts'
import type { TimedWord } from '../../lib/domain/core/timeline-item.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { chatCompletions } from '../support/openai/chat.ts'
import { imageOperations } from '../support/openai/images.ts'
import { speechOperations, type Utterance } from '../support/openai/speech.ts'
import { type OpenAiStandIn, openAiKey, openAiStandIn } from '../support/openai/stand-in.ts'
import { transcriptions } from '../support/openai/transcriptions.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
const spoken: Utterance[] = []
/** The words of the next upload. */
let uploaded: TimedWord[] | undefined
let standIn: OpenAiStandIn
let service: ServiceProcess

beforeAll(async () => {
  standIn = await openAiStandIn({
    kind: 'openai',
    operations: [
      chatCompletions({ kind: 'openai', model: fakeNova }),
      ...speechOperations({ server: 'kokoro', spoken }),
      transcriptions({ server: 'whisper-1', spoken, hear: () => uploaded }),
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

  it('recognises the words of an upload', async () => {
    uploaded = [
      { text: 'Fish', startMs: 0, endMs: 300 },
      { text: 'and', startMs: 300, endMs: 450 },
      { text: 'chips.', startMs: 500, endMs: 1_000 },
    ]
    await runFfmpeg({
      arguments: [
        ...['-v', 'error', '-f', 'lavfi', '-i', 'color=navy:s=180x320:r=30:d=2'],
        ...['-f', 'lavfi', '-i', "sine=frequency=440:duration=2,volume=0:enable='lt(t,0.5)+gt(t,1.5)'"],
        ...['-pix_fmt', 'yuv420p', '-y', 'plain.mp4'],
      ],
      ...{ directory, timeoutMs: 60_000 },
    })
    const file = await readFile(join(directory, 'plain.mp4'))
    const upload = { fileName: 'plain.mp4', contentType: 'video/mp4', bytes: file.length }
    const { id, uploadUrl, headers } = await send<NewUploadResource>('POST', '/uploads', upload)
    await fetch(uploadUrl, { method: 'PUT', headers, body: file })
    const videoId = await waitFor(
      'the upload is a video',
      async () => (await send<UploadResource>('GET', `/uploads/${id}`)).videoId,
    )
    await waitForVideo(service.runtime, videoId, ({ process }) => process?.status === 'COMPLETED')
    const video = await send('GET', `/videos/${videoId}?include=captions`)
    // The sound that was sent begins half a second into the file.
    expect(video.captions!.map((word) => [word.punctuated_word, Math.round(word.startMs / 100)])).toEqual([
      ['Fish', 5],
      ['and', 8],
      ['chips.', 10],
    ])
    expect(requestsTo('/audio/transcriptions')).toHaveLength(1)
  })

  it('offers the voices of the server in both tiers', async () => {
    const voices = await send<VoiceResource[]>('GET', '/voices')
    expect(voices.find(({ id }) => id === 'openai-af_heart')).toMatchObject({ provider: 'standard', language: 'en' })
    expect(voices.find(({ id }) => id === 'openai-expressive-af_heart')).toMatchObject({ provider: 'expressive' })
    expect(voices.map(({ id }) => id)).toContain('en-clara')
  })
})
