/** Captions as the platforms count and encode them. */
import { describe, expect, it } from 'vitest'
import { facetsOf } from '../../../lib/platforms/bluesky/facets.ts'
import { recordKey } from '../../../lib/platforms/bluesky/record-key.ts'
import { graphemeCount, utf8ByteLength, weightedLength } from '../../../lib/platforms/caption-length.ts'
import { littleText } from '../../../lib/platforms/linkedin/little-text.ts'

const family = '👨‍👩‍👧‍👦'

describe('the text length on X', () => {
  // Lengths from https://github.com/twitter/twitter-text/blob/master/conformance/validate.yml
  it.each([
    ['This is a test.', 15],
    ['http://test.com', 23],
    ['https://test.com', 23],
    ['test.com', 23],
    ['Test https://test.com test https://test.com test.com test', 86],
    ['Hi http://test.co', 26],
    ['저찀쯿쿿', 8],
    ['😷👾😡🔥💩', 10],
    [`H🐱☺${family}`, 7],
    ['🙋🏽👨‍🎤', 4],
    ['A\u0301B', 2],
    ['A\ufb2c', 4],
    ['randomurlrandomurlrandomurlrandomurlrandomurlrandomurlrandomurls.com', 68],
    ['‐ ‑ ‒ – — ― ‖', 13],
    [Array(10).fill('https://www.twitter.com/aloha').join(' '), 239],
    ['故人西辞黄鹤楼'.repeat(20), 280],
  ])('%s is %i', (text, length) => {
    expect(weightedLength(text)).toBe(length)
  })

  it.each([
    ['a sentence that ends with a link: https://example.com/a.', 34 + 23 + 1],
    ['(https://example.com/a)', 25],
    ['https://example.com/a?b=c&d=/', 23],
    ['A sentence.Another one', 22],
    ['mail me@example.com', 19],
    ['version 1.2.3', 13],
    ['node.js', 7],
    ['http://☃.net/', 23],
    ['見てhttps://example.com/aです', 4 + 23 + 4],
    ['日本test.comです', 4 + 23 + 4],
    ['#a.com @b.com', 13],
  ])('finds exactly the link: %s', (text, length) => {
    expect(weightedLength(text)).toBe(length)
  })

  it('does not depend on the length of a link', () => {
    expect(weightedLength(`https://example.com/${'a'.repeat(2000)}`)).toBe(23)
  })
})

describe('the text length on Bluesky', () => {
  it('counts graphemes, and limits its bytes too', () => {
    expect(graphemeCount(`a${family}e\u0301\r\n`)).toBe(4)
    expect(utf8ByteLength(family)).toBe(25)
  })
})

describe('the text of a LinkedIn post', () => {
  it('preserves every reserved character', () => {
    expect(littleText('\\ | { } @ [ ] ( ) < > # * _ ~')).toBe(
      '\\\\ \\| \\{ \\} \\@ \\[ \\] \\( \\) \\< \\> \\# \\* \\_ \\~',
    )
  })

  it('preserves hashtags', () => {
    expect(littleText('Go #Video_Tips, #1 and #日本 (C#)!')).toBe(
      'Go {hashtag|\\#|Video\\_Tips}, \\#1 and {hashtag|\\#|日本} \\(C\\#\\)!',
    )
  })

  it('does not change the # of a URL', () => {
    expect(littleText('https://example.com/a#part')).toBe('https://example.com/a\\#part')
  })
})

describe('the facets of a Bluesky post', () => {
  const marked = (text: string) =>
    facetsOf(text).map(({ index }) => Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString())

  it('are UTF-8 byte offsets, whenever the text has more bytes than characters', () => {
    const text = `${family} é: https://example.com/ü #größe`
    expect(marked(text)).toEqual(['https://example.com/ü', '#größe'])
    expect(facetsOf(text).map(({ features: [feature] }) => feature)).toEqual([
      { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/ü' },
      { $type: 'app.bsky.richtext.facet#tag', tag: 'größe' },
    ])
  })

  it('exclude the punctuation of the sentence', () => {
    expect(marked('See (https://a.example/b), #one, #two! https://a.example/c_(d).')).toEqual([
      'https://a.example/b',
      '#one',
      '#two',
      'https://a.example/c_(d)',
    ])
  })

  it('do not include numbers, keycaps, parts of links, and tags that are too long', () => {
    expect(marked(`#1 #️⃣ a#b #${'a'.repeat(65)}`)).toEqual([])
    expect(marked('https://a.example/#part')).toEqual(['https://a.example/#part'])
  })
})

describe('the key of a Bluesky post', () => {
  const at = '2026-11-21T10:00:00.000Z'

  it('is a TID, and deterministic for a post', () => {
    expect(recordKey({ id: 'one', acceptedAt: at })).toMatch(/^[234567a-j][234567a-z]{12}$/)
    expect(recordKey({ id: 'one', acceptedAt: at })).toBe(recordKey({ id: 'one', acceptedAt: at }))
  })

  it('differs between posts of the same moment', () => {
    const keys = Array.from({ length: 100 }, (_, id) => recordKey({ id: `post-${id}`, acceptedAt: at }))
    expect(new Set(keys).size).toBe(100)
  })

  it('sorts by time', () => {
    const later = recordKey({ id: 'one', acceptedAt: '2026-11-21T10:00:00.001Z' })
    expect(recordKey({ id: 'two', acceptedAt: at }) < later).toBe(true)
  })
})
