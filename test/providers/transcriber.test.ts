import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { amazonTranscriber } from '../../lib/providers/transcriber/amazon-transcribe.ts'
import { parseTranscribeResult } from '../../lib/providers/transcriber/amazon-transcribe-result.ts'
import { passagesOf } from '../../lib/providers/transcriber/passages.ts'
import { wordsOfSubtitles } from '../../lib/providers/transcriber/subtitles.ts'
import { parseWebVtt, wordsOfCues } from '../../lib/providers/transcriber/webvtt.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'
import { awsJsonError, type FakeTranscribe, startFakeTranscribe } from '../support/fake-vendors/transcribe.ts'
import { orderDepsFor, removeScratch } from '../support/provider-orders.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

describe('the subtitles of a file', () => {
  it('are read cue by cue in the order of time, without markup', () => {
    const file = [
      'WEBVTT\n',
      'NOTE nobody says this\n',
      'second\n01:00:02.000 --> 01:00:03.500 align:start\n{\\an8}Fish &amp; chips,\nplease\n',
      '00:01.000 --> 00:02.000\r\n<v Ann><i>Good  morning</i>\r\n',
      '00:05.000 --> 00:05.000\nno time\n',
      '00:06.000 --> 00:07.000\n \n',
    ].join('\n')
    expect(parseWebVtt(file)).toEqual([
      { startMs: 1_000, endMs: 2_000, text: 'Good morning' },
      { startMs: 3_602_000, endMs: 3_603_500, text: 'Fish & chips, please' },
    ])
    expect(parseWebVtt('')).toEqual([])
  })

  it('divide the time of their cue among its words', () => {
    expect(wordsOfCues([{ startMs: 1_000, endMs: 2_000, text: '– ab cdef, gh ♪' }])).toEqual([
      { text: 'ab', startMs: 1_000, endMs: 1_222 },
      { text: 'cdef,', startMs: 1_222, endMs: 1_778 },
      { text: 'gh', startMs: 1_778, endMs: 2_000 },
    ])
  })

  it('never have two words at once', () => {
    const cues = [
      { startMs: 0, endMs: 1_000, text: 'one' },
      { startMs: 500, endMs: 900, text: 'inside' },
      { startMs: 800, endMs: 1_500, text: 'two' },
    ]
    expect(wordsOfCues(cues)).toEqual([
      { text: 'one', startMs: 0, endMs: 1_000 },
      { text: 'two', startMs: 1_000, endMs: 1_500 },
    ])
  })
})

describe('the passages of a sound', () => {
  const sampleRate = 8_000
  /** Levels in dBFS, each for so many milliseconds. */
  const sound = (...parts: [milliseconds: number, level: number][]) =>
    Int16Array.from(
      parts.flatMap(([milliseconds, level]) =>
        Array.from({ length: (milliseconds * sampleRate) / 1000 }, (_, at) =>
          Math.round(32_767 * 10 ** (level / 20) * Math.sin(at)),
        ),
      ),
    )

  it('begin and end at audible sound; a breath does not split them, a pause does', () => {
    const spoken = sound([500, -80], [1_000, -20], [200, -80], [300, -20], [600, -80], [400, -20], [500, -80])
    expect(passagesOf(spoken, sampleRate)).toEqual([
      { startMs: 500, endMs: 2_000 },
      { startMs: 2_600, endMs: 3_000 },
    ])
  })

  it('are separated from constant noise', () => {
    expect(passagesOf(sound([2_000, -40], [1_000, -12], [2_000, -40]), sampleRate)).toEqual([
      { startMs: 2_000, endMs: 3_000 },
    ])
  })

  it('are one if it is never quiet, and none in silence or a click', () => {
    expect(passagesOf(sound([3_000, -20]), sampleRate)).toEqual([{ startMs: 0, endMs: 3_000 }])
    expect(passagesOf(sound([3_000, -90]), sampleRate)).toEqual([])
    expect(passagesOf(sound([1_000, -90], [100, -10], [1_000, -90]), sampleRate)).toEqual([])
    expect(passagesOf(new Int16Array(0), sampleRate)).toEqual([])
  })
})

const directory = temporaryDirectoryOfFile()

it('the words of a file are those of its subtitles', async () => {
  writeFileSync(join(directory, 'words.srt'), '1\n00:00:00,100 --> 00:00:01,000\nFish and chips\n')
  const context = { directory, timeoutMs: 20_000, signal: new AbortController().signal }
  const parts = ['-v', 'error', '-f', 'srt', '-i', 'words.srt', '-c:s', 'mov_text', '-y', 'film.mp4']
  await runFfmpeg({ arguments: parts, ...context })
  const words = await wordsOfSubtitles({ path: join(directory, 'film.mp4'), demuxer: 'mov' }, context)
  expect(words.map(({ text }) => text)).toEqual(['Fish', 'and', 'chips'])
})

afterEach(removeScratch)

const spoken = ['Fish', 'and', 'chips,', 'please.', 'Now!'].map((text, index) => ({
  text,
  startMs: 300 * index,
  endMs: 300 * index + 250,
}))

describe('Transcribe, against a stand-in', () => {
  let vendor: FakeTranscribe
  const bucket = new Map<string, Buffer>()
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const noted: string[] = []
  const make = () =>
    amazonTranscriber({
      ...{ endpoint: vendor.url, region: 'us-east-1', credentials, bucket: 'media' },
      read: async (key) => bucket.get(key)!,
      reportFailure: (_, reason) => noted.push(reason),
    })

  /** A sound that was not requested before: each call is an invocation of its step. */
  function newRequest() {
    const recording = { soundKey: `wsp_1/vid_1/narrations/${next++}.wav`, passages: [{ startMs: 0, endMs: 1_500 }] }
    const makeOnce = () => Promise.reject(new Error('Transcribe needs no parts.'))
    const context = { ...orderDepsFor(), makeOnce }
    return () => make().transcribe(recording, context)
  }
  let next = 0
  const pending = { name: 'ProviderBusy', message: 'Transcribe is still processing this.' }

  beforeAll(async () => {
    vendor = await startFakeTranscribe(async (key, body) => void bucket.set(key, body))
    vendor.words = spoken
  })
  afterAll(() => vendor.stop())
  beforeEach(() => {
    Object.assign(vendor, { pending: 2, failure: undefined, fault: null })
    vendor.jobs.length = 0
  })

  it('is polled once by each invocation; the last one gets every word with its punctuation and its time', async () => {
    const invoke = newRequest()
    for (const _ of [1, 2]) await expect(invoke()).rejects.toMatchObject(pending)
    expect(await invoke()).toEqual(spoken)
    expect(vendor.jobs).toHaveLength(1)
  })

  it('is not paid again by an invocation whose predecessor did not learn that its job had started', async () => {
    const recording = { soundKey: 'wsp_1/vid_1/narrations/lost.wav', passages: [{ startMs: 0, endMs: 1_500 }] }
    const place = { ...orderDepsFor(), makeOnce: () => Promise.reject(new Error('No parts.')) }
    const recordPlaced = () => Promise.reject(new Error('The invocation has ended.'))
    const lost = { ...place, orderLog: { ...place.orderLog, recordPlaced } }
    vendor.pending = 0
    await expect(make().transcribe(recording, lost)).rejects.toThrow('has ended')
    expect(await make().transcribe(recording, place)).toEqual(spoken)
    expect(vendor.jobs).toHaveLength(1)
  })

  it('that cannot read the sound reports the reason only to the operator', async () => {
    Object.assign(vendor, { pending: 0, failure: 'The role arn:aws:iam::123456789012:role/x may not read s3://media' })
    await expect(newRequest()()).rejects.toMatchObject({
      name: 'ProviderRejected',
      message: 'Transcribe cannot transcribe this file.',
    })
    expect(noted).toEqual([vendor.failure])
  })

  it('that failed is asked again by the next request: its next job has another name', async () => {
    const invoke = newRequest()
    Object.assign(vendor, { pending: 0, failure: 'Internal failure' })
    for (const _ of [1, 2]) await expect(invoke()).rejects.toThrow('cannot transcribe')
    vendor.failure = undefined
    expect(await invoke()).toEqual(spoken)
    expect(new Set(vendor.jobs).size).toBe(3)
  })

  it('is polled further after a failed poll', async () => {
    const invoke = newRequest()
    vendor.pending = 0
    vendor.faults = [null, awsJsonError('LimitExceededException').answer]
    await expect(invoke()).rejects.toMatchObject(pending)
    vendor.faults = [awsJsonError('InternalFailureException', 'x', 500).answer]
    await expect(invoke()).rejects.toMatchObject(pending)
    expect(await invoke()).toEqual(spoken)
    expect(vendor.jobs).toHaveLength(1)
  })

  it.each([
    ['busy', awsJsonError('LimitExceededException'), 'ProviderBusy', true],
    ['at fault', awsJsonError('InternalFailureException', 'x', 500), 'ProviderBusy', true],
    ['without a key that it takes', awsJsonError('UnrecognizedClientException'), 'AccountExpired', false],
    ['of another mind', awsJsonError('BadRequestException'), 'ProviderRejected', false],
  ])('that is %s fails by name, and is asked again only where that helps', async (_, refusal, name, isAskedAgain) => {
    vendor.fault = refusal.answer
    const failure = await newRequest()().catch((error: Error) => error)
    expect(failure).toMatchObject({ name })
    expect(failure instanceof OrderPending).toBe(isAskedAgain)
  })

  it('whose result is missing or incomplete is refused', () => {
    for (const text of ['', '{', '{}', '{"results":{"items":[{"type":"pronunciation"}]}}'])
      expect(() => parseTranscribeResult(Buffer.from(text))).toThrow('unexpected result')
    expect(parseTranscribeResult(Buffer.from('{"results":{"items":[]}}'))).toEqual([])
  })
})
