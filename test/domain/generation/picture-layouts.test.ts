/** The layout of a shot: what a sentence says about its things, which cards come first, and what is left at the end. */
import { describe, expect, it } from 'vitest'
import type { PictureScene } from '../../../lib/domain/generation/picture-scene.ts'
import type { PictureShot } from '../../../lib/domain/generation/picture-selection.ts'
import { drawn, type Options, type Shots, scenesOf, taken, type Words } from '../support/pictures.ts'

describe('a sentence', () => {
  const words = { apple: 9, pear: 8, plum: 7, fig: 4, dim: 3.9 }

  it.each<[string, string, Options?]>([
    // Nothing else is said.
    ['apple pear', 'hero apple pear'],
    // What is denied up to three words before is crossed out.
    ['it is not the apple', 'crossedOut apple'],
    ['it is not for the apple', 'crossedOut apple'],
    ['it is not for all the apple', 'hero apple'],
    ['it is not only the apple', 'hero apple'],
    ['it is not the plum, not the apple', 'crossedOut plum'],
    ['the apple is not', 'hero apple'],
    ['without the apple it is', 'hero apple'],
    ['it is without the apple', 'crossedOut apple'],
    ['kein apple', 'crossedOut apple', { language: 'de' }],
    ['kein apple', 'hero apple', { language: 'fr' }],
    // One thing leads to the next.
    ['apple becomes pear', 'pair apple pear'],
    ['apple becomes all of the pear', 'pair apple pear'],
    ['apple becomes all of the new pear', 'hero apple pear'],
    ['apple is made of pear', 'hero apple pear'],
    ['apple is made by the pear', 'hero apple pear'],
    ['apple is made into pear', 'pair apple pear'],
    ['apple and it becomes pear', 'hero apple pear'],
    ['apple becomes fig', 'pair apple fig'],
    ['apple becomes dim', 'hero apple'],
    ['dim becomes apple', 'hero apple'],
    ['plum and apple becomes pear', 'group apple pear plum'],
    // Two things are compared, up to six words apart.
    ['apple rather than pear', 'comparison apple pear'],
    ['apple it is what it is than pear', 'comparison apple pear'],
    ['apple it is just what it is than pear', 'hero apple pear'],
    ['apple more than 1200 pear', 'hero apple pear'],
    ['apple y pear than plum', 'comparison apple plum'],
    ['apple que pear', 'hero apple pear', { language: 'es' }],
    ['apple que pear', 'comparison apple pear', { language: 'fr' }],
    // Three things in a row.
    ['apple, pear and plum', 'chain apple pear plum'],
    ['plum, pear, apple', 'chain plum pear apple'],
    ['plum, pear, apple,', 'chain plum pear apple'],
    ['plum pear, apple,', 'group apple pear plum'],
    ['an apple, it is a pear, it is a plum', 'chain apple pear plum'],
    ['an apple, it is now a pear, it is a plum', 'group apple pear plum'],
    ['an apple, it is a pear, it is now a plum', 'group apple pear plum'],
    ['fig, it is now one apple, pear and plum', 'chain apple pear plum'],
    ['apple, pear and apple', 'hero apple pear'],
    ['apple, pear and dim', 'hero apple pear'],
  ])('“%s” is drawn as: %s', (text, scene, options = {}) => {
    expect(drawn([text], words, { taken: [taken('begun')], ...options })).toEqual([scene])
  })

  it.each<[string, Words, string]>([
    ['it is not the apple', { apple: 3 }, 'crossedOut apple'],
    ['it is not the apple', { apple: 2.9 }, 'hero apple'],
    ['not the dim but all of the apple', { apple: 9, dim: 2.9 }, 'hero apple'],
  ])('“%s” crosses out what is named well enough: %j', (text, words, scene) => {
    expect(drawn([text], words, { taken: [taken('begun')] })).toEqual([scene])
  })

  it('crosses out the subject of the title, but not at the beginning of the film', () => {
    const options = { title: 'Apples' }
    expect(drawn(['it is not the apple'], words, options)).toEqual(['hero apple'])
    expect(drawn(['it is not the apple'], words, { ...options, taken: [taken('begun')] })).toEqual(['crossedOut apple'])
    expect(drawn(['it is not the pear'], words, options)).toEqual(['crossedOut pear'])
  })

  it('compares what the writer wants to be seen, where it says so and names nothing', () => {
    const sceneOf = (text: string, show: string[]) => drawn([{ text, show, continued: 'a fig' }, 'a fig'], words)[0]
    expect(sceneOf('it is one versus another', ['apple', 'pear', 'plum'])).toBe('comparison apple pear')
    expect(sceneOf('it is one of another', ['apple', 'pear', 'plum'])).not.toMatch('comparison')
    expect(sceneOf('it is one versus another', ['apple'])).toBe('hero apple')
    expect(sceneOf('the plum versus another', ['apple', 'pear', 'plum'])).not.toMatch('comparison')
  })

  it('shows only what the writer wants, of what it says', () => {
    expect(drawn([{ text: 'apple becomes pear', show: ['apple'] }], words)).toEqual(['hero apple pear'])
    expect(drawn([{ text: 'apple becomes pear', show: ['pear', 'apple'] }], words)).toEqual(['pair apple pear'])
  })

  it('shows nothing that was seen, or that another shot shows, except its own main object', () => {
    expect(drawn(['apple becomes pear'], words, { taken: [taken('pear')] })).toEqual(['hero apple'])
    expect(drawn(['apple becomes pear', 'the pear'], { ...words, pear: 6 }).at(0)).toBe('hero apple')
    expect(drawn(['fig becomes pear', 'the plum'], words)[0]).toBe('pair fig pear')
  })
})

describe('a card', () => {
  const places = ['Rome', 'Paris', 'Oslo']
  const words = { apple: 5, pear: 4 }
  const layouts = (shots: Shots, options: Options = {}) =>
    scenesOf(shots, words, { places, ...options }).map(({ layout }) => layout)
  const series = 'it has $100 after 10 years and $200 after 20 years'

  it.each<[string, Shots, string[], Options?]>([
    ['of a place comes once', ['we are in Rome', 'it is Rome'], ['map', 'hero']],
    [
      'of a place does not follow on another',
      ['in Rome', 'in Paris', 'in Oslo', 'it is', 'it is'],
      ['map', 'hero', 'map', 'hero', 'hero'],
    ],
    [
      'of a place comes in one of four shots',
      ['in Rome', 'it is', 'in Paris', 'it is'],
      ['map', 'hero', 'hero', 'hero'],
    ],
    [
      'of a place comes twice in five shots',
      ['in Rome', 'it is', 'in Paris', 'it is', 'it is'],
      ['map', 'hero', 'map', 'hero', 'hero'],
    ],
    [
      'of a figure comes in one of four shots',
      ['it has 3,500 users', 'it is', 'it has 4,500 users', 'it is'],
      ['counter', 'hero', 'hero', 'hero'],
    ],
    [
      'of a figure comes twice in five shots',
      ['it has 3,500 users', 'it is', 'it has 4,500 users', 'it is', 'it is'],
      ['counter', 'hero', 'counter', 'hero', 'hero'],
    ],
    [
      'of a figure does not follow on another',
      ['it has 3,500 users', 'it has 4,500 users', 'it is', 'it is', 'it is'],
      ['counter', 'hero', 'hero', 'hero', 'hero'],
    ],
    [
      'of a figure comes once',
      ['it has 3,500 users', 'it is', 'it had 3,500 users', 'it is', 'it is'],
      ['counter', 'hero', 'hero', 'hero', 'hero'],
    ],
    ['of a place comes before that of a figure', ['Rome has 3,500 users'], ['map']],
    ['of a year comes where the shot names nothing', ['it was in 1796', 'an apple in 1797'], ['counter', 'hero']],
    [
      'of a place waits where the subject of the title is named first',
      ['an apple in Rome', 'an apple in Paris'],
      ['hero', 'map'],
      { title: 'Apples' },
    ],
    [
      'of a place comes first where another thing is named',
      ['an apple in Rome', 'an apple in Paris'],
      ['map', 'hero'],
      { title: 'Pears' },
    ],
    ['of figures comes once', [series, 'it is', series], ['chart', 'hero', 'counter']],
    [
      'of a quotation comes once',
      ['he said “it is what it is and so”', 'it is', '“it is what it is and so”'],
      ['quote', 'hero', 'hero'],
    ],
    [
      'of a quotation comes where it begins',
      [{ text: 'he said “it is', continued: 'what it is and so”' }, 'what it is and so”'],
      ['quote', 'hero'],
    ],
    [
      'of dates comes where one is said',
      [
        { text: 'it is', continued: 'The apple came in 2007, the pear in 2010.' },
        'The apple came in 2007, the pear in 2010.',
      ],
      ['hero', 'timeline'],
    ],
  ])('%s', (_name, shots, expected, options) => {
    expect(layouts(shots, options)).toEqual(expected)
  })

  it.each<[string, PictureScene, string, string]>([
    ['a place', { layout: 'map', ground: 'studio', objects: [], text: 'Rome' }, 'we are in Rome', 'map'],
    [
      'a quotation',
      { layout: 'quote', ground: 'studio', objects: [], text: 'it is what it is and so' },
      'he said “it is what it is and so”',
      'quote',
    ],
    [
      'a figure',
      { layout: 'counter', ground: 'studio', objects: [], figures: [{ text: '3,500', value: 3500, label: 'users' }] },
      'it has 3,500 users',
      'counter',
    ],
  ])('shows %s unless a scene that stays does', (_name, scene, text, layout) => {
    expect(layouts([text])).toEqual([layout])
    expect(layouts([text], { taken: [scene] })).toEqual(['hero'])
  })

  const growing = (...years: number[]) => years.map((year) => `$${10 * year} after ${year} years`).join(' and ')
  it.each([
    ['none was shown', 5, [10, 20], 'chart'],
    ['one of two was shown', 10, [10, 20], 'counter'],
    ['one of three was shown', 10, [10, 20, 40], 'counter'],
    ['three of four were not', 10, [10, 20, 40, 80], 'chart'],
  ])('of figures comes where %s', (_name, shown, years, layout) => {
    const figures = [{ text: `$${10 * shown}`, value: 10 * shown, label: '' }]
    const scene: PictureScene = { layout: 'counter', ground: 'studio', objects: [], figures }
    const shots = [`it has ${growing(...years)}`]
    expect(layouts(shots, { taken: [scene, taken('begun')] })).toEqual([layout])
  })

  it('of figures comes in the shot that says most of them, the first of equals', () => {
    const parts = (first: number[], then: number[]) => {
      const continued = `and ${growing(...then)}`
      return layouts([{ text: `it has ${growing(...first)}`, continued }, continued])
    }
    expect(parts([10], [20, 40, 80])).toEqual(['counter', 'chart'])
    expect(parts([10, 20], [40, 80])[0]).toBe('chart')
    expect(parts([10, 20, 40], [80])[0]).toBe('chart')
  })

  it('of a place comes where the best subject of its shot was named before', () => {
    const shots = ['an apple in Rome', 'an apple and a pear in Paris']
    expect(layouts(shots, { title: 'An apple and a pear' })).toEqual(['hero', 'map'])
  })

  it('has the first object that its shot names and no other scene shows', () => {
    expect(drawn(['Rome, pear, apple', 'the apple'], { apple: 5, pear: 4 }, { places })).toEqual([
      'map pear',
      'hero apple',
    ])
    expect(drawn(['Rome, pear, apple'], { apple: 5, pear: 4 }, { places })).toEqual(['map apple'])
    expect(
      drawn(['Rome, apple, pear'], { apple: 5, pear: 4 }, { places, taken: [taken('apple'), taken('begun')] }),
    ).toEqual(['map pear'])
    expect(drawn(['Rome, apple'], { apple: 5 }, { places, taken: [taken('apple'), taken('begun')] })).toEqual([
      'map apple',
    ])
  })

  it('has the position and the name of its place, and the figure that it counts', () => {
    const [map, counter] = scenesOf(['in Paris', 'it has 3,500 users'], words, { places })
    expect(scenesOf(['from Oslo to Rome'], words, { places })).toMatchObject([{ text: 'Oslo' }])
    expect(map).toEqual({
      layout: 'map',
      ground: 'studio',
      objects: [],
      text: 'Paris',
      place: { latitude: 1, longitude: 10 },
    })
    expect(counter).toMatchObject({ objects: [], figures: [{ text: '3,500', label: 'users' }] })
  })
})

describe('a shot without a picture of its own', () => {
  const words = { apple: 5, pear: 5, plum: 5, dim: 3.9 }
  const last = (shots: Shots, options: Options = {}, all: Words = words) => drawn(shots, all, options).at(-1)
  const begun = [taken('begun')]

  it.each<[string, Shots, string, Options?]>([
    ['shows the place of the title', ['it is'], 'map', { title: 'The story of Rome', places: ['Rome'] }],
    ['shows what the narration names most often', ['it is'], 'hero pear', { text: 'an apple, a pear, a pear' }],
    ['shows of equals what it names first', ['it is'], 'hero apple', { text: 'an apple, a pear' }],
    [
      'shows what the title names, rather than what is named four times',
      ['it is'],
      'hero apple',
      { taken: begun, title: 'Apples', text: 'pear pear pear pear' },
    ],
    [
      'shows what is named five times, rather than what the title names',
      ['it is'],
      'hero pear',
      { taken: begun, title: 'Apples', text: 'pear pear pear pear pear' },
    ],
    ['shows nothing that is hardly named', ['it is'], 'hero light-bulb', { text: 'a dim' }],
    ['shows a neutral thing where nothing is named', ['it is'], 'hero light-bulb'],
    ['shows another neutral thing each time', ['it is', 'it is'], 'hero open-book'],
    ['shows what another shot does not', ['an apple', 'it is'], 'hero pear', { text: 'an apple, a pear' }],
    ['shows another neutral thing where two were seen', ['it is', 'it is', 'it is'], 'hero compass'],
    [
      'shows things of its sentence together, after all were seen',
      ['a plum', 'an apple', 'a pear', 'the pear and the apple'],
      'ensemble apple pear',
    ],
    [
      'shows three of them together',
      ['a plum', 'an apple', 'a pear', 'the pear, apple, plum'],
      'ensemble apple pear plum',
    ],
    [
      'shows one of them with the subject of the title',
      ['an apple', 'a pear', 'an apple'],
      'ensemble apple pear',
      { title: 'Pears' },
    ],
    [
      'shows the subjects of the title with what was seen',
      ['an apple', 'a pear', 'a plum', 'it is'],
      'ensemble apple pear plum',
      { title: 'An apple and a pear' },
    ],
    ['shows the year that it says', ['an apple', 'a apple in 1796'], 'counter', {}],
  ])('%s', (_name, shots, scene, options) => {
    expect(last(shots, options)).toBe(scene)
  })

  it('shows a relative of what was seen before a neutral thing', () => {
    const cats: Words = { cat: 5, kitty: [['cat-face', 5]] }
    expect(drawn(['a cat', 'it is'], cats, { text: 'a cat, a kitty' })).toEqual(['hero cat', 'hero cat-face'])
  })

  it('shows each neutral thing once, then two together, then three', () => {
    const scenes = drawn(Array(80).fill('it is'), {})
    expect(new Set(scenes.slice(0, 12)).size).toBe(12)
    expect(scenes.slice(0, 12).every((scene) => scene.split(' ').length === 2)).toBe(true)
    expect(scenes.slice(12, 14)).toEqual(['hero light-bulb open-book', 'hero open-book compass'])
    expect(scenes.slice(12, 78).every((scene) => new Set(scene.split(' ')).size === 3)).toBe(true)
    for (const scene of scenes.slice(78))
      expect([scene.slice(0, 6), new Set(scene.split(' ')).size]).toEqual(['group ', 4])
    expect(new Set(scenes).size).toBe(80)
  })

  it('shows what the film names beside neutral things, after all were seen', () => {
    const scenes = drawn(Array(15).fill('it is'), { apple: 5 }, { text: 'an apple' })
    expect([scenes[0], scenes[1], scenes[13]]).toEqual(['hero apple', 'hero light-bulb', 'hero apple light-bulb'])
  })

  it('shows nothing that another part of its sentence hardly names', () => {
    const shots = [{ text: 'it is', continued: 'a dim and a pear' }, 'a dim and a pear']
    expect(drawn(shots, { dim: 3.9, pear: 9 }, { taken: begun })).toEqual(['hero light-bulb', 'hero pear'])
  })

  it('shows no sign that another part of its sentence names', () => {
    const shots = [{ text: 'it is', continued: 'a badge and a pear' }, 'a badge and a pear']
    const signs: Words = { badge: [['plus', 9]], pear: 20 }
    expect(drawn(shots, signs, { taken: begun, text: '' })).toEqual(['hero light-bulb', 'hero pear'])
  })

  it('shows what a shot before was to show and has left out', () => {
    const shots = ['it is not the apple in a pear', 'it is']
    expect(drawn(shots, { ...words, pear: 9 }, { taken: begun })).toEqual(['crossedOut apple', 'hero pear'])
  })

  it('shows the first place of the title that was not seen, and none after a map', () => {
    const options = { title: 'From Oslo to Rome', places: ['Oslo', 'Rome'] }
    expect(scenesOf(['it is', 'it is'], words, options).map(({ text }) => text)).toEqual(['Oslo', undefined])
    expect(scenesOf(['in Oslo', 'an apple', 'it is'], words, options).at(-1)!.text).toBe('Rome')
  })

  it('shows things together in another order than the scene before, and than the next begins with', () => {
    const shots = ['a pear', 'a fig', 'the plum, the pear', { text: 'a plum', show: ['plum'] }]
    expect(drawn(shots, { ...words, fig: 5, plum: 7 })).toEqual([
      'hero pear',
      'hero fig',
      'ensemble pear plum',
      'hero plum',
    ])
  })

  it.each<[string, PictureShot, string[]]>([
    ['says', { text: 'a fruit' }, ['hero apple', 'hero pear', 'hero plum', 'hero fig']],
    ['is to show', { text: 'it is', show: ['fruit'] }, ['hero apple', 'hero pear', 'ensemble apple pear', 'hero plum']],
  ])('shows other drawings of what it %s, the best first', (_name, shot, scenes) => {
    const fruit: Words = {
      fruit: [
        ['apple', 5],
        ['pear', 4.9],
        ['plum', 4.8],
        ['fig', 4.7],
      ],
    }
    expect(drawn([shot, shot, shot, shot], fruit, { text: '' })).toEqual(scenes)
  })

  it('shows two other drawings of what the narration names, after all that it names', () => {
    const fruit: Words = {
      kiwi: 4.5,
      fruit: [
        ['apple', 6],
        ['pear', 5.9],
        ['plum', 5.8],
        ['fig', 5.7],
      ],
    }
    const shots = ['it is', 'it is', 'it is', 'it is', 'it is']
    expect(drawn(shots, fruit, { text: 'a fruit, a kiwi' })).toEqual([
      'hero apple',
      'hero kiwi',
      'hero pear',
      'hero plum',
      'hero light-bulb',
    ])
    expect(drawn(shots.slice(3), fruit, { title: 'Fruit', text: 'a kiwi', taken: begun })).toEqual([
      'hero apple',
      'hero pear',
    ])
  })
})

describe('the ground', () => {
  it('is the first home of what the title names, where it suits an object', () => {
    const words = { cow: 5, egg: 5, basket: 5 }
    const grounds = scenesOf(['an egg', 'a basket'], words, { title: 'The cow', taken: [taken('cow')] })
    expect(grounds.map(({ ground }) => ground)).toEqual(['field', 'studio'])
  })
})
