/** How a brief's voice is selected from the available ones. */
import { describe, expect, it } from 'vitest'
import { narratorIdOf, narratorIds, requireVoice } from '../../../lib/domain/generation/narration.ts'
import {
  builtInVoices,
  languageOf,
  languagesOf,
  previewText,
  selectVoice,
  type Voice,
  voicePrefixes,
  voicePreviewKey,
} from '../../../lib/domain/videos/voices.ts'

const voiceOf = (fields: Partial<Voice>): Voice => ({ ...builtInVoices[0]!, ...fields })
const joanna = voiceOf({ id: 'polly-Joanna', engine: 'polly' })
const rachel = voiceOf({ id: 'eleven-1', engine: 'elevenlabs', provider: 'expressive' })
const offered = [joanna, rachel, ...builtInVoices]

describe('the voice of a brief', () => {
  it.each([
    ['that says nothing is the first standard one in English', {}, 'polly-Joanna'],
    ['that names a language is the first standard one of it', { language: 'fr' }, 'fr-elise'],
    ['that names a voice is that one, in whatever language', { voiceId: 'de-greta', language: 'fr' }, 'de-greta'],
    ['that names a provider is the first of it', { voiceProvider: 'expressive' as const }, 'eleven-1'],
    [
      'that names both is the one they agree on',
      { voiceId: 'eleven-1', voiceProvider: 'expressive' as const },
      'eleven-1',
    ],
    [
      'whose provider has another voice is none',
      { voiceId: 'en-clara', voiceProvider: 'expressive' as const },
      undefined,
    ],
    [
      'whose provider has none of the language is none',
      { language: 'de', voiceProvider: 'expressive' as const },
      undefined,
    ],
    ['in a language without voices is none', { language: 'tlh' }, undefined],
    ['with an unknown voiceId is none', { voiceId: 'nobody' }, undefined],
  ])('%s', (_, input, expected) => expect(selectVoice(offered, input)?.id).toBe(expected))

  it('sets the language when the brief names none', () => {
    expect(languageOf(offered, { voiceId: 'de-greta' })).toBe('de')
    expect(languageOf(offered, { voiceId: 'de-greta', language: 'fr' })).toBe('fr')
    expect(languageOf(offered, {})).toBe('en')
    expect(languageOf(offered, { voiceId: 'nobody' })).toBe('en')
  })

  it('that is no longer available fails the job with its name', () => {
    expect(requireVoice({ voiceId: 'polly-Joanna' }, offered)).toBe(joanna)
    expect(() => requireVoice({ voiceId: 'polly-Gone' }, offered)).toThrow('polly-Gone')
  })
})

describe('a voice', () => {
  it('has an id that names its provider', () => {
    expect(builtInVoices.map(({ id }) => narratorIdOf(id))).toEqual(builtInVoices.map(() => narratorIds.builtIn))
    expect(narratorIdOf('polly-Gone')).toBe(narratorIds.polly)
    expect(narratorIdOf('eleven-1')).toBe(narratorIds.elevenlabs)
    // The id of a built-in voice begins with a two-letter language code and a hyphen.
    for (const prefix of Object.values(voicePrefixes)) expect(prefix.indexOf('-')).toBeGreaterThan(2)
  })

  it('says a sentence in its sample, or counts when there is no sentence in its language', () => {
    for (const language of languagesOf(builtInVoices)) expect(previewText(voiceOf({ language }))).not.toMatch(/\d/)
    expect(previewText(voiceOf({ language: 'yue' }))).toMatch(/^1, 2/)
    expect(previewText(joanna)).toContain(joanna.name)
    expect(voicePreviewKey(joanna)).toBe('voices/polly-Joanna.mp3')
    expect(voicePreviewKey(builtInVoices[0]!)).toBe('voices/en-clara.m4a')
  })
})
