import { describe, expect, it } from 'vitest'
import { type CaptionPage, toCaptionWords } from '../../../../lib/domain/generation/captions/captions.ts'
import { emojiCharacter, withEmoji } from '../../../../lib/domain/generation/captions/emoji.ts'

/** One page per word. */
function captions(text: string) {
  const heard = text.split(' ').map((word, i) => ({ text: word, startMs: 100 * i, endMs: 100 * i + 100 }))
  const words = toCaptionWords(heard, (index) => `cap_${index}`)
  const pages = words.map(({ startMs, endMs }, i): CaptionPage => ({ id: `pag_${i}`, startMs, endMs, hidden: false }))
  return { words, pages }
}
const shown = (text: string, mood: string | null) => {
  const { words, pages } = captions(text)
  return withEmoji(pages, words, mood).map((page) => emojiCharacter(page.emoji) ?? '-')
}

describe('emoji of caption pages', () => {
  it('appear only for moods that ask for them', () => {
    expect(shown('Fire! now', 'fun')).toEqual(['🔥', '-'])
    for (const mood of [null, 'calm', 'serious']) expect(shown('Fire! now', mood)).toEqual(['-', '-'])
    for (const mood of ['playful', 'Energetic']) expect(shown('fire', mood)).toEqual(['🔥'])
  })
  it('are sparse: two pages without one follow each', () => {
    expect(shown('fire money coffee pizza music', 'fun')).toEqual(['🔥', '-', '-', '🍕', '-'])
  })
  it('of the text itself appear in any mood, on their page', () => {
    expect(shown('Great🎉 work', null)).toEqual(['🎉', '-'])
    expect(shown('love ❤️ 👨‍👩‍👧 🇩🇪 plain', 'serious')).toEqual(['-', '❤️', '👨‍👩‍👧', '🇩🇪', '-'])
  })
  it('are not chosen for words whose sense depends on the sentence', () => {
    for (const word of ['never', 'avoid', 'growth', 'right', 'goal', 'time', 'best', 'see'])
      expect(shown(word, 'fun')).toEqual(['-'])
  })
  it('never repeat in a row', () => {
    expect(shown('fire a b fire pizza', 'fun')).toEqual(['🔥', '-', '-', '-', '🍕'])
  })
  it('are shown only when the decoration has the stored shape', () => {
    expect(emojiCharacter({ character: '🔥' })).toBe('🔥')
    for (const other of [undefined, {}, { name: 'sun' }, { character: 5 }, { character: '' }])
      expect(emojiCharacter(other)).toBeUndefined()
  })
})
