/** What a client probably meant: names, and the place of an error in JSON. */
import { describe, expect, it } from 'vitest'
import { jsonErrorIndex } from '../../lib/contract/json-error.ts'
import { nearMiss } from '../../lib/contract/near-miss.ts'
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import { createVideo, mergeConfig, publishVideo } from '../../lib/contract/routes.ts'
import { platforms } from '../../lib/domain/core/platform.ts'
import { themeConfig } from '../../lib/domain/records/theme.ts'
import { refusalOf } from '../support/refusals.ts'

const keys = Object.keys(themeConfig.entries)
const ids = platforms.map(({ id }) => id)

describe('the name that was meant', () => {
  it.each([
    ['aspectratio', ['prompt', 'aspectRatio'], 'aspectRatio'],
    ['voice', ['voiceId', 'videoDuration'], 'voiceId'],
    ['presentatoin', ['presentation', 'ugc'], 'presentation'],
    ['captionsEffect', keys, 'captionsWordEffects'],
    ['captionColor', ['captionsPrimaryColor'], 'captionsPrimaryColor'],
    ['x', ids, 'twitter'],
    ['TikTok', ids, 'tiktok'],
    ['instgram', ids, 'instagram'],
  ])('%s', (name, known, meant) => expect(nearMiss(name, known)).toBe(meant))

  it.each([
    ['colour', ['type', 'prompt', 'text']],
    ['to', ['ugc']],
    ['myspace', ids],
    ['__proto__', ids],
    ['a'.repeat(100_000), ids],
    ['prompt', ['prompt']],
  ])('is unknown: %.20s', (name, known) => expect(nearMiss(name, known)).toBeUndefined())
})

describe('invalid JSON is wrong at', () => {
  it.each([
    ['{"a": 1,}', 8],
    ["{'a': 1}", 1],
    ['{"a" 1}', 5],
    ['{"a": tru}', 6],
    ['[1, 2', 5],
    ['{"a": "b', 8],
    ['{"a": "\\x"}', 7],
    ['{"a": 01}', 6],
    ['{} {}', 3],
    ['[1 2]', 3],
    ['{"a": [1}', 8],
    ['{"a": "\n"}', 7],
    ['prompt=x', 0],
  ])('%j: %i', (text, index) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonErrorIndex(text)).toBe(index)
  })

  it('nothing, where it is valid', () => {
    const text = JSON.stringify({ a: [1, -2.5e-7, 'x"\\\u0001é', null, true, {}, []], '': false }, null, 2)
    expect(jsonErrorIndex(text)).toBe(text.length)
  })
})

describe('a refusal says', () => {
  const refusedBy = (row: Route, body: string) => refusalOf(() => parseRequest(row, { params: {}, query: {}, body }))!
  const messageOf = (body: string) => refusedBy(createVideo, body).message

  it('where the JSON is wrong', () => {
    expect(messageOf('{\n  "prompt": "x",\n}')).toBe('body is not valid JSON: unexpected "}" at line 3, column 1.')
    expect(messageOf('{"prompt": "x"')).toBe('body is not valid JSON: it ends too early, at line 1, column 15.')
  })

  it('how a file is sent', () => expect(messageOf('--x\r\nContent-Disposition: form-data')).toContain('POST /uploads'))

  it('which value was meant, and all valid ones', () => {
    const { details } = refusedBy(publishVideo, JSON.stringify({ platforms: ['x'] })).extras
    expect(details).toMatchObject([{ path: 'body.platforms.0', allowed: ids }])
    expect(details![0]!.message).toMatch(/^cannot be "x" \(did you mean twitter\?\): it must be one of tiktok, /)
  })

  it('which keys a config has', () => {
    const { message } = refusedBy(mergeConfig, JSON.stringify({ colour: 'red' }))
    for (const key of keys) expect(message).toContain(key)
  })
})
