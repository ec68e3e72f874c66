import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateSpeechSeconds } from '../../lib/domain/generation/speech-duration.ts'
import { builtInVoices, languagesOf } from '../../lib/domain/videos/voices.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { titleFor } from '../../lib/providers/writer/title.ts'

const write = (
  prompt: string,
  change: {
    language?: string
    durationSecondsMax?: number
    scriptPrompt?: string
    mood?: string
    variation?: string | null
  } = {},
) =>
  builtInWriter.write({
    prompt,
    scriptPrompt: null,
    language: 'en',
    durationSecondsMax: 60,
    mood: null,
    variation: null,
    ...change,
  })
const secondsOf = (text: string) => text.split(/\s+/).length / 2.6

const prompts = [
  ...[
    'how to sleep better',
    'Why is the sky blue?',
    'what is blockchain',
    'Why cats purr',
    '5 tips for remote work',
    'Coffee',
    'Paris',
  ],
  ...[
    '3 mistakes new runners make',
    'Make a video about productivity',
    'I quit my job to travel the world',
    'Stop procrastinating',
  ],
  ...[
    'The history of the Roman Empire',
    'MORNING HABITS OF SUCCESSFUL PEOPLE',
    'Schadenfreude und Gemütlichkeit',
    '😀',
    'explain quantum physics',
  ],
]

describe('a variation', () => {
  const languages = ['en', 'es', 'fr', 'de', 'it', 'pt']
  const story = 'I quit my job to travel the world. Nobody believed me. I left with one bag.'

  it('expresses the idea in other words than its source and its siblings', async () => {
    for (const language of languages)
      for (const prompt of [...prompts, story]) {
        const told = [null, 'vid_1', 'vid_2', 'vid_3'].map((variation) => write(prompt, { language, variation }))
        const texts = (await Promise.all(told)).map(({ text }) => text)
        expect(new Set(texts).size, `${language}: ${prompt}`).toBe(texts.length)
      }
  })

  it('is deterministic, and keeps to its length', async () => {
    for (const prompt of [...prompts, story]) {
      const script = await write(prompt, { variation: 'vid_1' })
      expect(await write(prompt, { variation: 'vid_1' })).toEqual(script)
      expect(secondsOf(script.text)).toBeLessThanOrEqual(60)
    }
  })
})

describe('a script written by rules', () => {
  it('is deterministic', async () => {
    for (const prompt of prompts) expect(await write(prompt)).toEqual(await write(prompt))
  })

  it.each([
    [60, 18, 30],
    [180, 75, 120],
    [600, 240, 400],
  ])('of at most %i s lasts %i to %i s', async (durationSecondsMax, least, most) => {
    for (const prompt of prompts) {
      const seconds = secondsOf((await write(prompt, { durationSecondsMax })).text)
      expect(seconds, prompt).toBeGreaterThanOrEqual(least)
      expect(seconds, prompt).toBeLessThanOrEqual(most)
    }
  })

  it('never has the same sentence twice, for any length', async () => {
    for (const prompt of prompts) {
      const sentences = (await write(prompt, { durationSecondsMax: 600 })).text.split(/(?<=[.!?]) /)
      expect(
        sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at),
        prompt,
      ).toEqual([])
    }
  })

  it('puts the idea into a sentence that fits it', async () => {
    const opening = async (prompt: string) => (await write(prompt)).text
    expect(await opening('how to sleep better')).toContain(' how to sleep better')
    expect(await opening('Why is the sky blue')).toMatch(/^Why is the sky blue\? [A-Z]/)
    expect(await opening('I quit my job to travel the world')).toMatch(/^I quit my job to travel the world\. [A-Z]/)
    expect(await opening('Make a video about productivity')).toContain('about productivity')
    expect(await opening('Stop procrastinating')).toContain('how to stop procrastinating')
    expect(await opening('Explain black holes to a five year old')).toMatch(/ black holes(?! to)/)
    expect(await opening('A joke about why cats purr')).toMatch(/(?<!joke about )why cats purr/)
    expect(await opening('10 mind-blowing facts about the deep ocean')).toMatch(/(?<!facts about )the deep ocean/)
    expect(await opening('Did you know that honey never spoils?')).toMatch(/^Honey never spoils\./)
  })

  it('promises no number of items that it does not know', async () => {
    for (const prompt of ['Five habits of calm mornings', '7 signs of a good mentor']) {
      const { text } = await write(prompt, { durationSecondsMax: 30 })
      expect(text).toContain(prompt.replace(/^\S+/, 'the'))
      expect(text).not.toMatch(/\b(?:five|7)\b/i)
    }
  })

  it('tells a story in its own words and omits instructions', async () => {
    const { text } = await write(
      'The keeper lived alone for years. Every night he lit the lamp. Use a calm tone. One winter he was gone.',
    )
    expect(text).toContain('Every night he lit the lamp. One winter he was gone.')
    expect(text).not.toContain('calm tone')
  })

  it('adds no advice to an announcement', async () => {
    const pitch = 'Meet Loop, a reusable coffee cup that keeps drinks hot.'
    const { text } = await write(`${pitch} It costs ten euros. It should end with a call to action.`)
    expect(text).toContain(`${pitch} It costs ten euros.`)
    expect(text).not.toMatch(/First,|ingredient|recipe/)
    expect(secondsOf(text)).toBeGreaterThan(8)
  })

  it('follows a briefing that dictates its first and last line', async () => {
    const { text } = await write('Coffee', {
      scriptPrompt: 'Funny. Start with "Good morning." and end with "Follow for more."',
    })
    expect(text).toMatch(/^Good morning\. .*Follow for more\.$/)
  })

  it('is in the requested language, or in that of the prompt', async () => {
    const told = {
      es: 'pregunt',
      fr: 'vous|question',
      de: 'Frage|dich',
      it: 'domand|storia',
      pt: 'pergunt|história',
    }
    for (const [language, words] of Object.entries(told)) {
      const { text } = await write('Radio Europa', { language, durationSecondsMax: 180 })
      expect(text).toContain('Radio Europa.')
      expect(text).toMatch(new RegExp(words))
      expect(secondsOf(text)).toBeGreaterThan(60)
    }
    expect((await write('سلام', { language: 'fa' })).text).toBe('سلام.')
  })

  it('gives advice if the prompt asks for it, and never answers a question with it, in any language', async () => {
    const advice = /Fehler früh|muy pequeño|obstáculo|tout petit|obstacle|Hindernis|ostacolo|molto piccolo|bem pequeno/
    const questions = {
      de: 'Warum Katzen schnurren',
      es: 'La historia del Imperio romano',
      fr: 'Pourquoi le ciel est bleu ?',
      it: 'Perché il cielo è blu?',
      pt: 'Por que os gatos ronronam?',
    }
    for (const [language, prompt] of Object.entries(questions)) {
      const { text } = await write(prompt, { language, durationSecondsMax: 180 })
      expect(text, language).not.toMatch(advice)
    }
    const wishes = { de: 'Wie man besser schläft', es: 'Tres hábitos para dormir', fr: 'Comment mieux dormir' }
    for (const [language, prompt] of Object.entries(wishes)) {
      const { text } = await write(prompt, { language, durationSecondsMax: 180 })
      expect(text, language).toMatch(advice)
    }
  })

  it('is longer than the idea in every language that has a voice, with the punctuation of that language', async () => {
    for (const language of languagesOf(builtInVoices)) {
      const { text } = await write('Radio Europa', { language })
      expect(estimateSpeechSeconds(text), language).toBeGreaterThan(10)
    }
    expect((await write('猫为什么会打呼噜', { language: 'zh' })).text).toContain('猫为什么会打呼噜。')
    expect((await write('सुबह की सैर', { language: 'hi' })).text).toContain('सुबह की सैर।')
  })

  it('is plain prose of capitalised sentences for any prompt, and never longer than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
        fc.constantFrom(60, 180, 600),
        async (prompt, durationSecondsMax) => {
          const { text, title } = await write(`About ${prompt}`, { durationSecondsMax })
          expect(secondsOf(text)).toBeLessThanOrEqual(durationSecondsMax)
          expect(text).not.toMatch(/undefined|\{it\}|\{count\}|[*#_`]{2}/)
          expect(title.length > 0 && Array.from(title).length <= 80).toBe(true)
        },
      ),
      { numRuns: 60, seed: 3 },
    )
  })
})

describe('a title', () => {
  it('is short, capitalised and in title form', async () => {
    expect((await write('how to sleep better')).title).toBe('How to Sleep Better')
    expect((await write('Make a video about productivity')).title).toBe('Productivity')
    expect((await write('why is the sky blue')).title).toBe('Why is the sky blue?')
    expect((await write('iPhone or Pixel')).title).toBe('iPhone or Pixel')
    expect((await write('buenos hábitos', { language: 'es' })).title).toBe('Buenos hábitos')
  })

  it('of a given script is its first sentence, cut at a word', () => {
    expect(titleFor('small habits win. The rest follows.')).toBe('Small habits win')
    const long = titleFor(`${'wonderful '.repeat(20)}end.`)
    expect(Array.from(long).length).toBeLessThanOrEqual(80)
    expect(long).toMatch(/wonderful…$/)
    expect(titleFor('…')).toBe('Untitled')
  })
})
