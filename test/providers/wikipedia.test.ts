/** Research in Wikipedia: which articles fit an idea, which sentences are facts, and what a failure costs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProviderBusy } from '../../lib/domain/core/failures.ts'
import { estimateSpeechSeconds } from '../../lib/domain/core/speech-duration.ts'
import { chooseResearch } from '../../lib/providers/choose/research.ts'
import { paragraphsOf, standaloneSentences } from '../../lib/providers/research/article-facts.ts'
import { wikipediaResearch } from '../../lib/providers/research/wikipedia.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { type FakeArticle, type FakeWikipedia, startFakeWikipedia } from '../support/fake-vendors/wikipedia.ts'

const quokka: FakeArticle = {
  title: 'Quokka',
  intro: [
    'The quokka (; Setonix brachyurus) is a small macropod about the size of a domestic cat.',
    'It is the only member of the genus Setonix. Like other marsupials, the quokka is herbivorous and mainly nocturnal.',
    'The quokka weighs 2.5 to 5 kilograms (5.5 to 11.0 lb) and is 40 to 54 centimetres (16 to 21 in) long.',
  ].join(' '),
  sections: [
    '== Distribution ==',
    'A large colony of quokkas lives on Rottnest Island, about 18 kilometres off the coast of Perth.',
    '=== Decline ===',
    'Foxes arrived in the 1930s. However, quokkas survived on the islands of Western Australia without foxes.',
    'In 1992, a survey found fewer than 1,000 quokkas on the mainland of Australia.',
    '== See also ==',
    'The quokka has a list of relatives that nobody reads aloud in a video.',
  ].join('\n'),
}

let wikipedia: FakeWikipedia
beforeAll(async () => {
  wikipedia = await startFakeWikipedia()
})
afterAll(() => wikipedia.stop())
beforeEach(() => {
  Object.assign(wikipedia, { articles: [quokka], faults: [], fault: null })
  wikipedia.calls.length = 0
})

const research = () =>
  wikipediaResearch({ url: `${wikipedia.url}/{language}`, userAgent: 'Reelsmith/1.0 (mail@example.com)' })
const find = (idea: string, language = 'en') => research().find({ idea, language })

describe('facts from Wikipedia', () => {
  it('are whole sentences of the article that stand alone, with the source and its licence', async () => {
    const findings = await find('Quokka')
    expect(findings).toMatchObject({
      title: 'Quokka',
      kind: 'explanation',
      sources: [{ title: 'Quokka', url: 'https://en.wikipedia.org/wiki/Quokka', licence: 'CC-BY-SA-4.0' }],
    })
    expect(findings!.facts.map(({ text }) => text)).toEqual([
      'The quokka is a small macropod about the size of a domestic cat.',
      'Like other marsupials, the quokka is herbivorous and mainly nocturnal.',
      'The quokka weighs 2.5 to 5 kilograms and is 40 to 54 centimetres long.',
      'A large colony of quokkas lives on Rottnest Island, about 18 kilometres off the coast of Perth.',
      'In 1992, a survey found fewer than 1,000 quokkas on the mainland of Australia.',
    ])
  })

  it('about the rest of the idea come first', async () => {
    const findings = await find('Quokkas of Rottnest Island')
    expect(findings!.facts[0]!.text).toContain('Rottnest Island')
  })

  it('are searched by the words of the idea in the wiki of the language', async () => {
    await find('How do quokkas survive in Australia?')
    const [search] = wikipedia.calls
    expect(search!.query.get('gsrsearch')).toBe('quokkas survive Australia')
    wikipedia.articles = [
      {
        title: 'Quokka',
        intro: [1, 2, 3, 4, 5, 6].map((n) => `Das Quokka frisst an Tag ${n} vor allem Blätter und Gräser.`).join(' '),
      },
    ]
    const findings = await find('Was frisst das Quokka?', 'de')
    expect(wikipedia.calls.at(-1)!.path).toBe('/de/w/api.php')
    expect(findings?.facts).toHaveLength(6)
  })

  it('become a script that quotes them and names the source', async () => {
    const script = await builtInWriter.write({
      ...{ prompt: 'Quokka', scriptPrompt: null, language: 'en', durationSecondsMax: 60, mood: null, variation: null },
      findings: await find('Quokka'),
    })
    expect(script).toMatchObject({ writtenBy: 'knowledge', grounded: true, sources: [{ licence: 'CC-BY-SA-4.0' }] })
    expect(script.text).toContain('fewer than 1,000 quokkas')
  })

  it('become a script of the allowed length in languages without spaces', async () => {
    const sentence = (n: number) =>
      `クアッカの${n}番目の特徴は、オーストラリアの小さな島に住み、人を恐れないことである。`
    wikipedia.articles = [{ title: 'クアッカ', intro: Array.from({ length: 10 }, (_, n) => sentence(n)).join('') }]
    const findings = await find('クアッカ', 'ja')
    expect(findings?.facts).toHaveLength(10)
    const { text } = await builtInWriter.write({
      ...{
        prompt: 'クアッカ',
        scriptPrompt: null,
        language: 'ja',
        durationSecondsMax: 60,
        mood: null,
        variation: null,
      },
      findings,
    })
    expect(estimateSpeechSeconds(text)).toBeLessThanOrEqual(60)
  })

  it.each([
    ['a disambiguation page', 'Quokka', [{ ...quokka, isDisambiguation: true }]],
    ['an article about something else', 'How my neighbour feeds quokkas', [quokka]],
    ['an article that lacks a word of the idea', 'Quokka volcano', [quokka]],
    ['a title with another subject', 'Rottnest Island', [quokka]],
    [
      'an article with too few facts',
      'Quokka',
      [{ title: 'Quokka', intro: 'The quokka is a small animal of Australia.' }],
    ],
    ['no article', 'Quokka', []],
  ])('are not taken from %s', async (_, idea, articles) => {
    wikipedia.articles = articles
    expect(await find(idea)).toBeNull()
  })

  it('are not looked for in a language that is no language code', async () => {
    expect(await find('Quokka', '../x')).toBeNull()
    expect(wikipedia.calls).toEqual([])
  })

  it.each([
    ['throttled', { status: 429, headers: { 'retry-after': '5' } }],
    ['down', { status: 503 }],
    ['lagging', { body: { error: { code: 'maxlag', info: 'Waiting for a server: 6 seconds lagged.' } } }],
    ['interrupted', 'lost'],
  ] as const)('are asked for again if Wikipedia is %s', async (_, fault) => {
    wikipedia.faults = [fault]
    await expect(find('Quokka')).rejects.toBeInstanceOf(ProviderBusy)
  })
})

describe('the research of a deployment that chooses Wikipedia', () => {
  beforeEach(() => {
    vi.stubEnv('PROVIDERS', JSON.stringify({ research: 'wikipedia', contact: 'mail@example.com' }))
    vi.stubEnv('VENDOR_URLS', JSON.stringify({ wikipedia: wikipedia.url }))
    vi.stubEnv('TIME_SCALE', '1000')
  })
  afterEach(() => void vi.unstubAllEnvs())
  const chosen = async (idea: string) => (await chooseResearch()).find({ idea, language: 'en' })

  it('prefers the bundled knowledge', async () => {
    expect((await chosen('Why the sea is salty'))?.sources[0]?.licence).toBeNull()
    expect(wikipedia.calls).toEqual([])
  })

  it('names the operator to Wikipedia, and retries while it is busy', async () => {
    wikipedia.faults = [{ status: 429 }]
    expect((await chosen('Quokka'))?.title).toBe('Quokka')
    expect(wikipedia.calls[0]!.headers['user-agent']).toMatch(/^Reelsmith\/1\.0 \(mail@example\.com\) node\//)
  })

  it('knows nothing where Wikipedia stays busy or refuses, so that a video does not fail', async () => {
    wikipedia.fault = { status: 503 }
    expect(await chosen('Quokka')).toBeNull()
    expect(wikipedia.calls).toHaveLength(2)
    wikipedia.fault = { status: 403 }
    expect(await chosen('Quokka')).toBeNull()
    expect(wikipedia.calls).toHaveLength(3)
  })
})

describe('the sentences of an article', () => {
  const sentences = (text: string, language = 'en') =>
    paragraphsOf(text).flatMap((paragraph) => standaloneSentences(paragraph, language))

  it.each([
    'They were first described by a Dutch sailor in the year 1658.',
    'However, the number of visitors to the island has grown since then.',
    'Notably, their ability to regenerate declines with age but does not end.',
    'The area is given by A = πr² for a circle of radius r.',
    'Short sentences say too little.',
    'the sentence of a list item that begins with a small letter.',
    'According to the historian, "the battle was lost before it began on that day.',
    'The following are found on the island and nowhere else in the world:',
  ])('that cannot be spoken on their own are left out: %s', (text) => {
    expect(sentences(text)).toEqual([])
  })

  it('are not cut at abbreviations', () => {
    expect(sentences('The settlers of the island built a church for St. Nicholas in the year 1320.')).not.toContain(
      'Nicholas in the year 1320.',
    )
  })

  it('are not cut at ordinal numbers, and have a subject', () => {
    expect(
      sentences('Der Axolotl wurde im 19. Jahrhundert von Alexander von Humboldt nach Europa gebracht.', 'de'),
    ).toEqual([])
    expect(sentences('Es endémico del sistema lacustre del valle de México y muy conocido.', 'es')).toEqual([])
    expect(sentences('El ajolote es una especie de anfibio de la familia Ambystomatidae.', 'es')).toHaveLength(1)
  })

  it('lose pronunciations and conversions in brackets, and keep numbers', () => {
    expect(
      sentences('Tallinn (Estonian: [ˈtɑlʲːinː] (listen)) has a population of about 461,000 (as of 2024).'),
    ).toEqual(['Tallinn has a population of about 461,000.'])
  })

  it('are found in languages without spaces', () => {
    expect(sentences('海水には平均して約3.5パーセントの塩分が含まれている。', 'ja')).toHaveLength(1)
  })
})
