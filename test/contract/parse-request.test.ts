/** Parsing of requests by route rows: what is accepted, what is refused, and which path a refusal names. */
import { describe, expect, it } from 'vitest'
import { bodyBytesMax, parseRequest } from '../../lib/contract/parse-request.ts'
import { createVideo, getVideo, listVideos, listVoices, renderVideo } from '../../lib/contract/routes.ts'
import { videoView } from '../../lib/contract/views/index.ts'
import type { VideoInput } from '../../lib/domain/videos/create-video.ts'
import { briefWith, videoInputWith, videoThatIs } from '../domain/support/videos.ts'
import { parseRow, refusalOfRow } from './parse-request.ts'

const wishOf = (body: unknown) => parseRow(createVideo, { body }).body as VideoInput
const detailsOf = (body: unknown) => refusalOfRow(createVideo, { body })?.details
const pathsOf = (body: unknown) => detailsOf(body)?.map(({ path }) => path)

describe('POST /videos accepts', () => {
  it('a prompt alone, and fills in the defaults', () => {
    expect(wishOf({ prompt: 'An idea' })).toEqual(videoInputWith())
  })

  it('fields flat or nested, and nested ones take precedence', () => {
    const flat = { prompt: 'flat', aspectRatio: '16:9', language: 'de' }
    expect(wishOf({ ...flat, brief: { prompt: 'nested', aspectRatio: '1:1' } }).brief).toMatchObject({
      prompt: 'nested',
      aspectRatio: '1:1',
      language: 'de',
    })
    expect(wishOf({ brief: { prompt: 'x', type: 'ai', subType: 'ugc', process: { render: true } } })).toMatchObject({
      type: 'ai',
      subType: 'ugc',
      process: { transcribe: true, addBRolls: true, render: true },
    })
  })

  it('a video that was read, and creates the same one again', () => {
    const input = videoInputWith({
      title: 'Mine',
      mood: 'inspiring',
      subType: 'generic',
      brief: briefWith({ text: 'A script.', presenter: { name: 'Ann', occurrences: 2 } }),
    })
    for (const video of [videoThatIs.queued(input), videoThatIs.generated(input)])
      expect(wishOf(videoView(video, (key) => `https://m.test/${key}`))).toEqual(input)
  })

  it('null as absent, in every field', () => {
    const nothing = Object.fromEntries(
      [...Object.keys(briefWith()), 'type', 'subType', 'title', 'mood', 'process', 'isAutomation', 'brief'].map(
        (name) => [name, null],
      ),
    )
    expect(wishOf({ ...nothing, prompt: 'An idea' })).toEqual(videoInputWith())
  })

  it('unknown keys, and ignores them', () => {
    expect(wishOf({ prompt: 'An idea', colour: 'red', render: { status: 5 }, brief: { other: 1 } })).toEqual(
      videoInputWith(),
    )
  })

  it('a voice, and derives its provider from it', () => {
    expect(wishOf({ prompt: 'x', voiceId: 'de-jonas' }).brief).toMatchObject({
      voiceId: 'de-jonas',
      voiceProvider: 'standard',
    })
    expect(wishOf({ prompt: 'x', language: 'fr' }).brief.voiceId).toBe('fr-elise')
  })
})

describe('POST /videos refuses', () => {
  it.each([
    [{}],
    [{ prompt: '' }],
    [{ prompt: ' \n' }],
    [{ text: ' ' }],
    [{ brief: {} }],
    [{ prompt: 'x', brief: { prompt: null } }],
  ])('a brief without an idea or a script: %j', (body) =>
    expect(refusalOfRow(createVideo, { body })).toMatchObject({ code: 'invalid-request' }),
  )

  it.each([
    ['prompt', 5],
    ['type', 'video'],
    ['subType', 'a b'],
    ['subType', 'x'.repeat(41)],
    ['title', ' '],
    ['mood', ''],
    ['videoDuration', 'long'],
    ['aspectRatio', '2:1'],
    ['inputMode', 'other'],
    ['language', 'xx'],
    ['imageStyle', 'oil'],
    ['voiceId', 'nobody'],
    ['voiceProvider', 'premium'],
    ['showSubtitles', 'yes'],
    ['connectedBRolls', 1],
    ['targetDuration', 0],
    ['targetDuration', 601],
    ['characterImageUrl', 'ftp://x.test/a'],
    ['presentationAssets', {}],
    ['isAutomation', true],
    ['process', 'now'],
  ])('a malformed %s (%j), and names its flat or nested path', (name, value) => {
    expect(pathsOf({ prompt: 'x', [name]: value })).toContain(`body.${name}`)
    expect(pathsOf({ brief: { prompt: 'x', [name]: value } })).toContain(`body.brief.${name}`)
  })

  it('an error inside a field, with its full path', () => {
    expect(pathsOf({ prompt: 'x', presenter: { occurrences: 0 }, process: { render: 'yes' } })).toEqual([
      'body.process.render',
      'body.presenter.occurrences',
    ])
    expect(
      pathsOf({
        brief: { prompt: 'x', presentationAssets: [{ type: 'image', url: 'https://x.test' }, { type: 'image' }] },
      }),
    ).toEqual(['body.brief.presentationAssets.1.url'])
  })

  it('a value outside its list, and names the valid ones', () => {
    expect(detailsOf({ prompt: 'x', aspectRatio: '2:1' })).toMatchObject([
      { path: 'body.aspectRatio', allowed: ['9:16', '16:9', '1:1', '4:5'] },
    ])
  })

  it('a fraction instead of an integer, and a URL that is too long, with the reason', () => {
    const messageOf = (presenter: object) => detailsOf({ prompt: 'x', presenter })![0]!.message
    expect(messageOf({ occurrences: 1.5 })).toBe('must be a whole number')
    expect(messageOf({ imageUrl: `https://x.test/${'a'.repeat(2048)}` })).toBe('must be at most 2048 characters long')
  })

  it('a blueprint, and names the endpoint that creates blueprints', () => {
    expect(detailsOf({ prompt: 'x', isAutomation: true })![0]!.message).toContain('POST /automations')
  })

  it('an array instead of an object', () => {
    for (const body of [[], { prompt: 'x', presenter: [] }, { prompt: 'x', process: [] }])
      expect(refusalOfRow(createVideo, { body })).toMatchObject({ code: 'invalid-request' })
  })

  it('a brief that is not an object', () => {
    for (const brief of ['text', 5, [], true]) expect(pathsOf({ prompt: 'x', brief })).toEqual(['body.brief'])
  })

  it('a provider that has no voice of the brief', () => {
    expect(pathsOf({ prompt: 'x', voiceId: 'en-clara', voiceProvider: 'expressive' })).toEqual(['body.voiceProvider'])
    expect(pathsOf({ prompt: 'x', voiceProvider: 'expressive' })).toEqual(['body.voiceProvider'])
  })

  it('invalid JSON', () => {
    expect(() => parseRequest(createVideo, { params: {}, query: {}, body: '{"prompt":' })).toThrow(
      'body is not valid JSON',
    )
  })

  it('several errors at once, and names all of them', () => {
    expect(pathsOf({ type: 'x', mood: '', brief: { language: 'xx' } })?.toSorted()).toEqual([
      'body.brief.language',
      'body.mood',
      'body.type',
    ])
  })
})

it.each([
  [bodyBytesMax, true],
  [bodyBytesMax + 1, false],
])('a body of %i bytes, not characters, is accepted: %s', (bytes, taken) => {
  const text = JSON.stringify({ prompt: 'é'.repeat(1_000) })
  const body = text + ' '.repeat(bytes - Buffer.byteLength(text))
  const parse = () => parseRequest(createVideo, { params: {}, query: {}, body })
  if (taken) expect(parse).not.toThrow()
  else expect(parse).toThrow('must be at most')
})

describe('GET /videos', () => {
  const queryOf = (query: Record<string, string>) => parseRow(listVideos, { query }).query
  const isTaken = (query: Record<string, string>) => refusalOfRow(listVideos, { query }) === undefined

  it('reads 50 from the beginning by default', () => {
    expect(queryOf({})).toMatchObject({ limit: 50, offset: 0 })
    expect(queryOf({ limit: '7', offset: '14' })).toMatchObject({ limit: 7, offset: 14 })
  })

  it.each([
    ['limit', ['1', '2', '99', '100'], ['0', '101', '-1', '1.5', 'x', '', '1e1', ' 5', '1,2']],
    ['offset', ['0', '1', '100000'], ['-1', '0.5', 'x', '']],
    ['search', ['', 'x'.repeat(99), 'x'.repeat(100)], ['x'.repeat(101)]],
    ['subType', ['', 'x'.repeat(39), 'x'.repeat(40)], ['x'.repeat(41)]],
  ])('accepts %s up to its limits and refuses it beyond', (name, taken, refusedValues) => {
    expect(taken.filter((value) => !isTaken({ [name]: value }))).toEqual([])
    expect(refusedValues.filter((value) => isTaken({ [name]: value }))).toEqual([])
    expect(refusalOfRow(listVideos, { query: { [name]: refusedValues[0]! } })).toMatchObject({
      code: 'invalid-request',
      details: [{ path: `query.${name}` }],
    })
  })

  it('ignores an unknown type or status, and any other parameter', () => {
    expect(queryOf({ type: 'film', status: 'gone', include: 'captions' })).toEqual({ limit: 50, offset: 0 })
    expect(queryOf({ type: 'ai', status: 'ready' })).toMatchObject({ type: 'ai', status: 'ready' })
  })
})

describe('GET /videos/{id}', () => {
  const includeOf = (include?: string) =>
    parseRow(getVideo, { params: { id: 'vid_1' }, query: include === undefined ? {} : { include } }).query

  it('includes the requested parts, and drops unknown names', () => {
    expect(includeOf()).toEqual({ include: [] })
    expect(includeOf('captions,bRolls')).toEqual({ include: ['captions', 'bRolls'] })
    expect(includeOf('scenes, captions ,secrets,,captions,CAPTIONS')).toEqual({ include: ['captions', 'scenes'] })
  })

  it.each(['', 'a-b', 'a b', '../x', 'é', 'x'.repeat(65)])('treats a malformed id as not found: "%s"', (id) => {
    expect(refusalOfRow(getVideo, { params: { id } })).toMatchObject({ code: 'not-found' })
  })
})

it('GET /voices accepts any provider and language', () => {
  expect(parseRow(listVoices, { query: { provider: 'x', language: 'y' } }).query).toEqual({
    provider: 'x',
    language: 'y',
  })
})

it('POST /videos/{id}/render needs no body, and ignores one', () => {
  expect(parseRow(renderVideo, { params: { id: 'vid_1' }, body: { any: 'thing' } })).toMatchObject({
    params: { id: 'vid_1' },
    body: undefined,
  })
})
