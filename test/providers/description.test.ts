import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInVoices, languagesOf } from '../../lib/domain/videos/voices.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { descriptionOf } from '../../lib/providers/writer/description.ts'
import type { DescriptionInput } from '../../lib/providers/writer/index.ts'
import { invitations } from '../../lib/providers/writer/phrases/index.ts'

const text =
  'Calm mornings begin in the evening. Lay out your clothes, fill the kettle, and charge your phone far from the bed. A tired brain ' +
  'hates decisions, and every one you make at night is one less in the morning. Start with a single habit and keep it for a week. ' +
  'What would you prepare tonight? Small steps last longer than grand plans.'
const wish: DescriptionInput = { title: 'Calm Mornings', text, prompt: null, language: 'en' }
const written = (prompt: string | null, fields: Partial<DescriptionInput> = {}) =>
  descriptionOf({ ...wish, prompt, ...fields })
const hashtagsIn = (description: string) => description.match(/#[\p{L}\p{M}\p{N}]+/gu) ?? []

describe('the caption of a post', () => {
  it('begins as the video begins, and ends with hashtags of its subject', () => {
    const description = written(null)
    expect(description).toMatch(/^Calm mornings begin in the evening\. Lay out your clothes/)
    expect(hashtagsIn(description)).toHaveLength(5)
    expect(hashtagsIn(description).slice(0, 2)).toEqual(['#calm', '#mornings'])
    for (const hashtag of hashtagsIn(description)) expect(text.toLowerCase()).toContain(hashtag.slice(1))
    expect(description.length).toBeLessThanOrEqual(300)
  })

  it('takes no hashtag from the prompt, which describes the caption and not the video', () => {
    expect(written('Friendly and professional, please').toLowerCase()).not.toMatch(/friendly|professional/)
  })

  it.each(['No hashtags', 'warm, without any hashtags', "Don't use hashtags", 'ohne Hashtags', 'sin hashtags'])(
    'honours "%s"',
    (prompt) => {
      expect(hashtagsIn(written(prompt))).toEqual([])
    },
  )

  it.each([
    ['Use 3 hashtags', 3],
    ['with two hashtags', 2],
    ['with 8 fitting hashtags', 8],
    ['0 hashtags', 0],
  ])('honours "%s"', (prompt, count) => {
    expect(hashtagsIn(written(prompt))).toHaveLength(count)
  })

  it('asks a question if the prompt requests one: the question of the text if it has one', () => {
    expect(written('With a question at the end')).toContain('\n\nWhat would you prepare tonight?\n\n')
    const short = { text: 'Calm mornings begin in the evening.' }
    expect(written('Ask something', short)).toMatch(/\?\n\n#/)
    expect(written(null, short)).not.toContain('?')
    expect(written('No question please', short)).not.toContain('?')
  })

  it('has a call to action if the prompt requests one', () => {
    const calls = new RegExp(invitations.en!.calls.join('|'))
    expect(written('End with a call to action')).toMatch(calls)
    expect(written('A CTA and a question')).toMatch(calls)
    expect(written(null)).not.toMatch(calls)
    expect(written('without a call to action')).not.toMatch(calls)
  })

  it('is one sentence if it should be short, and longer if it should be long', () => {
    expect(written('Short, no hashtags')).toBe('Calm mornings begin in the evening.')
    expect(written('long and detailed, no hashtags')).toBe(text)
    expect(written('no hashtags').length).toBeLessThan(text.length)
  })

  it.each(languagesOf(builtInVoices))('is written in %s', (language) => {
    const phrases = invitations[language]!
    const description = written('question, call to action, no hashtags', { language, title: 'x', text: 'y' })
    expect(description).toMatch(/^Y\.\n\n/)
    expect(phrases.questions.some((question) => description.includes(question))).toBe(true)
    expect(phrases.calls.some((call) => description.includes(call))).toBe(true)
  })

  it('never exceeds 2,000 characters and is never empty, for any text and prompt', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 3_000, unit: 'grapheme' }),
      fc.constantFrom('x'.repeat(5_000), '😀'.repeat(3_000), `${'word '.repeat(3_000)}?`, '你好，世界。'.repeat(900)),
    )
    const prompts = fc.constantFrom(null, 'long', 'short', 'question and call to action', '30 hashtags, long')
    fc.assert(
      fc.property(words, words, prompts, (title, said, prompt) => {
        const description = written(prompt, { title, text: said })
        expect(description.length).toBeLessThanOrEqual(2_000)
        expect(description.isWellFormed()).toBe(true)
        if (title) expect(description).not.toBe('')
      }),
    )
  })

  it('is deterministic', async () => {
    expect(await builtInWriter.describe(wish)).toBe(await builtInWriter.describe(wish))
  })
})
