/** Warnings: probable typing errors are named, open names and echoed records are not, whatever the size of the body. */
import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import {
  createAutomation,
  createUpload,
  createVideo,
  describeVideo,
  editAutomation,
  listVideos,
  mergeConfig,
  replaceBRolls,
  replaceCaptions,
} from '../../lib/contract/routes.ts'
import { videoView } from '../../lib/contract/views/index.ts'
import { videoInputWith, videoThatIs } from '../domain/support/videos.ts'

const warningsFor = (row: Route, body: unknown, query: Record<string, string> = {}) =>
  parseRequest(row, { params: {}, query, body: JSON.stringify(body) }).warnings

const idea = { prompt: 'An idea' }
const page = { startMs: 0, endMs: 100 }

describe('a warning names', () => {
  it.each<[Route, unknown, string, string | undefined]>([
    [createVideo, { ...idea, aspectratio: '1:1' }, 'body.aspectratio', 'aspectRatio'],
    [createVideo, { ...idea, voice: 'en-clara' }, 'body.voice', 'voiceId'],
    [createVideo, { ...idea, render: true }, 'body.render', 'process.render'],
    [createVideo, { ...idea, subType: 'presentatoin' }, 'body.subType', 'presentation'],
    [createVideo, { ...idea, subType: 'ugc' }, 'body.subType', undefined],
    [createVideo, { brief: { ...idea, render: true } }, 'body.brief.render', 'process.render'],
    [createVideo, { brief: { ...idea, promt: 'x' } }, 'body.brief.promt', 'prompt'],
    [createVideo, { brief: { ...idea, mood: 'clam' } }, 'body.brief.mood', 'calm'],
    [createVideo, { ...idea, process: { rendr: true } }, 'body.process.rendr', 'render'],
    [createVideo, { ...idea, presenter: { avatar: 'x', place: 1 } }, 'body.presenter.avatar', 'avatarId'],
    [describeVideo, { promt: 'x' }, 'body.promt', 'prompt'],
    [createAutomation, { ...idea, languge: 'de' }, 'body.languge', 'language'],
    [mergeConfig, { captionsFontSize: 60, captionsEffect: 'popWord' }, 'body.captionsEffect', 'captionsWordEffects'],
    [mergeConfig, { config: { captionsFontSize: 60, layoutmode: 'x' } }, 'body.config.layoutmode', 'layoutMode'],
    [editAutomation, { status: 'paused', autorefill: true }, 'body.autorefill', 'autoRefill'],
    [replaceBRolls, [page, { ...page, keyword: ['x'] }], 'body.1.keyword', 'keywords'],
    [replaceBRolls, { bRolls: [{ ...page, mediatype: 'x' }] }, 'body.bRolls.0.mediatype', 'mediaType'],
    [replaceCaptions, { captionsPages: [{ ...page, hiden: true }] }, 'body.captionsPages.0.hiden', 'hidden'],
    [
      createUpload,
      { fileName: 'a.mp4', contentType: 'video/mp4', bytes: 1, process: { transcibe: true } },
      'body.process.transcibe',
      'transcribe',
    ],
  ])('%#: a probable typing error', (row, body, path, didYouMean) => {
    const warnings = warningsFor(row, body)
    expect(warnings).toEqual([{ path, message: expect.any(String), ...(didYouMean ? { didYouMean } : {}) }])
  })

  it('an unknown value or name of a filter', () => {
    expect(warningsFor(listVideos, undefined, { status: 'done', typ: 'ai' })).toMatchObject([
      { path: 'query.status', message: 'is ignored: it is none of draft, processing, rendering, ready, failed' },
      { path: 'query.typ', didYouMean: 'type' },
    ])
  })
})

describe('there is no warning', () => {
  it.each<[Route, unknown]>([
    [createVideo, { ...idea, colour: 'red', other: { deep: 1 } }],
    [createVideo, { ...idea, subType: 'product', mood: 'nostalgic', type: 'ai' }],
    [createVideo, { ...idea, subType: 'ugc', type: 'ai' }],
    [createVideo, JSON.parse('{"prompt": "x", "__proto__": 1, "constructor": 2}')],
  ])('%#: about open names and unknown keys that resemble nothing', (row, body) => {
    expect(warningsFor(row, body)).toEqual([])
  })

  it('about a record that was read and is sent back', () => {
    const input = videoInputWith({ title: 'Mine' })
    for (const video of [videoThatIs.queued(input), videoThatIs.generated(input)])
      expect(
        warningsFor(
          createVideo,
          videoView(video, (key) => `https://m.test/${key}`),
        ),
      ).toEqual([])
  })
})

it('warns at most 20 times, and takes time linear in the size of the body', () => {
  expect(warningsFor(createVideo, { ...idea, ...typos(100) })).toHaveLength(20)
  const bodyOf = (keys: number) => ({
    ...idea,
    ...Object.fromEntries(Array.from({ length: keys }, (_, index) => [`unknown${index}`, 1])),
  })
  const [small, large] = [1_000, 16_000].map((keys) => {
    const body = bodyOf(keys)
    const started = process.cpuUsage()
    warningsFor(createVideo, body)
    return process.cpuUsage(started).user / 1_000
  })
  // 16 times the keys; the constant absorbs a garbage collection.
  expect(large!).toBeLessThan(40 * small! + 200)
})

const typos = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`language${String(index).padStart(2, '0')}`, 1]))
