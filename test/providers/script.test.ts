import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateSpeechSeconds } from '../../lib/domain/core/speech-duration.ts'
import { builtInVoices, languagesOf } from '../../lib/domain/videos/voices.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { englishPhrases } from '../../lib/providers/writer/phrases/index.ts'
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

  it('never opens like its source, and mostly differs from its siblings', async () => {
    for (const language of languages)
      for (const prompt of [...prompts, story]) {
        const told = [null, 'vid_1', 'vid_2', 'vid_3'].map((variation) => write(prompt, { language, variation }))
        const texts = (await Promise.all(told)).map(({ text }) => text)
        expect(texts.slice(1), `${language}: ${prompt}`).not.toContain(texts[0])
        // Two siblings may be alike: then one is written again, by another variation.
        expect(new Set(texts).size, `${language}: ${prompt}`).toBeGreaterThanOrEqual(texts.length - 1)
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

describe('a script about an unknown idea', () => {
  it('says that nothing is known, and states nothing but what the client says', async () => {
    const prompt = 'How my grandfather repaired clocks in Tallinn'
    const script = await write(prompt)
    expect(script).toMatchObject({ writtenBy: 'template', grounded: false, sources: [] })
    const said = script.text.replace(/how my grandfather repaired clocks in tallinn/i, '{it}')
    const { hooks, questions, calls } = englishPhrases
    const frame = [...Object.values(hooks.phrase).flat(), ...questions.phrase, ...calls]
    expect(frame.reduce((rest, phrase) => rest.replace(phrase, ''), said).trim()).toBe('')
  })

  it('is deterministic', async () => {
    for (const prompt of prompts) expect(await write(prompt)).toEqual(await write(prompt))
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
    expect(await opening('how to sleep better')).toContain('how to sleep better')
    expect(await opening('Why is the sky blue')).toMatch(/Why is the sky blue\? [A-Z]/)
    expect(await opening('Why the sea is salty')).toMatch(/why the sea is salty(?!\?)/)
    expect(await opening('I quit my job to travel the world')).toMatch(/I quit my job to travel the world\. [A-Z]/)
    expect(await opening('Make a video about productivity')).toContain('about productivity')
    expect(await opening('Stop procrastinating')).toContain('how to stop procrastinating')
    expect(await opening('Explain black holes to a five year old')).toMatch(/ black holes(?! to)/)
    expect(await opening('A joke about why cats purr')).toMatch(/(?<!joke about )why cats purr/)
    expect(await opening('10 mind-blowing facts about the deep ocean')).toMatch(/(?<!facts about )the deep ocean/)
    expect(await opening('Did you know that honey never spoils?')).toMatch(/Honey never spoils\./)
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

  it('adds nothing to an announcement but where to answer', async () => {
    const pitch = 'Meet Loop, a reusable coffee cup that keeps drinks hot.'
    const { text } = await write(`${pitch} It costs ten euros. It should end with a call to action.`)
    expect(text).toContain(`${pitch} It costs ten euros.`)
    expect(secondsOf(text)).toBeGreaterThan(8)
  })

  it('follows a briefing that dictates its first and last line', async () => {
    const { text } = await write('Coffee', {
      scriptPrompt: 'Funny. Start with "Good morning." and end with "Follow for more."',
    })
    expect(text).toMatch(/^Good morning\. .*Follow for more\.$/)
  })

  it('is in the requested language, or in that of the prompt', async () => {
    const questions = { es: /¿/, fr: /tu /, de: /du /, it: /ne |spiegheresti/, pt: /você/ }
    for (const [language, words] of Object.entries(questions)) {
      const { text } = await write('Radio Europa', { language })
      expect(text).toContain('Radio Europa.')
      expect(text).toMatch(words)
    }
    expect((await write('سلام', { language: 'fa' })).text).toBe('سلام.')
  })

  it('is longer than the idea in every language that has a voice, with the punctuation of that language', async () => {
    for (const language of languagesOf(builtInVoices)) {
      const { text } = await write('Radio Europa', { language })
      expect(estimateSpeechSeconds(text), language).toBeGreaterThan(3)
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
    expect((await write('why the sea is salty')).title).toBe('Why the Sea Is Salty')
    expect((await write('how to sleep better')).title).toBe('How to Sleep Better')
    expect((await write('Make a video about productivity')).title).toBe('Productivity')
    expect((await write('why is the sky blue')).title).toBe('Why is the sky blue?')
    expect((await write('what black holes are')).title).toBe('What Black Holes Are')
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
