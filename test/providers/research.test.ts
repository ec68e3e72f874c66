import { describe, expect, it } from 'vitest'
import { builtInResearch } from '../../lib/providers/research/built-in.ts'
import { loadTopics, type Topic } from '../../lib/providers/research/knowledge.ts'
import { contentStems, indexTopics, matchTopic, stemOf } from '../../lib/providers/research/match-topic.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import type { ScriptInput } from '../../lib/providers/writer/index.ts'

import heldOut from './fixtures/held-out-ideas.json' with { type: 'json' }

const topics = await loadTopics()
const index = indexTopics(topics)
const topicOf = (idea: string) => matchTopic(idea, index)?.topic.id

async function write(prompt: string, change: Partial<ScriptInput> = {}) {
  const findings = await builtInResearch.find({ idea: prompt, language: change.language ?? 'en' })
  return builtInWriter.write({
    prompt,
    scriptPrompt: null,
    language: 'en',
    durationSecondsMax: 60,
    mood: null,
    variation: null,
    findings,
    ...change,
  })
}

describe('the bundled knowledge', () => {
  it('knows at least 300 topics, each once', () => {
    expect(topics.length).toBeGreaterThanOrEqual(300)
    expect(new Set(topics.map(({ id }) => id)).size).toBe(topics.length)
  })

  const problemsOf = ({ kind, title, names, hooks, facts, turn, closes, sources }: Topic): string[] => {
    const lines = [...hooks, ...closes, ...facts.map(({ text }) => text)]
    const wordsOf = (text: string) => text.split(/\s+/).length
    return [
      ...(title.length <= 60 ? [] : ['title']),
      ...(names.length >= 3 && names.every((name) => name === name.toLowerCase()) ? [] : ['names']),
      ...(hooks.length >= 2 && closes.length >= 1 ? [] : ['frame']),
      ...(facts.length >= 6 && facts.length <= 10 ? [] : ['number of facts']),
      ...(turn > 0 && turn < facts.length ? [] : ['turn']),
      ...lines.filter((line) => !/[.?]$/.test(line) || wordsOf(line) > 30),
      ...lines.filter((line) => /[();!*_#—–]/.test(line)),
      ...facts
        .map(({ text }) => text)
        .filter((text) => /^(?:It|They|This|That|These|Those|He|She|Its|Their)\b/.test(text)),
      ...facts.filter(({ show }) => show.length < 1 || show.length > 3).map(({ text }) => text),
      ...facts.filter(({ source }) => !sources[source]).map(({ text }) => text),
      ...sources.filter(({ url }) => !URL.canParse(url) || !url.startsWith('https://')).map(({ url }) => url),
      ...(kind === 'advice' ? facts.filter(({ text }) => !/^[A-Z][a-z]+/.test(text)).map(({ text }) => text) : []),
    ]
  }

  it('has facts that can be spoken on their own, each with a thing to show and a source', () => {
    expect(topics.flatMap((topic) => problemsOf(topic).map((problem) => `${topic.id}: ${problem}`))).toEqual([])
  })

  it('states each fact once', () => {
    const facts = topics.flatMap((topic) => topic.facts.map(({ text }) => text))
    expect(facts.filter((text, at) => facts.indexOf(text) !== at)).toEqual([])
  })

  it('is found under the title and under every name of a topic, as that topic or one with the same name', () => {
    for (const { title, names } of topics)
      for (const phrase of [title, ...names].filter((name) => contentStems(name).length > 0))
        expect(topicOf(phrase), phrase).toBeDefined()
    const own = topics.filter((topic) => topicOf(topic.title) === topic.id)
    expect(own.length / topics.length).toBeGreaterThan(0.95)
  })
})

describe('research about an idea', () => {
  it.each([
    'How my grandfather repaired clocks in Tallinn',
    'Our new café opens on Saturday',
    'I quit my job to travel the world',
    'The perfect handover in a relay team of accountants',
    'A day at the beach with two dogs',
    'How a startup in Berlin lost its coffee machine',
    'The best pizza place in our town',
    'My cat ate the homework',
    'Welcome to the Blue Door bakery',
    'Behind the scenes at Miller’s farm',
    'The night the lights went out in Riga',
    'Schadenfreude und Gemütlichkeit',
    '😀',
    '',
  ])('finds nothing for "%s"', async (idea) => {
    expect(await builtInResearch.find({ idea, language: 'en' })).toBeNull()
  })

  it('finds the topic that an idea is about, not one of which a short name is all that the idea holds', () => {
    expect(topicOf('How the heart pumps blood')).toBe('human-heart')
    expect(topicOf('Why octopuses have three hearts')).toBe('octopus-hearts')
  })

  it('finds nothing in a language that it has no facts in', async () => {
    expect(await builtInResearch.find({ idea: 'Titanic', language: 'de' })).toBeNull()
  })

  it('compares words by their stems', () => {
    expect(['cats', 'sleeping', 'stories', 'boxes', 'stopped', 'quickly'].map(stemOf)).toEqual(
      ['cat', 'sleep', 'story', 'box', 'stop', 'quick'].map(stemOf),
    )
  })

  it('tells facts about the rest of the idea first', async () => {
    const [topic] = topics
    const fact = topic!.facts.at(-1)!
    const idea = `${topic!.title}: ${contentStems(fact.text).join(' ')}`
    expect((await builtInResearch.find({ idea, language: 'en' }))?.facts[0]).toEqual(fact)
  })
})

it('knows at least 45 of 60 ideas that were written without looking at the topics', async () => {
  const found = await Promise.all(heldOut.map((idea) => builtInResearch.find({ idea, language: 'en' })))
  expect(found.filter((findings) => findings && findings.facts.length >= 4).length).toBeGreaterThanOrEqual(45)
})

describe('a script from facts', () => {
  const ideas = topics.filter(({ id, title }, at) => at % 7 === 0 && topicOf(title) === id).map(({ title }) => title)

  it('holds nothing but lines of the topic, at least four facts of them, and names its sources', async () => {
    for (const idea of ideas) {
      const script = await write(idea)
      const findings = (await builtInResearch.find({ idea, language: 'en' }))!
      const known = [...findings.hooks, ...findings.closes, ...findings.facts.map(({ text }) => text)]
      const spoken = script.beats!.map(({ text }) =>
        text.replace(/^(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth), /, ''),
      )
      const isKnown = (line: string) => known.some((one) => one.toLowerCase() === line.toLowerCase())
      expect(
        spoken.filter((line) => !isKnown(line)),
        idea,
      ).toEqual([])
      expect(
        spoken.filter((line) => findings.facts.some(({ text }) => text.toLowerCase() === line.toLowerCase())).length,
        idea,
      ).toBeGreaterThanOrEqual(4)
      expect(script).toMatchObject({ writtenBy: 'knowledge', grounded: true, sources: findings.sources })
      expect(script.beats!.map(({ text }) => text).join(' ')).toBe(script.text)
    }
  })

  it('fits the length, and says less rather than cut a sentence', async () => {
    for (const idea of ideas)
      for (const durationSecondsMax of [12, 15, 60, 180]) {
        const { text } = await write(idea, { durationSecondsMax })
        expect(text.split(/\s+/).length / 2.6, idea).toBeLessThanOrEqual(durationSecondsMax)
        expect(text).toMatch(/[.?]$/)
      }
  })

  it('never opens like its source, and mostly differs from its siblings', async () => {
    for (const idea of ideas) {
      const texts = await Promise.all(
        [null, 'a', 'b', 'c'].map(async (variation) => (await write(idea, { variation })).text),
      )
      expect(texts.slice(1), idea).not.toContain(texts[0])
      // Two siblings may be alike: then one is written again, by another variation.
      expect(new Set(texts).size, idea).toBeGreaterThanOrEqual(texts.length - 1)
    }
  })

  it('follows a briefing that dictates its first and last line', async () => {
    const scriptPrompt = 'Start with "Good night." and end with "Sleep well."'
    expect((await write('How to fall asleep faster', { scriptPrompt })).text).toMatch(/^Good night\. .*Sleep well\.$/)
  })

  it('tells at least one fact however short it is, and another one in a variation', async () => {
    const scripts = await Promise.all(
      [null, 'a', 'b', 'c'].map((variation) =>
        write('How to fall asleep faster', { durationSecondsMax: 8, variation }),
      ),
    )
    expect(new Set(scripts.map(({ text }) => text)).size).toBeGreaterThanOrEqual(3)
  })

  it('counts as many steps as the idea asks for', async () => {
    const advice = topics.find(({ kind, title }) => kind === 'advice' && /^(?:ways|how) to\b/i.test(title))!
    const { text } = await write(advice.title.replace(/^(?:ways|how) to/i, 'Three ways to'))
    expect(text).toMatch(/First, .*Second, .*Third, /)
    expect(text).not.toContain('Fourth,')
  })
})
