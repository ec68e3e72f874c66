import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { amazonTranscriber } from '../../lib/providers/transcriber/amazon-transcribe.ts'
import { parseTranscribeResult } from '../../lib/providers/transcriber/amazon-transcribe-result.ts'
import { builtInTranscriber } from '../../lib/providers/transcriber/built-in.ts'
import type { Recording } from '../../lib/providers/transcriber/index.ts'
import { passagesOf } from '../../lib/providers/transcriber/passages.ts'
import { parseWebVtt, wordsOfCues } from '../../lib/providers/transcriber/webvtt.ts'
import { synthesizeTones } from '../support/fake-vendors/tones.ts'
import { awsJsonError, type FakeTranscribe, startFakeTranscribe } from '../support/fake-vendors/transcribe.ts'
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

const spoken = synthesizeTones('Fish and chips, please. Now!', 16_000)
const heard = spoken.tones.map(({ startMs, endMs }, index) => {
  const text = ['Fish', 'and', 'chips,', 'please.', 'Now!'][index]!
  return { text, startMs, endMs }
})
const recordingOf = (fields: Partial<Recording> = {}): Recording => ({
  path: join(directory, 'film.mp4'),
  demuxer: 'mov',
  hasSubtitles: false,
  sampleRate: 16_000,
  samples: spoken.samples,
  soundKey: 'wsp_1/vid_1/narrations/0123456789abcdef.wav',
  ffmpeg: { directory, signal: new AbortController().signal, timeoutMs: 20_000 },
  ...fields,
})

describe('the built-in transcriber', () => {
  it('invents no words', async () => {
    const { words, passages } = await builtInTranscriber.transcribe(recordingOf())
    expect(words).toEqual([])
    expect(passages).toHaveLength(1)
  })
})

describe('Transcribe, against a stand-in', () => {
  let vendor: FakeTranscribe
  const bucket = new Map<string, Buffer>()
  let waits = 0
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const make = (read = async (key: string): Promise<Uint8Array> => bucket.get(key)!) =>
    amazonTranscriber({
      ...{ endpoint: vendor.url, region: 'us-east-1', credentials, bucket: 'media', read },
      wait: async (_, signal) => {
        signal.throwIfAborted()
        waits++
      },
      reportFailure: (_, reason) => noted.push(reason),
    })
  const noted: string[] = []
  let next = 0
  /** A sound that was not requested before. */
  const newRecording = (fields: Partial<Recording> = {}) =>
    recordingOf({ soundKey: `wsp_1/vid_1/narrations/${next++}.wav`, ...fields })

  beforeAll(async () => {
    vendor = await startFakeTranscribe(async (key, body) => void bucket.set(key, body))
    vendor.words = heard
  })
  afterAll(() => vendor.stop())
  beforeEach(() => {
    Object.assign(vendor, { pending: 2, failure: undefined, fault: null })
    vendor.jobs.length = 0
    waits = 0
  })

  it('gives every word with its punctuation and its time, in order', async () => {
    const { words, passages } = await make().transcribe(newRecording())
    expect(words).toEqual(heard)
    expect(passages).toHaveLength(1)
    expect(waits).toBe(2)
    expect(vendor.jobs).toHaveLength(1)
  })

  it('is not paid again by a task that restarts', async () => {
    const recording = newRecording()
    vendor.pending = 10_000
    const gone = new AbortController()
    gone.abort(new Error('The task has ended.'))
    const ended = { ...recording, ffmpeg: { ...recording.ffmpeg, signal: gone.signal } }
    await expect(make().transcribe(ended)).rejects.toThrow('has ended')
    vendor.pending = 0
    expect((await make().transcribe(recording)).words).toEqual(heard)
    expect((await make().transcribe(recording)).words).toEqual(heard)
    expect(vendor.jobs).toHaveLength(1)
  })

  it('is not called for silence, or if there are subtitles', async () => {
    expect((await make().transcribe(newRecording({ samples: new Int16Array(16_000) }))).words).toEqual([])
    writeFileSync(join(directory, 'words.srt'), '1\n00:00:00,100 --> 00:00:01,000\nFish and chips\n')
    await runFfmpeg({
      arguments: ['-v', 'error', '-f', 'srt', '-i', 'words.srt', '-c:s', 'mov_text', '-y', 'film.mp4'],
      ...{ directory, timeoutMs: 20_000 },
    })
    const told = await make().transcribe(newRecording({ hasSubtitles: true }))
    expect(told.words.map(({ text }) => text)).toEqual(['Fish', 'and', 'chips'])
    expect(vendor.jobs).toEqual([])
  })

  it('that is still running after ten minutes is polled again by another task', async () => {
    vendor.pending = 10_000
    await expect(make().transcribe(newRecording())).rejects.toMatchObject({ name: 'ProviderBusy' })
    expect(waits).toBeGreaterThan(100)
  })

  it('that cannot read the sound reports the reason only to the operator', async () => {
    vendor.failure = 'The role arn:aws:iam::123456789012:role/x may not read s3://media'
    await expect(make().transcribe(newRecording())).rejects.toMatchObject({
      name: 'ProviderRejected',
      message: 'Transcribe cannot transcribe this file.',
    })
    expect(noted).toEqual([vendor.failure])
  })

  it('that failed may be retried: its next job has another name', async () => {
    const recording = newRecording()
    vendor.failure = 'Internal failure'
    for (const _ of [1, 2]) await expect(make().transcribe(recording)).rejects.toThrow('cannot transcribe')
    vendor.failure = undefined
    // Failed jobs stay failed.
    vendor.failed.push(...vendor.jobs)
    expect((await make().transcribe(recording)).words).toEqual(heard)
    expect((await make().transcribe(recording)).words).toEqual(heard)
    expect(vendor.jobs).toHaveLength(3)
    expect(new Set(vendor.jobs).size).toBe(3)
  })

  it('is polled further after a failed poll', async () => {
    vendor.faults = [
      null,
      awsJsonError('LimitExceededException').answer,
      awsJsonError('InternalFailureException', 'x', 500).answer,
    ]
    expect((await make().transcribe(newRecording())).words).toEqual(heard)
    expect(vendor.jobs).toHaveLength(1)
  })

  it.each([
    ['busy', awsJsonError('LimitExceededException'), 'ProviderBusy'],
    ['at fault', awsJsonError('InternalFailureException', 'x', 500), 'ProviderBusy'],
    ['without a key that it takes', awsJsonError('UnrecognizedClientException'), 'AccountExpired'],
    ['of another mind', awsJsonError('BadRequestException'), 'ProviderRejected'],
  ])('that is %s fails by name', async (_, refusal, name) => {
    vendor.fault = refusal.answer
    await expect(make().transcribe(newRecording())).rejects.toMatchObject({ name })
  })

  it('whose result is missing or incomplete is refused', () => {
    for (const text of ['', '{', '{}', '{"results":{"items":[{"type":"pronunciation"}]}}'])
      expect(() => parseTranscribeResult(Buffer.from(text))).toThrow('unexpected result')
    expect(parseTranscribeResult(Buffer.from('{"results":{"items":[]}}'))).toEqual([])
  })
})
