/** Where a narration is cut into shots, to the millisecond, and which of them are joined. */
import { describe, expect, it } from 'vitest'
import { planVisuals, stillSize, type VisualPlanInput } from '../../../lib/domain/generation/plan-visuals.ts'
import { vocabularyOf, type Words } from '../support/pictures.ts'
import { briefWith } from '../support/videos.ts'

/** Words with how long each is spoken, one after the other. */
type Spoken = [text: string, lastsMs: number][]
function planOf(spoken: Spoken, fields: Partial<VisualPlanInput> = {}) {
  let at = 0
  const words = spoken.map(([text, lastsMs]) => {
    const startMs = at
    at += lastsMs
    return { text, startMs, endMs: at }
  })
  const idOf = (index: number) => `brl_${index}`
  const brief = briefWith({ imageStyle: 'ai_image' })
  return planVisuals({ words, durationMs: at, brief, mood: null, seed: 'vid_1', addBRolls: true, idOf, ...fields })
}
const shotsOf = (spoken: Spoken, fields: Partial<VisualPlanInput> = {}) =>
  planOf(spoken, fields).map(({ segment }) => segment.text)

describe('a shot', () => {
  it.each<[string, Spoken, string[]]>([
    [
      'may end at a clause after 1.8 s',
      [
        ['one,', 1_800],
        ['two', 800],
        ['three.', 2_000],
      ],
      ['one,', 'two three.'],
    ],
    [
      'may not end at a clause before',
      [
        ['one,', 1_799],
        ['two', 800],
        ['three.', 2_000],
      ],
      ['one, two', 'three.'],
    ],
    [
      'may be a whole sentence of 1.4 s',
      [
        ['Go.', 1_400],
        ['two', 1_000],
        ['three.', 1_500],
      ],
      ['Go.', 'two three.'],
    ],
    [
      'may be no shorter sentence',
      [
        ['Go.', 1_399],
        ['two', 1_000],
        ['three.', 1_500],
      ],
      ['Go. two three.'],
    ],
    [
      'may not be the short end of a sentence',
      [
        ['one,', 2_600],
        ['two.', 1_700],
        ['three.', 1_900],
      ],
      ['one,', 'two. three.'],
    ],
    [
      'ends with a sentence of 3.6 s',
      [
        ['Go', 1_800],
        ['on.', 1_800],
        ['Next.', 2_000],
      ],
      ['Go on.', 'Next.'],
    ],
    [
      'ends in a longer sentence, where its rest is a shot',
      [
        ['Go', 1_800],
        ['on.', 1_801],
        ['Next.', 2_000],
      ],
      ['Go', 'on.', 'Next.'],
    ],
    [
      'ends with a sentence of 3.9 s, where its rest is too short',
      [
        ['Go', 2_400],
        ['on.', 1_500],
        ['Next.', 2_000],
      ],
      ['Go on.', 'Next.'],
    ],
    [
      'ends with a sentence, rather than with the short one after it',
      [
        ['Go.', 2_600],
        ['on.', 1_200],
        ['Next.', 2_000],
      ],
      ['Go.', 'on. Next.'],
    ],
    [
      'ends in a longer sentence',
      [
        ['Go', 2_400],
        ['on.', 1_501],
        ['Next.', 2_000],
      ],
      ['Go', 'on. Next.'],
    ],
    [
      'is no rest of less than 1.8 s at the end',
      [
        ['Go.', 2_000],
        ['Stop.', 1_799],
      ],
      ['Go. Stop.'],
    ],
    [
      'may be a rest of 1.8 s at the end',
      [
        ['Go.', 2_000],
        ['Stop.', 1_800],
      ],
      ['Go.', 'Stop.'],
    ],
    [
      'is as near to 2.6 s as possible',
      [
        ['one', 2_000],
        ['two', 500],
        ['three', 500],
        ['four.', 2_000],
      ],
      ['one two', 'three four.'],
    ],
    [
      'is of two that are as near the shorter one',
      [
        ['one', 2_500],
        ['two', 200],
        ['three.', 2_300],
      ],
      ['one', 'two three.'],
    ],
    [
      'ends rather with a clause',
      [
        ['one', 2_500],
        ['two,', 200],
        ['three.', 2_300],
      ],
      ['one two,', 'three.'],
    ],
    [
      'ends rather before a phrase',
      [
        ['one', 2_500],
        ['two', 200],
        ['and', 300],
        ['three.', 2_300],
      ],
      ['one two', 'and three.'],
    ],
    [
      'does not end within the beginning of a phrase',
      [
        ['one', 2_500],
        ['and', 200],
        ['to', 300],
        ['three.', 2_300],
      ],
      ['one', 'and to three.'],
    ],
    [
      'ends before a phrase up to a second later',
      [
        ['one', 2_600],
        ['two', 990],
        ['and', 900],
        ['three.', 2_300],
      ],
      ['one two', 'and three.'],
    ],
    [
      'ends before no phrase that is further away',
      [
        ['one', 2_600],
        ['two', 1_000],
        ['and', 900],
        ['three.', 2_300],
      ],
      ['one', 'two and', 'three.'],
    ],
    [
      'ends with a clause rather than a second nearer before a phrase',
      [
        ['one', 2_600],
        ['and', 300],
        ['two,', 690],
        ['three.', 2_300],
      ],
      ['one and two,', 'three.'],
    ],
    [
      'ends before a phrase rather than with a clause that is further away',
      [
        ['one', 2_600],
        ['and', 300],
        ['two,', 700],
        ['three.', 2_300],
      ],
      ['one', 'and two, three.'],
    ],
    [
      'leaves a short rest of a sentence only for a clause',
      [
        ['one', 1_800],
        ['two,', 800],
        ['three.', 1_400],
        ['Next.', 2_500],
      ],
      ['one two,', 'three. Next.'],
    ],
    [
      'is a single word, however long it is',
      [
        ['one', 9_000],
        ['two.', 2_000],
      ],
      ['one', 'two.'],
    ],
  ])('%s', (_name, spoken, shots) => {
    expect(shotsOf(spoken)).toEqual(shots)
  })

  it('lasts until the next one, the first from 0 and the last to the end of the video', () => {
    const plan = planOf(
      [
        ['Go.', 2_000],
        ['Stop.', 2_000],
      ],
      { durationMs: 4_500 },
    )
    expect(plan.map(({ segment: { id, startMs, endMs } }) => [id, startMs, endMs])).toEqual([
      ['brl_0', 0, 2_000],
      ['brl_1', 2_000, 4_500],
    ])
    const late = [{ text: 'Go.', startMs: 700, endMs: 3_000 }]
    expect(planOf([], { words: late, durationMs: 3_000 })[0]!.segment).toMatchObject({ startMs: 0, endMs: 3_000 })
  })

  it('fades in with a sentence, and cuts within one', () => {
    const spoken: Spoken = [
      ['One', 2_600],
      ['two.', 2_600],
      ['Three.', 2_600],
    ]
    const transitions = planOf(spoken).map(({ segment: { text, transition } }) => [text, transition])
    expect(transitions).toEqual([
      ['One', undefined],
      ['two.', 'cut'],
      ['Three.', undefined],
    ])
  })

  it('is footage for every third one of mixed visuals, from the second on', () => {
    const spoken = Array.from({ length: 6 }, (_, index): Spoken[number] => [`Word${index}.`, 2_600])
    const kinds = planOf(spoken, { brief: briefWith({ imageStyle: 'mixed' }) }).map(({ wish }) => wish.kind)
    expect(kinds).toEqual(['still', 'clip', 'still', 'still', 'clip', 'still'])
  })

  it('of footage lasts as long as its segment, in the size of the frame; a still is a fifth larger', () => {
    const brief = briefWith({ imageStyle: 'stock_footage', aspectRatio: '9:16' })
    const [footage] = planOf([['Mountains.', 2_600]], { brief, mood: 'calm' })
    expect(footage!.wish).toEqual({
      ...{ kind: 'clip', prompt: 'Mountains.', keywords: ['mountains'], mood: 'calm', seed: 'vid_1' },
      ...{ width: 1080, height: 1920, durationMs: 2_600 },
    })
    expect(planOf([['Mountains.', 2_600]])[0]!.wish).toEqual({
      ...{ kind: 'still', prompt: 'Mountains.', keywords: ['mountains'], mood: null, seed: 'vid_1' },
      ...stillSize('9:16'),
    })
    expect([stillSize('9:16'), stillSize('1:1')]).toEqual([
      { width: 1296, height: 2304 },
      { width: 1296, height: 1296 },
    ])
  })
})

describe('with drawn pictures', () => {
  const words: Words = { apple: 9, pear: 8, plum: 7 }
  const drawn = (title = '', beats: { text: string; show: string[] }[] = []) => ({
    pictures: { vocabulary: vocabularyOf(words), title, beats: beats.map((beat) => ({ ...beat, emphasis: [] })) },
  })
  const joined = (...spoken: Spoken) => shotsOf(spoken, drawn())

  it.each<[string, Spoken, string[]]>([
    [
      'joins the one before it, up to 6.2 s',
      [
        ['apple,', 2_600],
        ['it.', 3_600],
      ],
      ['apple, it.'],
    ],
    [
      'joins none that is longer together',
      [
        ['apple,', 2_600],
        ['it.', 3_601],
      ],
      ['apple,', 'it.'],
    ],
    [
      'joins the one after it',
      [
        ['it,', 2_600],
        ['apple.', 3_600],
      ],
      ['it, apple.'],
    ],
    [
      'joins none of another sentence',
      [
        ['apple.', 2_600],
        ['it.', 2_600],
      ],
      ['apple.', 'it.'],
    ],
    [
      'joins the shorter of two, the one after',
      [
        ['apple,', 3_000],
        ['it,', 2_000],
        ['pear.', 2_600],
      ],
      ['apple,', 'it, pear.'],
    ],
    [
      'joins the shorter of two, the one before',
      [
        ['apple,', 2_600],
        ['it,', 2_000],
        ['pear.', 3_000],
      ],
      ['apple, it,', 'pear.'],
    ],
    [
      'joins of two equal ones the one before',
      [
        ['apple,', 2_600],
        ['it,', 2_000],
        ['pear.', 2_600],
      ],
      ['apple, it,', 'pear.'],
    ],
    [
      'joins the one before, where the one after is of another sentence',
      [
        ['apple,', 3_000],
        ['it.', 2_000],
        ['Pear.', 2_600],
      ],
      ['apple, it.', 'Pear.'],
    ],
    [
      'joins the one before, where the one after names nothing either',
      [
        ['apple,', 3_000],
        ['it,', 2_000],
        ['so.', 1_900],
      ],
      ['apple, it,', 'so.'],
    ],
    [
      'joins others that name nothing',
      [
        ['it,', 2_000],
        ['so,', 2_000],
        ['apple.', 2_000],
      ],
      ['it, so, apple.'],
    ],
  ])('a shot that names nothing %s', (_name, spoken, shots) => {
    expect(joined(...spoken)).toEqual(shots)
  })

  it('shots that name something stay apart', () => {
    expect(joined(['apple,', 2_000], ['pear,', 2_000], ['plum.', 2_000])).toEqual(['apple,', 'pear,', 'plum.'])
  })

  it('a quotation is read to the end of its sentence, however many shots it takes', () => {
    const spoken: Spoken = [
      ['It says “an', 1_000],
      ['apple,', 1_600],
      ['a pear,', 2_600],
      ['a plum are all good”.', 2_600],
      ['So it is.', 2_600],
    ]
    const words = spoken.flatMap(([text, lastsMs]): Spoken => {
      const parts = text.split(' ')
      return parts.map((part): Spoken[number] => [part, lastsMs / parts.length])
    })
    const plan = planOf(words, drawn())
    expect(plan.map(({ segment }) => segment.text)).toEqual([
      'It says “an apple,',
      'a pear,',
      'a plum are all good”.',
      'So it is.',
    ])
    expect(plan[0]!.wish.scene).toMatchObject({ layout: 'quote', text: 'an apple, a pear, a plum are all good' })
  })

  it('those that begin in the first 2.5 s stand under the title', () => {
    const openings = (lastsMs: number) =>
      planOf(
        [
          ['apple.', lastsMs],
          ['pear.', 2_600],
        ],
        drawn(),
      ).map(({ wish }) => wish.scene!.isOpening)
    expect([openings(2_499), openings(2_500)]).toEqual([
      [true, true],
      [true, undefined],
    ])
  })

  it('each shows what the beat at its middle wants, by the letters before it', () => {
    const beats = [
      { text: 'ab, cd', show: ['apple'] },
      { text: '12-34', show: ['pear'] },
    ]
    const objects = (...texts: string[]) =>
      planOf(
        texts.map((text): Spoken[number] => [text, 2_600]),
        drawn('', beats),
      ).map(({ wish }) => wish.scene!.objects[0])
    expect(objects('zzzz.', 'zzzz.')).toEqual(['apple', 'pear'])
    expect(objects('zz.', 'zzzz.', 'zz.').slice(0, 2)).toEqual(['apple', 'pear'])
    expect(objects('z.', '“zzzz…”.', 'zzz.').slice(0, 2)).toEqual(['apple', 'light-bulb'])
    expect(objects('zzzzzzz.', 'z.')).toEqual(['apple', 'pear'])
  })
})
