/** Videos with paid voices and transcripts: what they contain, and that nothing is bought twice. */
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  NewUploadResource,
  UploadResource,
  VideoResource,
  VoiceResource,
} from '../../lib/contract/resources/index.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { BUCKET_NAME } from '../../local/environment.ts'
import {
  elevenLabsKey,
  billedRequests as ordersAtElevenLabs,
  startFakeElevenLabs,
} from '../support/fake-vendors/elevenlabs.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { billedSpeechRequests as ordersAtPolly, startFakePolly } from '../support/fake-vendors/polly.ts'
import { type FakeTranscribe, startFakeTranscribe } from '../support/fake-vendors/transcribe.ts'
import {
  callApiOf,
  pollMs,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
const work = join(directory, 'work')
let service: ServiceProcess
let [polly, eleven]: FakeVendor[] = []
let transcriber: FakeTranscribe

beforeAll(async () => {
  mkdirSync(work)
  transcriber = await startFakeTranscribe(async (Key, Body) => {
    const s3 = new S3Client({ ...awsClientConfig(service.runtime.endpoints.s3), forcePathStyle: true })
    await s3.send(new PutObjectCommand({ Bucket: BUCKET_NAME, Key, Body }))
  })
  ;[polly, eleven] = await Promise.all([startFakePolly(), startFakeElevenLabs()])
  service = await startServiceProcess(directory, {
    PROVIDERS: '{"narrator":"polly","expressive":"elevenlabs","transcriber":"transcribe"}',
    ELEVENLABS_API_KEY: elevenLabsKey,
    VENDOR_URLS: JSON.stringify({ elevenlabs: eleven!.url }),
    AWS_ENDPOINT_URL_POLLY: polly!.url,
    AWS_ENDPOINT_URL_TRANSCRIBE: transcriber.url,
  })
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([polly, eleven, transcriber].map((vendor) => vendor?.stop()))
  remove()
})
beforeEach(() => {
  for (const vendor of [polly!, eleven!, transcriber]) vendor.calls.length = 0
})

const text = 'Calm mornings begin in the evening. Sleep early.'
const include = 'include=captions'

/** Sends a script, and waits until it is a video that could be rendered. */
async function generated(voiceId: string): Promise<VideoResource> {
  const brief = { text, voiceId, imageStyle: 'ai_image', aspectRatio: '1:1' }
  const { id } = await callApiOf<VideoResource>(service.runtime, 'POST', '/videos', brief)
  await waitForVideo(service.runtime, id, ({ process }) => process?.status === 'COMPLETED')
  return callApiOf<VideoResource>(service.runtime, 'GET', `/videos/${id}?${include}`)
}

describe('a video', () => {
  it.each([
    ['polly-Matthew', () => ordersAtPolly(polly!), 2],
    ['eleven-21m00Tcm4TlvDq8ikWAM', () => ordersAtElevenLabs(eleven!), 1],
  ])(
    'spoken by %s has its words in its captions, and is paid once, also if it is made again',
    async (voice, orders, paid) => {
      const video = await generated(voice)
      expect(video.captions!.map(({ punctuated_word }) => punctuated_word).join(' ')).toBe(text)
      expect(orders()).toHaveLength(paid)
      const { id } = video
      await callApiOf(service.runtime, 'POST', `/videos/${id}/process`, {})
      await waitForVideo(service.runtime, id, ({ process }) => process?.status === 'COMPLETED')
      const clip = await callApiOf<VideoResource>(service.runtime, 'POST', `/videos/${id}/clips`, {})
      await waitForVideo(service.runtime, clip.id, ({ process }) => process?.status === 'COMPLETED')
      expect(orders()).toHaveLength(paid)
    },
  )
})

describe('GET /voices', () => {
  it('200: lists the voices of every vendor, then the built-in voices', async () => {
    const voices = await callApiOf<VoiceResource[]>(service.runtime, 'GET', '/voices')
    const ids = voices.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['polly-Joanna', 'eleven-21m00Tcm4TlvDq8ikWAM', 'en-clara']))
    expect(voices.find(({ id }) => id.startsWith('eleven-'))).toMatchObject({ provider: 'expressive' })
    const own = voices.find(({ name }) => name === 'Mine')!
    expect((await fetch(own.previewUrl!)).headers.get('content-type')).toBe('audio/mpeg')
  })
})

describe('a file that is uploaded without subtitles', () => {
  it('has the words that Transcribe recognised, which are bought once', async () => {
    const { runtime } = service
    transcriber.words = [
      { text: 'Fish', startMs: 500, endMs: 800 },
      { text: 'and', startMs: 800, endMs: 950 },
      { text: 'chips.', startMs: 1_000, endMs: 1_500 },
    ]
    transcriber.pending = 1
    await runFfmpeg({
      arguments: [
        ...['-v', 'error', '-f', 'lavfi', '-i', 'color=navy:s=180x320:r=30:d=2'],
        ...['-f', 'lavfi', '-i', "sine=frequency=440:duration=2,volume=0:enable='lt(t,0.5)+gt(t,1.5)'"],
        ...['-pix_fmt', 'yuv420p', '-y', 'plain.mp4'],
      ],
      ...{ directory: work, timeoutMs: 60_000 },
    })
    const file = await readFile(join(work, 'plain.mp4'))
    const wish = { fileName: 'plain.mp4', contentType: 'video/mp4', bytes: file.length }
    const { id, uploadUrl, headers } = await callApiOf<NewUploadResource>(runtime, 'POST', '/uploads', wish)
    await fetch(uploadUrl, { method: 'PUT', headers, body: file })
    const { videoId } = await received(id)
    await waitForVideo(runtime, videoId!, ({ process }) => process?.status === 'COMPLETED')
    const video = await callApiOf<VideoResource>(runtime, 'GET', `/videos/${videoId}?${include}`)
    expect(video.captions!.map((word) => [word.punctuated_word, word.startMs])).toEqual([
      ['Fish', 500],
      ['and', 800],
      ['chips.', 1_000],
    ])
    await callApiOf(runtime, 'POST', `/videos/${videoId}/process`, {})
    await waitForVideo(runtime, videoId!, ({ process }) => process?.status === 'COMPLETED')
    expect(transcriber.jobs).toHaveLength(1)
  })
})

async function received(id: string): Promise<UploadResource> {
  for (;;) {
    const told = await callApiOf<UploadResource>(service.runtime, 'GET', `/uploads/${id}`)
    if (told.status !== 'waiting') return told
    await delay(pollMs)
  }
}
