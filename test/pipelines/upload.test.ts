import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewUploadResource, UploadResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import { type ApiCredentials, callApiOf, pollMs, temporaryDataDirectory, waitForVideo } from './service-process.ts'
import { eventTypesOf, newApiClient } from './shared-service.ts'

const { directory: work, remove } = temporaryDataDirectory()
let client: Awaited<ReturnType<typeof newApiClient>>

beforeAll(async () => {
  client = await newApiClient()
})
afterAll(remove)

const ffmpeg = (...words: string[]) => runFfmpeg({ directory: work, timeoutMs: 60_000, arguments: words })
const source = (name: string) => ['-f', 'lavfi', '-i', name]

/** A picture that marks time: black, then white from the given second on. */
const steps = (seconds: number, at: number, size: string, rate: number) =>
  source(`color=black:s=${size}:r=${rate}:d=${seconds},drawbox=c=white:t=${size.split('x')[0]}:enable='gte(t,${at})'`)
/** A tone that begins at the given second. */
const tone = (seconds: number, at: number) =>
  source(`sine=frequency=440:sample_rate=44100:duration=${seconds},volume=0:enable='lt(t,${at})'`)

const subtitles = `1
00:00:00,500 --> 00:00:01,500
<i>Calm mornings</i>

2
00:00:01,600 --> 00:00:02,600
begin in the evening.
`

async function upload(
  client: ApiCredentials,
  name: string,
  { contentType = 'video/mp4', ...more }: Record<string, unknown> = {},
): Promise<UploadResource> {
  const file = await readFile(join(work, name))
  const body = { fileName: name, contentType, bytes: file.length, ...more }
  const { id, uploadUrl, headers } = await callApiOf<NewUploadResource>(client, 'POST', '/uploads', body)
  const response = await fetch(uploadUrl, { method: 'PUT', headers, body: file })
  expect(response.status).toBe(200)
  for (let waited = 0; waited < 60_000; waited += pollMs) {
    const told = await callApiOf<UploadResource>(client, 'GET', `/uploads/${id}`)
    if (told.status !== 'waiting') return told
    await delay(pollMs)
  }
  throw new Error(`The upload ${id} was not received.`)
}

const videoOf = (client: ApiCredentials, { videoId }: UploadResource, status: string) =>
  waitForVideo(client, videoId!, (video) => video.status === status)

async function fetched(address: string | null, name: string): Promise<string> {
  const path = join(work, name)
  writeFileSync(path, Buffer.from(await (await fetch(address!)).arrayBuffer()))
  return path
}

/** The mean brightness of each frame of a render, 0 to 255. */
async function brightness(path: string): Promise<number[]> {
  const { output } = await ffmpeg('-v', 'error', '-i', path, '-vf', 'scale=1:1,format=gray', '-f', 'rawvideo', 'pipe:1')
  return [...output]
}

describe('a file that is uploaded', () => {
  it('becomes a render with its picture, its sound and its words in sync', async () => {
    writeFileSync(join(work, 'words.srt'), subtitles)
    await ffmpeg(
      ...['-v', 'error', ...steps(3, 2, '361x203', 25), ...tone(3, 1), '-i', 'words.srt'],
      ...['-pix_fmt', 'yuv444p', '-c:s', 'mov_text', '-y', 'odd.mp4'],
    )
    const received = await upload(client, 'odd.mp4', { title: 'Odd', process: { render: true } })
    expect(received).toMatchObject({ status: 'received', error: null })
    const video = await videoOf(client, received, 'ready')
    expect(video).toMatchObject({ type: 'video', title: 'Odd', durationSeconds: 3, process: { status: 'COMPLETED' } })

    const film = await fetched(video.media.renderUrl, 'film.mp4')
    const facts = await probeMedia(film, 'mov', { directory: work, timeoutMs: 60_000 })
    expect(facts).toMatchObject({ video: { width: 1080, height: 1920, fps: 30 }, audio: { codec: 'aac' } })
    expect(Math.abs(facts.durationMs! - 3_000)).toBeLessThan(60)
    const frames = await brightness(film)
    expect(frames).toHaveLength(90)
    expect(frames.findIndex((level) => level > 128)).toBeGreaterThanOrEqual(59)
    expect(frames.findIndex((level) => level > 128)).toBeLessThanOrEqual(61)
    expect(frames.slice(62).every((level) => level > 128)).toBe(true)

    const { samples, sampleRate } = parseWav(await readFile(await fetched(video.media.audioUrl, 'sound.wav')))
    expect(samples.length / sampleRate).toBeCloseTo(3, 3)
    const first = samples.findIndex((sample) => Math.abs(sample) > 1_000) / sampleRate
    expect(first).toBeGreaterThan(0.95)
    expect(first).toBeLessThan(1.05)

    const include = 'include=captions,captionsPages,bRolls'
    const full = await callApiOf<VideoResource>(client, 'GET', `/videos/${video.id}?${include}`)
    expect(full.captions!.map(({ punctuated_word, startMs }) => [punctuated_word, startMs])).toEqual([
      ['Calm', 500],
      ['mornings', 833],
      ['begin', 1_600],
      ['in', 1_878],
      ['the', 1_989],
      ['evening.', 2_156],
    ])
    expect(full.captionsPages!.length).toBeGreaterThan(0)
    expect(full.bRolls).toEqual([])
    expect((await fetch(video.media.thumbnailUrl!)).headers.get('content-type')).toBe('image/jpeg')
    expect(await eventTypesOf(client)).toEqual([
      'video.created',
      'video.generation_completed',
      'video.render_completed',
    ])
  })

  it('is shown without re-timing if its frames fit, turned upright, and without words if it has none', async () => {
    await ffmpeg('-v', 'error', ...steps(3, 2.5, '320x180', 30), '-pix_fmt', 'yuv420p', '-y', 'plain.mp4')
    const plain = await upload(client, 'plain.mp4')
    const video = await videoOf(client, plain, 'draft')
    expect(video).toMatchObject({ title: 'plain', durationSeconds: 3, media: { captionsUrl: null, renderUrl: null } })
    expect(await readFile(await fetched(video.media.sourceUrl, 'shown.mp4'))).toEqual(
      await readFile(join(work, 'plain.mp4')),
    )
    const { samples } = parseWav(await readFile(await fetched(video.media.audioUrl, 'silence.wav')))
    expect(samples.every((sample) => sample === 0)).toBe(true)

    // Longer than a segment: the later ones begin in the middle of the source.
    await callApiOf(client, 'PATCH', `/videos/${video.id}`, { aspectRatio: '1:1' })
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    const { media } = await videoOf(client, plain, 'ready')
    const frames = await brightness(await fetched(media.renderUrl, 'plain-film.mp4'))
    expect(frames).toHaveLength(90)
    expect(frames.findIndex((level) => level > 128)).toBe(75)
    expect(frames.at(-1)).toBeGreaterThan(128)

    await ffmpeg('-v', 'error', '-i', 'plain.mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90', '-y', 'turned.mp4')
    const turned = await videoOf(client, await upload(client, 'turned.mp4'), 'draft')
    const upright = await fetched(turned.media.sourceUrl, 'upright.mp4')
    const { video: picture } = await probeMedia(upright, 'mov', { directory: work, timeoutMs: 60_000 })
    expect(picture).toMatchObject({ width: 180, height: 320 })
    expect(picture).not.toHaveProperty('isRotated')
  })

  it('fails if it cannot be read, or is longer than the plan allows', async () => {
    const client = await newApiClient('free')
    const failure = async (name: string, contentType = 'video/mp4') => {
      const { videoId } = await upload(client, name, { contentType })
      for (;;) {
        const { status, process } = await callApiOf<VideoResource>(client, 'GET', `/videos/${videoId}`)
        if (status === 'failed') return process!.error
        expect(status).toBe('processing')
        await delay(pollMs)
      }
    }
    writeFileSync(join(work, 'broken.mp4'), Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(999)]))
    await ffmpeg('-v', 'error', ...tone(1, 0), '-c:a', 'aac', '-y', 'sound.mp4')
    await ffmpeg('-v', 'error', ...steps(61, 60, '64x64', 5), '-y', 'long.mp4')
    // Through a pipe, as browsers record: the file does not contain its duration.
    const { output } = await ffmpeg('-v', 'error', '-i', 'long.mp4', '-c:v', 'libvpx', '-f', 'webm', 'pipe:1')
    writeFileSync(join(work, 'recorded.webm'), output)
    const [broken, sound, long, recorded] = await Promise.all([
      failure('broken.mp4'),
      failure('sound.mp4'),
      failure('long.mp4'),
      failure('recorded.webm', 'video/webm'),
    ])
    expect(broken).toMatchObject({
      code: 'transcription-failed',
      message: 'The source file cannot be read as a video.',
      blocked: false,
    })
    expect(sound).toMatchObject({ message: 'The source file has no readable video stream.' })
    for (const tooLong of [long, recorded])
      expect(tooLong).toMatchObject({ code: 'warning-plan-duration', blocked: true, action: 'upgrade' })
  })
})
