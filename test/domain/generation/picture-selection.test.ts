/** What drawn pictures show: things that the words name, in a layout that fits the sentence, never the same scene twice. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chartFiguresOf } from '../../../lib/domain/generation/picture-figures.ts'
import { pictureOverrides } from '../../../lib/domain/generation/picture-overrides.ts'
import { findPlaces } from '../../../lib/domain/generation/picture-places.ts'
import { type PictureScene, pictureGrounds, pictureLayouts } from '../../../lib/domain/generation/picture-scene.ts'
import { choosePictures, type PictureShot } from '../../../lib/domain/generation/picture-selection.ts'
import { objectOfNoun } from '../../../lib/domain/generation/picture-words.ts'
import { builtInVoices } from '../../../lib/domain/videos/voices.ts'
import { loadPictureVocabulary } from '../../../lib/use-cases/generation/picture-vocabulary.ts'

const assets = fileURLToPath(new URL('../../../assets/', import.meta.url))
const readJson = <T>(file: string): T => JSON.parse(readFileSync(assets + file, 'utf8'))
const objects = readJson<Record<string, string>>('objects/objects.json')
const languages = [...new Set(builtInVoices.map(({ language }) => language))]
const english = await loadPictureVocabulary('en')

const sceneOf = async (text: string, language = 'en', shot: Partial<PictureShot> = {}): Promise<PictureScene> => {
  const vocabulary = language === 'en' ? english : await loadPictureVocabulary(language)
  const [scene] = choosePictures([{ text, ...shot }], { title: '', text, vocabulary })
  return scene!
}

/** Sentences with the main objects that a person would accept. */
const sentences: [language: string, text: string, accepted: string][] = [
  ['en', 'Rivers carry tiny amounts of salt from rocks into the sea.', 'national-park salt water-wave rock'],
  ['en', 'The Titanic sank in the icy water of the Atlantic.', 'ship passenger-ship water-wave ice'],
  ['en', 'Your brain uses a fifth of all the energy in your body.', 'brain'],
  ['en', 'Turn off your phone an hour before bed.', 'mobile-phone mobile-phone-off bed'],
  ['en', 'Compound interest makes your money grow faster every year.', 'chart-increasing money-bag coin'],
  ['en', 'The Roman army built roads across the empire.', 'stadium classical-building motorway military-helmet'],
  ['en', 'Cats knead blankets because kittens knead their mother for milk.', 'cat cat-face'],
  ['en', 'A honeybee visits thousands of flowers in one day.', 'honeybee sunflower blossom'],
  ['en', 'Drink a glass of water before your first coffee.', 'tumbler-glass hot-beverage'],
  ['en', 'The Eiffel Tower grows a little in the summer heat.', 'tokyo-tower'],
  ['en', 'Write down three tasks and finish the hardest one first.', 'memo clipboard pencil'],
  ['en', 'The moon pulls the ocean and makes the tides.', 'full-moon crescent-moon water-wave'],
  ['en', 'Volcanoes throw ash high into the sky.', 'volcano'],
  ['en', 'Whales sing songs that travel across the ocean.', 'whale spouting-whale'],
  ['en', 'Your heart beats about a hundred thousand times a day.', 'anatomical-heart red-heart'],
  ['en', 'Plants turn sunlight into sugar.', 'herb seedling potted-plant sun'],
  ['en', 'The printing press made books cheap.', 'printer open-book books'],
  ['en', 'Bread rises because yeast makes gas.', 'bread'],
  ['en', 'Trees talk to each other through fungi in the soil.', 'deciduous-tree evergreen-tree mushroom'],
  ['en', 'A good habit needs a cue and a reward.', 'repeat-button spiral-calendar calendar wrapped-gift'],
  ['en', 'The dog waits at the door for its owner.', 'dog dog-face'],
  ['en', 'Vaccines teach the immune system to fight a virus.', 'syringe shield microbe'],
  ['en', 'Lightning is hotter than the surface of the sun.', 'high-voltage cloud-with-lightning sun'],
  ['en', 'Never check your email in the morning.', 'envelope e-mail'],
  ['en', 'The astronaut floats above the Earth.', 'astronaut'],
  ['en', 'Napoleon lost the war in the Russian winter.', 'crossed-swords person-with-crown snowflake'],
  ['en', 'Chocolate was once used as money.', 'chocolate-bar money-bag'],
  ['en', 'Octopuses have three hearts and blue blood.', 'octopus'],
  ['en', 'A walk after lunch lowers your blood sugar.', 'person-walking'],
  ['en', 'The bank lends your savings to other people.', 'bank money-bag'],
  ['de', 'Regenwasser löst Minerale aus dem Gestein.', 'cloud-with-rain rock droplet'],
  ['de', 'Flüsse tragen das Salz ins Meer.', 'national-park salt water-wave'],
  ['de', 'Dein Gehirn braucht viel Energie.', 'brain'],
  ['de', 'Der Schlaf ist wichtig für dein Gedächtnis.', 'person-in-bed bed sleeping-face brain'],
  ['de', 'Katzen schlafen bis zu sechzehn Stunden am Tag.', 'cat cat-face'],
  ['de', 'Der Zinseszins lässt dein Geld wachsen.', 'chart-increasing money-bag'],
  ['de', 'Trink morgens ein Glas Wasser.', 'tumbler-glass droplet'],
  ['de', 'Die Bienen sammeln Honig für den Winter.', 'honeybee honey-pot'],
  ['es', 'Los ríos llevan la sal de las rocas al mar.', 'national-park salt water-wave'],
  ['es', 'Tu cerebro necesita dormir para guardar la memoria.', 'brain person-in-bed'],
  ['es', 'Los gatos duermen casi todo el día.', 'cat cat-face'],
  ['es', 'El interés compuesto hace crecer tu dinero.', 'chart-increasing money-bag'],
  ['es', 'Bebe un vaso de agua cada mañana.', 'tumbler-glass droplet'],
  ['es', 'La luna mueve los océanos de la Tierra.', 'full-moon crescent-moon water-wave'],
  ['es', 'Las abejas visitan miles de flores.', 'honeybee'],
  ['es', 'Camina diez minutos después de comer.', 'person-walking'],
  ['hi', 'नदियाँ चट्टानों से नमक समुद्र तक लाती हैं।', 'national-park salt water-wave rock'],
  ['hi', 'आपके दिमाग को अच्छी नींद चाहिए।', 'brain person-in-bed'],
  ['hi', 'सुबह एक गिलास पानी पिएँ।', 'tumbler-glass droplet sunrise'],
  ['hi', 'चाँद समुद्र के पानी को खींचता है।', 'full-moon crescent-moon water-wave'],
  ['hi', 'मधुमक्खियाँ फूलों से शहद बनाती हैं।', 'honeybee honey-pot'],
]

describe('the main object of a sentence', () => {
  it('is one that a person accepts in at least 9 of 10 sentences of four languages', async () => {
    const wrong: string[] = []
    for (const [language, text, accepted] of sentences) {
      const { objects } = await sceneOf(text, language)
      if (!accepted.split(' ').includes(objects[0] ?? '')) wrong.push(`${text} ${objects[0]}`)
    }
    expect(sentences).toHaveLength(51)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(5)
  })

  it('is one that the writer wants to be seen, rather than a loose word of the sentence', async () => {
    const { objects } = await sceneOf('It takes about as long as a cup of tea.', 'en', { show: ['hourglass', 'clock'] })
    expect(objects[0]).toBe('hourglass-done')
  })

  it('is found in every language with voices', async () => {
    const seas = {
      de: 'Das Meer ist salzig.',
      en: 'The sea is salty.',
      es: 'El mar es salado.',
      fr: 'La mer est salée.',
      hi: 'समुद्र खारा है।',
      it: 'Il mare è salato.',
      ko: '바다는 짜다.',
      nl: 'De zee is zout.',
      pl: 'Morze jest słone.',
      pt: 'O mar é salgado.',
      zh: '大海是咸的。',
    }
    expect(Object.keys(seas).toSorted()).toEqual(languages.toSorted())
    for (const [language, text] of Object.entries(seas))
      expect(['water-wave', 'salt'], language).toContain((await sceneOf(text, language)).objects[0])
  })

  it('is no number, no time and no capitalised name', async () => {
    const none = await sceneOf('It took Jean three years and four hours.')
    expect(none.objects).not.toContain('jeans')
    expect(none.objects.filter((object) => /clock|calendar|watch/.test(object))).toEqual([])
  })
})

describe('the layout of a sentence', () => {
  it.each<[string, string]>([
    ['At 7 percent, $100 becomes $197 after 10 years and $387 after 20 years.', 'chart'],
    ['About 1,500 people died.', 'counter'],
    ['The iPhone came out in 2007, Android followed in 2008, and tablets in 2010.', 'timeline'],
    ['He wrote: “I think, therefore I am, and so are you.”', 'quote'],
    ['Never drink coffee in the evening.', 'crossedOut'],
    ['Plants turn sunlight into sugar.', 'pair'],
    ['You need bread, cheese and an apple.', 'chain'],
    ['An elephant is heavier than a bus.', 'comparison'],
    ['The city of Rome was not built in a day.', 'map'],
    ['The volcano is awake.', 'hero'],
  ])('of “%s” is %s', async (text, layout) => {
    expect((await sceneOf(text)).layout).toBe(layout)
  })

  it('of figures shows each with its label', async () => {
    const { figures } = await sceneOf('$100 becomes $197 after 10 years and $387 after 20 years.')
    expect(figures).toMatchObject([
      { text: '$100', value: 100 },
      { text: '$197', value: 197, label: 'after 10 years' },
      { text: '$387', value: 387, label: 'after 20 years' },
    ])
    const counter = await sceneOf('Rivers carry 4 billion tonnes of salt.')
    expect(counter.figures).toEqual([{ text: '4 billion', value: 4e9, label: 'tonnes of salt' }])
  })

  it('of figures that are spoken over two shots shows them together', async () => {
    const continued = 'and $387 after twenty years.'
    expect(await sceneOf('It becomes $197 after ten years', 'en', { continued })).toMatchObject({
      layout: 'chart',
      figures: [{ text: '$197' }, { text: '$387' }],
    })
  })

  it('of figures that are no two of a kind is no chart', async () => {
    expect((await sceneOf('$100 grows by $10 every year.')).layout).toBe('counter')
    expect((await sceneOf('It opened in the 15th and 16th centuries, at 11:40 on 14 April.')).figures).toBeUndefined()
  })

  it('of shares is a chart of all of them, halves and thirds included, each with what it is a share of', async () => {
    const sentence = 'Try half for needs, 30 percent for wants and 20 percent for saving, because a split is easy.'
    const whole = [
      { text: 'half', value: 50, label: 'needs' },
      { text: '30 percent', value: 30, label: 'wants' },
      { text: '20 percent', value: 20, label: 'saving' },
    ]
    expect(chartFiguresOf(sentence)).toEqual(whole)
    // Cut into shots, the chart still shows the whole sentence.
    const shots = ['Try half for needs,', '30 percent for wants and 20 percent', 'for saving, because a split is easy.']
    const scenes = choosePictures(
      shots.map((text, index) => ({ text, continued: shots.slice(index + 1).join(' ') })),
      { title: '', text: sentence, vocabulary: english },
    )
    expect(scenes.map(({ layout }) => layout === 'chart')).toEqual([false, true, false])
    expect(scenes[1]!.figures).toEqual(whole)
  })

  it.each<[string, string[] | undefined]>([
    ['Two thirds of adults and a third of children agree.', ['adults', 'children agree']],
    ['Cats sleep 16 hours a day and dogs 12 hours.', ['Cats', 'dogs']],
    ['Air holds 78 percent nitrogen and 21 percent oxygen.', ['nitrogen', 'oxygen']],
    ['With 10 percent, $100 becomes $110, then $121, then about $133.', ['', '', '', '']],
    ['He printed 180 copies of his Bible, and 49 copies survive in part.', undefined],
    ['It takes half an hour, or two and a half hours with 30 percent more.', undefined],
    ['It rose by 5 percent, then by 10 percent.', undefined],
    ['Between 20 percent and 40 percent of people dream in colour.', undefined],
  ])('of “%s” is a chart only with certain labels', (text, labels) => {
    expect(chartFiguresOf(text)?.map(({ label }) => label)).toEqual(labels)
  })

  it('of a range shows both its ends, and of a date before Christ the year, which counts nothing', async () => {
    expect((await sceneOf('Humans have 2 to 4 million sweat glands.')).figures).toEqual([
      { text: '2 to 4 million', value: 4e6, label: 'sweat glands' },
    ])
    expect((await sceneOf('Around 200 BC Aristophanes proposed dots.')).figures).toEqual([
      { text: '200 BC', value: -200, label: '' },
    ])
    expect((await sceneOf('A list of 20 tells you that you failed.')).figures).toBeUndefined()
  })

  it.each<[string, string, string]>([
    ['It took 2 hours and 40 minutes to go under.', '2', 'hours and 40 minutes'],
    ['About 1 in 10 known species lives there.', '1 in 10', 'known species lives there'],
    ['Nine out of 10 people get a song stuck.', 'Nine out of 10', 'people get a song stuck'],
    ['It has about 390 billion trees of some 16,000 species.', '390 billion', 'trees'],
    ['It is there by 2.4 metres.', '2.4', 'metres'],
  ])('of “%s” counts what it says', async (text, figure, label) => {
    const { layout, figures } = await sceneOf(text)
    expect([layout, figures?.map((one) => [one.text, one.label])]).toEqual(['counter', [[figure, label]]])
  })

  it('of a figure after a span of time is not a part of that span', () => {
    expect(chartFiguresOf('It becomes $197 after 10 years and $387 after 20 years.')).toHaveLength(2)
  })

  it('of what a thing is made of leads from nothing to it', async () => {
    expect((await sceneOf('The credit card was made of cardboard.')).layout).not.toBe('pair')
    expect((await sceneOf('The bee made honey.')).layout).toBe('pair')
  })

  it('of a place has its position and name, in the language of the text', async () => {
    expect(await sceneOf('In France they eat snails.')).toMatchObject({ layout: 'map', text: 'France' })
    const { text, place } = await sceneOf('In Frankreich isst man Schnecken.', 'de')
    expect(text).toBe('Frankreich')
    expect(place!.latitude).toBeCloseTo(46.6, 0)
    expect(findPlaces('A turkey is a bird.', english.places)).toEqual([])
  })
})

/** Words that once drew another thing, with the object that they must not name. */
const homographs: [text: string, wrong: string][] = [
  ['Light travels at 300,000 kilometres a second.', 'airplane'],
  ['The roof may collapse.', 'derelict-house'],
  ['White blood cells fight germs.', 'drop-of-blood'],
  ['You get up too early.', 'up-arrow'],
  ['Measure rice and water with the same cup.', 'glasses'],
  ['A glass of water stands beside the bed.', 'glasses'],
  ['The waves get shorter and shorter.', 'shorts'],
  ['Loose starch makes the grains sticky.', 'wood'],
  ['The steam cooks the top layer.', 'mountain'],
  ['The tower grows in the summer.', 'seedling'],
  ['Memory cells stay on watch.', 'watch'],
  ['It helped them a lot.', 'crutch'],
  ['Traffic lights turn red.', 'automobile'],
  ['The guards stood at the border.', 'guard'],
  ['He signed it with ink.', 'locked-with-pen'],
  ['The plates of the Earth keep pushing.', 'fork-and-knife-with-plate'],
  ['Squeeze it to the size of a marble.', 'rock'],
  ['It was cheap street food for sailors.', 'motorway'],
  ['It picks up the bubbles.', 'pick'],
  ['The blood goes through the gills.', 'lungs'],
  ['They came from the northern steppe.', 'cold-face'],
  ['The first emperor united the land.', 'classical-building'],
  ['The Great Wall of China is long.', 'japanese-castle'],
  ['Bees add enzymes.', 'microbe'],
  ['Heart and blood vessel disease is common.', 'microbe'],
  ['The battery stores energy.', 'shopping-cart'],
  ['They found only slits in the hull.', 'sailboat'],
]

describe('a word', () => {
  it.each(homographs)('of “%s” is no %s', async (text, wrong) => {
    expect((await sceneOf(text)).objects).not.toContain(wrong)
  })

  it('that ends a name in the title names the same thing in the film', () => {
    const text = 'The first card was new.'
    const cardIn = (title: string) => choosePictures([{ text }, { text }], { title, text, vocabulary: english })
    expect(cardIn('How credit cards make money')[0]!.objects).toEqual(['credit-card'])
    expect(cardIn('The secrets of playing cards')[0]!.objects).toEqual(['diamond-suit'])
  })

  it('that the writer wants to be seen is the thing of that name, or the last noun of the phrase', () => {
    const shown = Object.entries({
      'fork and knife with plate': 'fork-and-knife-with-plate',
      'face with tears of joy': 'face-with-tears-of-joy',
      'traffic light': 'horizontal-traffic-light',
      'layer cake': 'birthday-cake',
      'palm leaf': 'palm-tree',
      'mushroom cloud': 'collision',
      glass: 'tumbler-glass',
      glasses: 'glasses',
    })
    for (const nothing of ['', '!', '…', 'constructor'])
      expect(objectOfNoun(nothing, english.english), nothing).toBeUndefined()
    for (const [noun, object] of shown) expect(objectOfNoun(noun, english.english)?.object, noun).toBe(object)
  })
})

describe('a shot whose things were all seen', () => {
  it('shows them together', () => {
    const texts = ['The bee flies.', 'The honey is good.', 'The bee makes honey.']
    const scenes = choosePictures(
      texts.map((text) => ({ text, show: text.includes('good') ? ['honey pot'] : [] })),
      { title: 'Bees', text: texts.join(' '), vocabulary: english },
    )
    expect(scenes.map(({ layout, objects }) => [layout, objects.toSorted()])).toEqual([
      ['hero', ['honeybee']],
      ['hero', ['honey-pot']],
      ['ensemble', ['honey-pot', 'honeybee']],
    ])
  })
})

describe('a shot of a longer sentence', () => {
  const scenesOf = (title: string, shots: PictureShot[]) =>
    choosePictures(shots, { title, text: shots.map(({ text }) => text).join(' '), vocabulary: english })

  it('shows what its words name, and the wishes of the writer in the shots that name nothing', () => {
    const [first, second] = scenesOf('Whales', [
      { text: 'A whale swims past the ship,', show: ['telescope', 'trophy'], continued: 'which was about time.' },
      { text: 'which was about time.', show: ['telescope', 'trophy'] },
    ])
    expect(['whale', 'spouting-whale', 'ship', 'passenger-ship']).toContain(first!.objects[0])
    expect(['telescope', 'trophy']).toContain(second!.objects[0])
  })

  it('shows the thing that it names again, beside another, rather than one that it does not name', () => {
    const [, , third] = scenesOf('Bees and honey', [
      { text: 'A bee flies.' },
      { text: 'Honey is sweet.' },
      { text: 'The bee is back,', show: ['anchor'], continued: 'after all of it.' },
      { text: 'after all of it.', show: ['anchor'] },
    ])
    expect(third).toMatchObject({ layout: 'ensemble' })
    expect(third!.objects[0]).toBe('honeybee')
  })

  it('that names nothing but a year or a short time shows it', () => {
    const shots = ['In 1796 Edward Jenner', 'and about 6 weeks later it was on 13 August 1961,', 'or 3 years']
    const figuresOf = (text: string) => scenesOf('', [{ text }])[0]!.figures?.map((figure) => figure.text)
    expect(shots.map(figuresOf)).toEqual([['1796'], ['1961'], undefined])
    expect(figuresOf('It takes 6 weeks.')).toEqual(['6'])
  })

  it.each([
    ['It stood around 2600 BC', '2600 BC'],
    ['After he died in 395', '395'],
    ['Between 235 and 284, nobody knew', '235–284'],
    ['between 1914 and 1918', '1914–1918'],
    ['It lasted until 476.', '476'],
    ['It is true of one in 100.', undefined],
    ['It is true of 10 in 100.', undefined],
  ])('%s: %s is a year by the words around it', (text, year) => {
    const [scene] = scenesOf('', [{ text }])
    expect(scene!.layout === 'counter' ? scene!.figures![0]!.text : undefined).toBe(year)
  })

  it('crosses out nothing beside the subject that opens the film, nor after a leading “Without”', () => {
    const layouts = ['A flamingo needs almost no muscle.', 'Without salt, it would taste of water.']
    expect(layouts.map((text) => scenesOf('Flamingo', [{ text }])[0]!.layout)).not.toContain('crossedOut')
  })

  it.each(['What would you do then?', 'What would the volcano do?'])(
    '“%s”, after all was seen, shows the subject with what the film names',
    (text) => {
      const scenes = scenesOf('Volcanoes', [{ text: 'A volcano is awake.' }, { text: 'Rock flows.' }, { text }])
      expect(scenes.at(-1)).toMatchObject({ layout: 'ensemble', objects: ['volcano', 'rock'] })
    },
  )
})

describe('a film about an animal', () => {
  it('shows no person for its body', () => {
    const text = 'The blood goes through the body of the octopus.'
    const [scene] = choosePictures([{ text }], { title: 'Why octopuses have three hearts', text, vocabulary: english })
    expect(scene!.objects).toContain('octopus')
    expect(scene!.objects).not.toContain('person-standing')
  })

  it('shows no people for its young and its mother while it can show the animal', () => {
    const shots = [
      { text: 'A cat kneads your lap.', show: [] },
      { text: 'As newborn kittens they pushed their mother.', show: ['cat face', 'paw'] },
    ]
    const scenes = choosePictures(shots, { title: 'Why cats knead', text: '', vocabulary: english })
    expect(scenes.map(({ objects }) => objects[0])).toEqual(['cat', 'paw-prints'])
    const drawn = scenes.flatMap(({ objects }) => objects)
    expect(drawn.filter((object) => ['baby', 'breast-feeding'].includes(object))).toEqual([])
  })
})

describe('the film of an idea that no knowledge covers', () => {
  const title = 'How my grandfather repaired clocks in Tallinn'
  const text = `A few words about h${title.slice(1)}. Who should hear about it? Write it in the comments.`
  const shots = [
    { text: 'A few words about how my grandfather', continued: 'repaired clocks in Tallinn.' },
    { text: 'repaired clocks in Tallinn.' },
    { text: 'Who should hear about it?' },
    { text: 'Write it in the comments.' },
  ]

  it('shows the things and the place of its title', () => {
    const scenes = choosePictures(shots, { title, text, vocabulary: english })
    expect(scenes.map(({ layout, objects }) => [layout, objects[0]])).toEqual([
      ['hero', 'old-man'],
      ['hero', 'mantelpiece-clock'],
      ['map', undefined],
      ['hero', 'memo'],
    ])
    expect(scenes[2]!.text).toBe('Tallinn')
  })
})

describe('the ground', () => {
  it.each<[string, string]>([
    ['Your ears and your eyes work as one.', 'studio'],
    ['Why do you ask that question?', 'studio'],
    ['The shield of the immune system holds.', 'studio'],
    ['About three million people had left.', 'studio'],
    ['Bread and cheese are old.', 'studio'],
    ['A drop of blood tells a lot.', 'body'],
  ])('of “%s” is neutral, or where its object is at home: %s', async (text, ground) => {
    expect((await sceneOf(text)).ground).toBe(ground)
  })

  it.each<[string, string]>([
    ['A shark hunts fish.', 'underwater'],
    ['The astronaut looks at the stars.', 'space'],
    ['You sleep better in a cool bedroom.', 'bedroom'],
    ['Fry the eggs in a pan.', 'kitchen'],
    ['A camel stores fat.', 'desert'],
  ])('of “%s” is %s', async (text, ground) => {
    expect((await sceneOf(text)).ground).toBe(ground)
  })
})

interface Topic {
  title: string
  facts: { text: string; show: string[] }[]
}
const topics = globSync('knowledge/*.json', { cwd: assets })
  .toSorted()
  .flatMap((file) => readJson<{ topics: Topic[] }>(file).topics.slice(0, 10))
const keyOf = ({ layout, objects, figures = [], text }: PictureScene) =>
  JSON.stringify([layout, objects.toSorted(), figures.map((figure) => figure.text), text])

describe.each([
  ['with words to show', true],
  ['without', false],
])('the films of bundled knowledge, %s', (_name, hasShow) => {
  const films = topics.map(({ title, facts }) => {
    const shots = facts.flatMap(({ text, show }) => {
      const half = text.indexOf(' ', text.length / 2)
      return [text.slice(0, half), text.slice(half + 1)].map((part) =>
        hasShow ? { text: part, show } : { text: part },
      )
    })
    return {
      title,
      scenes: choosePictures(shots, { title, text: facts.map(({ text }) => text).join(' '), vocabulary: english }),
    }
  })

  it('never show a scene twice, nor the same main object twice running', () => {
    expect(films.length).toBeGreaterThanOrEqual(20)
    for (const { title, scenes } of films) {
      expect(new Set(scenes.map(keyOf)).size, title).toBe(scenes.length)
      for (const [index, { objects }] of scenes.entries())
        if (index > 0 && objects[0]) expect(objects[0], title).not.toBe(scenes[index - 1]!.objects[0])
    }
  })

  it('show no drawing as main picture twice, and none more than twice beside another', () => {
    const counts = films.map(({ title, scenes }) => {
      const drawn = scenes.filter(({ layout }) => !/^(?:chart|counter|timeline|quote|map|ensemble)$/.test(layout))
      const mains = drawn.flatMap(({ layout, objects }) =>
        objects.slice(0, layout === 'chain' ? 3 : /pair|comparison/.test(layout) ? 2 : 1),
      )
      const props = drawn.flatMap(({ layout, objects }) => (/hero|group/.test(layout) ? objects.slice(1) : []))
      const most = Math.max(0, ...props.map((prop) => props.filter((other) => other === prop).length))
      return { title, repeated: mains.length - new Set(mains).size, most }
    })
    expect(counts.filter(({ repeated, most }) => repeated > 0 || most > 2)).toEqual([])
  })

  it('show only bundled objects, on known grounds, in known layouts', () => {
    for (const { title, scenes } of films)
      for (const scene of scenes) {
        expect(
          scene.objects.filter((object) => !objects[object]),
          title,
        ).toEqual([])
        expect(pictureGrounds).toContain(scene.ground)
        expect(pictureLayouts).toContain(scene.layout)
      }
  })

  it('have at least 40 distinct scenes over 20 films', () => {
    const first = films.slice(0, 20)
    expect(new Set(first.flatMap(({ scenes }) => scenes.map(keyOf))).size).toBeGreaterThanOrEqual(40)
    expect(new Set(first.flatMap(({ scenes }) => scenes.map(({ objects }) => objects[0]))).size).toBeGreaterThanOrEqual(
      40,
    )
  })
})

describe('a text that names nothing', () => {
  it('still has distinct scenes', () => {
    const shots = Array.from({ length: 60 }, () => ({ text: 'It is what it is.' }))
    const scenes = choosePictures(shots, { title: '', text: '', vocabulary: english })
    expect(new Set(scenes.map(keyOf)).size).toBe(60)
  })
})

describe('assets/objects', () => {
  it('holds 900 to 1,300 objects with a name in every language, within 4 MB, with the licences beside', () => {
    const ids = Object.keys(objects)
    expect(ids.length).toBeGreaterThanOrEqual(900)
    expect(ids.length).toBeLessThanOrEqual(1300)
    for (const language of languages)
      expect(Object.keys(readJson<Record<string, string[]>>(`objects/keywords/${language}.json`))).toEqual(ids)
    const files = globSync('objects/**/*.*', { cwd: assets })
    expect(files.reduce((sum, file) => sum + statSync(assets + file).size, 0)).toBeLessThan(4_000_000)
    for (const name of ['fluent-emoji', 'emojibase', 'unicode'])
      expect(existsSync(`${assets}objects/LICENSE-${name}.txt`), name).toBe(true)
  })

  it('holds every object of the curated words', () => {
    for (const language of languages)
      for (const [word, ids] of pictureOverrides(language))
        expect(
          ids.filter((id) => !objects[id]),
          `${language}: ${word}`,
        ).toEqual([])
  })
})
