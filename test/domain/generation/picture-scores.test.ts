/** What an object is worth to a shot, and which of two is drawn. */
import { describe, expect, it } from 'vitest'
import type { PictureScene } from '../../../lib/domain/generation/picture-scene.ts'
import type { PictureShot } from '../../../lib/domain/generation/picture-selection.ts'
import { drawn, isBare, type Options, type Shots, scenesOf, taken, type Words } from '../support/pictures.ts'

/** The weight of a rival word from which on `isRivalDrawn`. */
function worth(isRivalDrawn: (weight: number) => boolean): number {
  let [low, high] = [0, 30]
  for (let step = 0; step < 12; step++) {
    const weight = (low + high) / 2
    if (isRivalDrawn(weight)) high = weight
    else low = weight
  }
  return high
}
/** What the best object of a shot is worth, compared with one more word of it. */
const worthIn = (shot: PictureShot, words: Words, options: Options = {}) =>
  worth((rival) => {
    const shots = [{ ...shot, text: `${shot.text}, rival` }]
    const [scene] = scenesOf(shots, { ...words, rival }, { taken: [taken('begun')], text: shot.text, ...options })
    return scene!.objects[0] === 'rival'
  })
/**
 * What the best object of a shot that names nothing is worth, compared with a word of the next part of its sentence, which
 * shows something else. Such a word is worth 2.2 less than where it is said.
 */
const worthBefore = (shot: PictureShot, words: Words, next = '') =>
  worth((rival) => {
    const text = `${next} loudest rival`
    const shots = [{ ...shot, continued: text }, text]
    const all = { ...words, loudest: 40, rival }
    const [scene] = scenesOf(shots, all, { taken: [taken('begun')], text: '' })
    return scene!.objects[0] === 'rival'
  }) - 2.2

describe('a shot is worth a picture of its own', () => {
  it.each([
    ['from a score of 1.9 on', 'a dim', { dim: 1.9 }, false],
    ['not for a looser word', 'a dim', { dim: 1.89 }, true],
    ['of a question, from a score of 4 on', 'a dim?', { dim: 4 }, false],
    ['of a question, not for a looser word', 'a dim? ', { dim: 3.9 }, true],
    ['of a call to the viewer, not for a loose word', 'subscribe to a dim', { dim: 3.9 }, true],
    ['of a call to the viewer, from a score of 4 on', 'subscribe to a dim', { dim: 4 }, false],
  ])('%s', (_name, text, words, bare) => {
    expect(isBare([text], words)).toEqual([bare])
  })

  it('unless another shot shows that object', () => {
    expect(isBare(['an apple', 'an apple', 'a pear'], { apple: 5, pear: 5 })).toEqual([false, true, false])
  })

  it('not for a loose word, where the writer says what to show in any shot', () => {
    const shots = ['a dim', { text: 'it is', show: ['apple'] }]
    expect(isBare(shots, { dim: 3.9, apple: 5 })).toEqual([true, false])
    expect(isBare(['a dim', { text: 'it is', show: [] }], { dim: 3.9, apple: 5 })).toEqual([false, true])
  })

  it('for a place or a figure', () => {
    expect(isBare(['we are in Rome', 'it has 3,500 inhabitants'], {}, { places: ['Rome'] })).toEqual([false, false])
  })
})

describe('an object of a shot is worth', () => {
  const apple = { apple: 5 }
  it.each<[string, number, PictureShot, Words, Options]>([
    ['the weight of its word', 5, { text: 'the apple' }, apple, {}],
    ['2.3 more if the title names it', 7.3, { text: 'the apple' }, apple, { title: 'Apples' }],
    ['2.3 more if the title names it by a score of 4', 6.3, { text: 'the apple' }, { apple: 4 }, { title: 'Apples' }],
    ['no more if the title names it loosely', 3.9, { text: 'the apple' }, { apple: 3.9 }, { title: 'Apples' }],
    ['0.6 less if it is what is done', 4.4, { text: 'it appled' }, { appled: 5 }, {}],
    ['0.6 less if it goes on', 4.4, { text: 'it is appling' }, { appling: 5 }, {}],
    ['0.6 less if it is a sign', 3.6, { text: 'a badge' }, { badge: [['plus', 4.2]] }, {}],
    [
      '3.4 less if it is a person, in a film about an animal',
      3.6,
      { text: 'the baby' },
      { baby: 7, cat: 5 },
      { title: 'The cat' },
    ],
    [
      'its weight if it is a person, in another film',
      8,
      { text: 'the baby' },
      { baby: 8, apple: 5 },
      { title: 'Apples' },
    ],
    ['7 if the writer wants it', 7, { text: 'it is', show: ['apple'] }, apple, {}],
    ['6.6 if the writer wants it second', 6.6, { text: 'it is', show: ['begun', 'apple'] }, { ...apple, begun: 5 }, {}],
    ['8.5 if the writer wants it, and the shot says it', 8.5, { text: 'the apple', show: ['apple'] }, apple, {}],
    [
      '8.5 if the shot says the last word of what the writer wants',
      8.5,
      { text: 'all the trees', show: ['tree apple'] },
      { ...apple },
      {},
    ],
    ['4.4 if the writer wants it by a loose word', 4.4, { text: 'it is', show: ['apple'] }, { apple: 1.8 }, {}],
    ['7 if the writer wants it by a keyword', 7, { text: 'it is', show: ['apple'] }, { apple: 1.9 }, {}],
    [
      '4.6 if the title names it, at the beginning of the film',
      4.6,
      { text: 'it is' },
      apple,
      { title: 'Apples', taken: [] },
    ],
    [
      '11 if the title names it and the first words say it',
      11,
      { text: 'the apple' },
      apple,
      { title: 'Apples', taken: [] },
    ],
  ])('%s: %d', (_name, value, shot, words, options) => {
    expect(worthIn(shot, words, options)).toBeCloseTo(value, 1)
  })

  it.each<[string, number, PictureShot, Words, string?]>([
    ['4.7 if the writer wants it in a sentence of several shots', 4.7, { text: 'it is', show: ['apple'] }, apple],
    ['4.8 if another part of the sentence says it', 4.8, { text: 'it is', show: ['apple'] }, apple, 'the apple'],
    ['2.1 if it is a sign that the writer wants', 2.1, { text: 'it is', show: ['badge'] }, { badge: [['plus', 5]] }],
    [
      '8.5 if it is a sign that the writer wants and the shot says',
      8.5,
      { text: 'a badge', show: ['badge'] },
      { badge: [['plus', 5]] },
    ],
  ])('%s: %d', (_name, value, shot, words, next) => {
    expect(worthBefore(shot, words, next)).toBeCloseTo(value, 1)
  })

  it('2.2 less than its weight, if another part of the sentence says it and shows something else', () => {
    const shots = [{ text: 'it is', continued: 'an apple and a pear' }, 'an apple and a pear']
    expect(isBare(shots, { apple: 9, pear: 4.15 })).toEqual([false, false])
    expect(isBare(shots, { apple: 9, pear: 4.05 })).toEqual([true, false])
  })
})

describe('the objects of a film', () => {
  const words = { apple: 5, pear: 5, plum: 5, cat: 5, kitty: [['cat-face', 5]] as [string, number][], dim: 3.9 }

  it.each<[string, Shots, string[], Options?]>([
    [
      'go where they are worth most',
      ['an apple and a pear', { text: 'it is', show: ['apple'] }],
      ['hero pear', 'hero apple'],
    ],
    ['of equal worth go to the earlier shot', ['an apple', 'an apple, a pear'], ['hero apple', 'hero pear']],
    ['of equal worth are drawn in the order of the words', ['a pear, an apple'], ['hero pear apple']],
    [
      'are those that the shot says, rather than what the writer wants for its sentence',
      [{ text: 'a pear', show: ['apple'], continued: 'it is' }, 'it is'],
      ['hero pear apple', 'hero apple'],
    ],
    [
      'are what the writer wants for the only shot of a sentence, rather than what it says',
      [{ text: 'a pear', show: ['apple'] }],
      ['hero apple pear'],
    ],
    [
      'show one of a family, unless the shot names nothing else',
      ['a cat', 'a plum and a kitty'],
      ['hero cat', 'hero plum cat-face'],
    ],
    [
      'show a second one of a family rather than nothing',
      ['a cat', 'it is', 'a kitty'],
      ['hero cat', 'hero apple', 'hero cat-face'],
      { text: 'an apple' },
    ],
    [
      'show a second one of a family rather than what is hardly named',
      ['a cat', 'it is', 'a dim kitty'],
      ['hero cat', 'hero apple', 'hero cat-face'],
      { text: 'an apple' },
    ],
  ])('%s', (_name, shots, scenes, options = {}) => {
    expect(drawn(shots, words, { taken: [taken('begun')], ...options })).toEqual(scenes)
  })

  it('open with what the title names first', () => {
    expect(drawn(['it is'], words, { title: 'A pear and an apple' })).toEqual(['hero pear'])
  })

  it('open with what the title names second, where the first is said later', () => {
    expect(drawn(['it is', 'the apple'], words, { title: 'An apple and a pear' })).toEqual(['hero pear', 'hero apple'])
  })

  it.each<[PictureScene, string[]]>([
    [taken('apple', 'pear', 'plum'), ['apple']],
    [{ ...taken('apple', 'pear', 'plum'), layout: 'group' }, ['apple']],
    [{ ...taken('apple'), layout: 'crossedOut' }, ['apple']],
    [{ ...taken('apple', 'pear'), layout: 'pair' }, ['apple', 'pear']],
    [{ ...taken('apple', 'pear'), layout: 'comparison' }, ['apple', 'pear']],
    [{ ...taken('apple', 'pear', 'plum'), layout: 'chain' }, ['apple', 'pear', 'plum']],
    [{ ...taken('apple', 'pear', 'plum'), layout: 'ensemble' }, []],
    [{ ...taken('apple'), layout: 'counter', figures: [{ text: '12', value: 12, label: 'apples' }] }, []],
    [{ ...taken('apple'), layout: 'chart' }, []],
    [{ ...taken('apple'), layout: 'timeline' }, []],
    [{ ...taken('apple'), layout: 'quote', text: 'So it is' }, []],
    [{ ...taken('apple'), layout: 'map', text: 'Rome' }, []],
  ])('that $layout shows as main ones are no main ones again: %j', (scene, mains) => {
    for (const object of ['apple', 'pear', 'plum']) {
      const [again] = scenesOf([`the ${object}`], words, { taken: [scene, taken('begun')] })
      expect(again!.objects[0] === object && again!.layout === 'hero', object).toBe(!mains.includes(object))
    }
  })
})

describe('beside the main object', () => {
  const words = {
    apple: 9,
    pear: 8,
    plum: 7,
    fig: 6,
    badge: [['plus', 9]] as [string, number][],
    cat: 5,
    kitty: [['cat-face', 5]] as [string, number][],
    dim: 3.9,
  }

  it.each<[string, string, string]>([
    ['stands one other that the shot names', 'an apple, a pear', 'hero apple pear'],
    ['stand two others that it names', 'the apple pear plum fig', 'group apple pear plum'],
    ['stands nothing that it hardly names', 'an apple dim', 'hero apple'],
    ['stands no sign', 'an apple badge', 'hero apple'],
    ['stands one of a family', 'the apple cat kitty', 'hero apple cat'],
    ['stands none of its own family', 'the cat kitty', 'hero cat'],
  ])('%s', (_name, text, scene) => {
    expect(drawn([text], words)).toEqual([scene])
  })

  it('stands nothing of the scene before, nor the main object of the next', () => {
    expect(drawn(['the apple fig', 'the pear fig', 'a plum'], words)).toEqual([
      'hero apple fig',
      'hero pear',
      'hero plum',
    ])
    expect(drawn(['the apple plum', 'the plum', 'the fig'], words)).toEqual(['hero apple', 'hero plum', 'hero fig'])
  })

  it('stands nothing that was seen twice', () => {
    const shots = ['the apple fig', 'it', 'the pear fig', 'it', 'the plum fig']
    const other = { ...words, it: 5 }
    const scenes = drawn(
      shots.map((text) => text.replace('it', 'a cat')),
      other,
      { text: 'a stone', taken: [taken('cat')] },
    )
    expect([scenes[0], scenes[2], scenes[4]]).toEqual(['hero apple fig', 'hero pear fig', 'hero plum'])
  })

  it('stand two others in no two scenes running', () => {
    const all = { apple: 9, pear: 8, plum: 7, fig: 9, kiwi: 8, lime: 7 }
    expect(drawn(['the apple pear plum', 'the fig kiwi lime'], all)).toEqual(['group apple pear plum', 'hero fig kiwi'])
  })
})
