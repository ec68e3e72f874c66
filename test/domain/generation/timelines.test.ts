/** Captions, b-rolls and their composition: for any words, every moment has its picture and every word its page. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endsSentence } from '../../../lib/domain/core/text.ts'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import type { StoredBRoll } from '../../../lib/domain/generation/b-rolls.ts'
import { paginateCaptions, toCaptionWords, webVtt } from '../../../lib/domain/generation/captions/captions.ts'
import { extractKeywords } from '../../../lib/domain/generation/keywords.ts'
import type { VisualPlanInput } from '../../../lib/domain/generation/plan-visuals.ts'
import { planVisuals } from '../../../lib/domain/generation/plan-visuals.ts'
import { frameSizes } from '../../../lib/domain/records/brief.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { compose } from '../../../lib/render/compose.ts'
import { briefWith, videoThatIs } from '../support/videos.ts'

const word = fc.oneof(
  fc.constantFrom(
    'a',
    'the',
    'morning',
    'calm,',
    'habits.',
    'why?',
    'extraordinarily',
    '—',
    '“so”',
    '<b>',
    'R&D',
    '朝。',
    '-->',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => text.replace(/\s/g, '_')),
)

/** Words in order, with pauses of any length. */
const narrations = fc
  .array(fc.tuple(word, fc.integer({ min: 1, max: 1_500 }), fc.integer({ min: 0, max: 2_500 })), {
    minLength: 1,
    maxLength: 120,
  })
  .map((spoken) => {
    let time = 0
    return spoken.map(([text, lastsMs, restMs]): TimedWord => {
      const startMs = time + restMs
      time = startMs + lastsMs
      return { text, startMs, endMs: time }
    })
  })

const idOf = (prefix: string) => (index: number) => `${prefix}_${index}`
const endOf = (words: TimedWord[]) => (words.at(-1)?.endMs ?? 0) + 600

describe('captions', () => {
  it('keep the order and the timing of every word', () => {
    const words = toCaptionWords([{ text: '“Habits,', startMs: 10, endMs: 20 }], idOf('cap'))
    expect(words).toEqual([
      { id: 'cap_0', startMs: 10, endMs: 20, text: 'habits', punctuated_word: '“Habits,', confidence: 1 },
    ])
  })

  it.each([
    [600, 1_000 + 600],
    [601, 1_000 + 250],
  ])('a page whose next one starts after %i ms is shown until %i ms', (restMs, endMs) => {
    const spoken = [
      { text: 'Calm.', startMs: 0, endMs: 1_000 },
      { text: 'Then', startMs: 1_000 + restMs, endMs: 3_000 },
    ]
    const [first, last] = paginateCaptions(toCaptionWords(spoken, idOf('cap')), idOf('pag'))
    expect([first, last]).toMatchObject([
      { startMs: 0, endMs },
      { startMs: 1_000 + restMs, endMs: 3_250 },
    ])
  })

  it('keep the vowel signs that end a word, and drop punctuation and emoji', () => {
    const words = toCaptionWords(
      ['होता।', 'wow❤️', '(naïve)'].map((text, at) => ({ text, startMs: at, endMs: at })),
      idOf('cap'),
    )
    expect(words.map(({ text }) => text)).toEqual(['होता', 'wow', 'naïve'])
  })

  it('show every word on exactly one page', () => {
    fc.assert(
      fc.property(narrations, (heard) => {
        const words = toCaptionWords(heard, idOf('cap'))
        const pages = paginateCaptions(words, idOf('pag'))
        for (const { startMs } of words)
          expect(pages.filter((page) => startMs >= page.startMs && startMs < page.endMs)).toHaveLength(1)
      }),
    )
  })

  it('have ordered pages that never overlap, of at most four words within one sentence', () => {
    fc.assert(
      fc.property(narrations, (heard) => {
        const words = toCaptionWords(heard, idOf('cap'))
        const pages = paginateCaptions(words, idOf('pag'))
        pages.forEach((page, index) => {
          const shown = words.filter(({ startMs }) => startMs >= page.startMs && startMs < page.endMs)
          expect(page.endMs).toBeGreaterThan(page.startMs)
          expect(page.endMs).toBeLessThanOrEqual(pages[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)
          expect(shown.length).toBeLessThanOrEqual(4)
          // An emoji stays with the sentence before it.
          const spoken = shown.filter(
            ({ punctuated_word }) =>
              !/^[^\p{L}\p{N}]*$/u.test(punctuated_word) || !/\p{Extended_Pictographic}/u.test(punctuated_word),
          )
          expect(spoken.slice(0, -1).filter(({ punctuated_word }) => endsSentence(punctuated_word))).toEqual([])
        })
      }),
    )
  })

  it('of ten minutes without a full stop are paged quickly', () => {
    const heard = Array.from({ length: 1_800 }, (_, index) => ({
      text: index % 7 ? 'word' : 'extraordinary',
      startMs: index * 300,
      endMs: index * 300 + 290,
    }))
    const started = performance.now()
    paginateCaptions(toCaptionWords(heard, idOf('cap')), idOf('pag'))
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  /** The pages of a text, each word of `lastsMs`. */
  const pagesOf = (text: string, lastsMs = 300) => {
    const heard = text.split(' ').map((text, at) => ({ text, startMs: at * lastsMs, endMs: (at + 1) * lastsMs }))
    const words = toCaptionWords(heard, idOf('cap'))
    return paginateCaptions(words, idOf('pag')).map((page) => ({
      text: words
        .filter(({ startMs }) => startMs >= page.startMs && startMs < page.endMs)
        .map(({ punctuated_word }) => punctuated_word)
        .join(' '),
      lastsMs: page.endMs - page.startMs,
    }))
  }

  it('keep an abbreviation with the name after it', () => {
    for (const text of ['Dr. Smith sleeps well.', 'We met Mrs. Jones and Prof. Green there.'])
      for (const page of pagesOf(text)) expect(page.text).not.toMatch(/(?:Dr|Mrs|Prof)\.$/)
  })

  it('keep numbers with their units and names', () => {
    const text =
      'The new iPhone 15 weighs about 340 g and the S&P 500 rose by 25 percent while Boeing sold 3 million parts'
    const pages = pagesOf(text).map((page) => page.text)
    for (const bound of ['iPhone 15', '340 g', 'S&P 500', '25 percent', '3 million'])
      expect(pages.filter((page) => page.includes(bound))).toHaveLength(1)
  })

  it('are shown for at least 0.6 s within a sentence', () => {
    for (const page of pagesOf('Visit www.example-shop.com, then go on to read the whole of it today', 290))
      expect(page.lastsMs).toBeGreaterThanOrEqual(550)
  })

  it('stay until the next page where it starts soon', () => {
    const heard = [
      { text: 'Stop.', startMs: 0, endMs: 300 },
      { text: 'Go.', startMs: 800, endMs: 1_000 },
      { text: 'Later.', startMs: 3_000, endMs: 3_300 },
    ]
    const pages = paginateCaptions(toCaptionWords(heard, idOf('cap')), idOf('pag'))
    expect(pages.map(({ endMs }) => endMs)).toEqual([800, 1_250, 3_550])
  })

  it('keep an emoji of the text on the page before it, without a page to itself', () => {
    expect(pagesOf('That is great! 🎉 Now we rest. 😴').map((page) => page.text)).toEqual([
      'That is great! 🎉',
      'Now we rest. 😴',
    ])
  })

  it('of an empty text are empty', () => {
    expect(paginateCaptions([], idOf('pag'))).toEqual([])
    expect(webVtt([], [])).toBe('WEBVTT\n')
  })
})

describe('the WebVTT file', () => {
  const words = toCaptionWords(
    [
      { text: 'R&D', startMs: 0, endMs: 400 },
      { text: '<b>-->', startMs: 3_600_000, endMs: 3_600_400 },
    ],
    idOf('cap'),
  )
  const pages = paginateCaptions(words, idOf('pag'))

  it('has one cue per page, with its characters escaped', () => {
    expect(webVtt(words, pages)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.650\nR&amp;D\n\n01:00:00.000 --> 01:00:00.650\n&lt;b&gt;--&gt;\n',
    )
  })

  it('leaves hidden pages out', () => {
    expect(
      webVtt(
        words,
        pages.map((page) => ({ ...page, hidden: true })),
      ),
    ).toBe('WEBVTT\n')
  })

  it('has exactly one arrow per cue, for any text', () => {
    fc.assert(
      fc.property(narrations, (heard) => {
        const all = toCaptionWords(heard, idOf('cap'))
        const cues = paginateCaptions(all, idOf('pag'))
        expect(webVtt(all, cues).split('-->')).toHaveLength(cues.length + 1)
      }),
    )
  })
})

const planOf = (words: TimedWord[], fields: Partial<VisualPlanInput> = {}) =>
  planVisuals({
    words,
    durationMs: endOf(words),
    brief: briefWith(),
    mood: null,
    seed: 'vid_1',
    addBRolls: true,
    idOf: idOf('brl'),
    ...fields,
  })

describe('the plan of the visuals', () => {
  it('covers the whole narration without a gap, for any text', () => {
    fc.assert(
      fc.property(narrations, fc.boolean(), (words, addBRolls) => {
        const segments = planOf(words, { addBRolls }).map(({ segment }) => segment)
        const marks = segments.flatMap(({ startMs, endMs }) => [startMs, endMs])
        expect(marks[0]).toBe(0)
        expect(marks.at(-1)).toBe(endOf(words))
        segments.forEach(({ startMs, endMs }, index) => {
          expect(endMs).toBeGreaterThan(startMs)
          if (index > 0) expect(startMs).toBe(segments[index - 1]!.endMs)
        })
        expect(segments.map(({ text }) => text).join(' ')).toBe(words.map(({ text }) => text).join(' '))
      }),
    )
  })

  it('has one picture without b-rolls', () => {
    const words = Array.from({ length: 60 }, (_, index) => ({
      text: 'word.',
      startMs: index * 1_000,
      endMs: index * 1_000 + 900,
    }))
    expect(planOf(words, { addBRolls: false })).toHaveLength(1)
    expect(planOf(words).length).toBeGreaterThan(5)
  })

  it('shows a picture even without any words', () => {
    expect(planOf([], { addBRolls: false })).toHaveLength(1)
    expect(planOf([], { addBRolls: true })).toHaveLength(1)
  })

  const sentences = Array.from({ length: 12 }, (_, index) => ({
    text: `Mountain${index}.`,
    startMs: index * 3_000,
    endMs: index * 3_000 + 2_500,
  }))

  it.each([
    ['stock_footage', ['stock_footage']],
    ['ai_image', ['ai_image']],
    ['mixed', ['ai_image', 'stock_footage']],
  ] as const)('keeps to the image style %s', (imageStyle, mediaTypes) => {
    const plan = planOf(sentences, { brief: briefWith({ imageStyle }) })
    expect([...new Set(plan.map(({ segment }) => segment.mediaType))].toSorted()).toEqual([...mediaTypes])
    for (const { segment, wish } of plan) expect(wish.kind).toBe(segment.mediaType === 'ai_image' ? 'still' : 'clip')
  })

  it.each(Object.entries(frameSizes))(
    'requests pictures of %s that cover the frame, with even dimensions',
    (aspectRatio, frame) => {
      for (const { wish } of planOf(sentences, {
        brief: briefWith({ aspectRatio: aspectRatio as keyof typeof frameSizes }),
      })) {
        expect([wish.width % 2, wish.height % 2]).toEqual([0, 0])
        expect(wish.width).toBeGreaterThanOrEqual(frame.width)
        expect(wish.height).toBeGreaterThanOrEqual(frame.height)
      }
    },
  )
})

describe('keywords', () => {
  it('are in spoken order, without repeats and stop words', () => {
    expect(extractKeywords('The calm morning and the calm, bright kitchen of my grandmother')).toEqual([
      'calm',
      'morning',
      'bright',
      'kitchen',
      'grandmother',
    ])
    expect(extractKeywords('', 5)).toEqual([])
    expect(extractKeywords('सवाल पूछते रहिए।')).toEqual(['सवाल', 'पूछते', 'रहिए'])
  })
})

describe('the composition', () => {
  const video: Video = { ...videoThatIs.generated(), durationSeconds: 10 }
  const segment = (id: string, startMs: number, fields: Partial<StoredBRoll> = {}): StoredBRoll => ({
    id,
    startMs,
    endMs: startMs + 1_000,
    text: '',
    prompt: '',
    keywords: [],
    mediaType: 'ai_image',
    hidden: false,
    media: { kind: 'still', key: `${id}.png` },
    ...fields,
  })
  const words = toCaptionWords([{ text: 'Hello', startMs: 500, endMs: 900 }], idOf('cap'))
  const timeline = (bRolls: StoredBRoll[]) => ({
    captions: words,
    captionsPages: paginateCaptions(words, idOf('pag')),
    bRolls,
  })
  const spans = (bRolls: StoredBRoll[]) =>
    compose(video, timeline(bRolls)).shots.map(({ media, startMs, endMs }) => [
      'key' in media && media.key,
      startMs,
      endMs,
    ])

  it('leaves no gap from 0 to the end, in any order of the b-rolls', () => {
    expect(spans([segment('b', 4_000), segment('a', 1_000)])).toEqual([
      ['a.png', 0, 4_000],
      ['b.png', 4_000, 10_000],
    ])
  })

  it('marks when a person speaks to the camera, whose face no title may cover', () => {
    const film = (subType: string) => compose({ ...video, subType }, timeline([segment('a', 0)]))
    expect(film('ugc').isPresented).toBe(true)
    expect(film('presentation').isPresented).toBeUndefined()
  })

  it('opens a video from an idea with its title, unless it has no subtitles or is the text of the client', () => {
    const hookOf = (brief: Partial<Video['brief']>, title = 'Why the sea is salty') =>
      compose({ ...video, title, brief: briefWith(brief) }, timeline([segment('a', 0)])).hook
    expect(hookOf({ prompt: 'the sea', text: null })).toBe('Why the sea is salty')
    expect(hookOf({ prompt: 'the sea', text: null, showSubtitles: false })).toBeUndefined()
    expect(hookOf({ text: 'The sea is salty.', inputMode: 'script' })).toBeUndefined()
    expect(hookOf({ prompt: 'the sea', text: null }, 'Everything about the sea and the…')).toBeUndefined()
  })

  it('punches in on the words of long pictures, and neither on footage nor where the camera is asked to rest', () => {
    const captions = toCaptionWords(
      Array.from({ length: 20 }, (_, index) => ({
        text: `word${index}`,
        startMs: 500 * index,
        endMs: 500 * index + 400,
      })),
      idOf('cap'),
    )
    const punchesOf = (fields: Partial<StoredBRoll>) =>
      compose(
        { ...video, brief: briefWith({ showSubtitles: false }) },
        { ...timeline([segment('a', 0, fields)]), captions },
      ).shots[0]!.punchInsMs
    expect(punchesOf({})?.length).toBeGreaterThan(2)
    expect(punchesOf({ animation: 'hold still' })).toBeUndefined()
    expect(punchesOf({ media: { kind: 'clip', key: 'a.mp4' } })).toBeUndefined()
  })

  it('skips b-rolls that are hidden, without media or after the end', () => {
    const bRolls = [
      segment('a', 0),
      segment('b', 2_000, { hidden: true }),
      segment('c', 3_000, { media: null }),
      segment('d', 10_000),
    ]
    expect(spans(bRolls)).toEqual([['a.png', 0, 10_000]])
  })

  it('covers the render without a gap for any b-rolls', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(starts, (times) => {
        const { shots } = compose(video, timeline(times.map((time) => segment(`s${time}`, time))))
        expect(shots[0]!.startMs).toBe(0)
        expect(shots.at(-1)!.endMs).toBe(10_000)
        for (const [index, shot] of shots.entries()) {
          expect(shot.endMs).toBeGreaterThan(shot.startMs)
          if (index > 0) expect(shot.startMs).toBe(shots[index - 1]!.endMs)
        }
      }),
    )
  })

  it('is deterministic, so that a render is reproducible byte for byte', () => {
    expect(compose(video, timeline([segment('a', 0)]))).toEqual(compose(video, timeline([segment('a', 0)])))
  })

  it('shows the words of pages, and none when subtitles are off', () => {
    expect(compose(video, timeline([segment('a', 0)])).pages).toMatchObject([
      { startMs: 500, words: [{ punctuated_word: 'Hello' }] },
    ])
    const silent = { ...video, brief: briefWith({ showSubtitles: false }) }
    expect(compose(silent, timeline([segment('a', 0)])).pages).toEqual([])
  })

  it('uses the defaults of the editor for absent options', () => {
    const { theme } = compose({ ...video, config: { captionsFontSize: 30 } }, timeline([segment('a', 0)]))
    expect(theme).toMatchObject({
      captionsFontSize: 30,
      captionsFontFamily: 'TheBoldFont',
      captionsPrimaryColor: '#39E508',
    })
  })

  it('rejects what cannot be rendered', () => {
    const withoutPictures = expect.objectContaining({ code: 'warning-source-not-ready' })
    expect(() => compose(video, timeline([]))).toThrow(withoutPictures)
    expect(() => compose({ ...video, durationSeconds: null }, timeline([segment('a', 0)]))).toThrow(RangeError)
  })
})
