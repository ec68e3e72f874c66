import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSpeech } from '../../../../lib/domain/core/text.ts'
import {
  buildScenes,
  canReuseScenes,
  rulePrompts,
  sceneVoice,
  splitIntoNarrations,
  ugcPrompts,
  withDurations,
} from '../../../../lib/domain/generation/scenes/scene-script.ts'
import type { Video } from '../../../../lib/domain/records/video.ts'
import { builtInVoices, findVoice } from '../../../../lib/domain/videos/voices.ts'
import { storedScene } from '../../../support/given/scenes.ts'
import { briefWith, videoInputWith, videoThatIs } from '../../support/videos.ts'

const squeezed = (text: string) => text.replace(/\s+/g, '')
const wordsIn = (text: string) => text.split(/\s+/).length
const endless = 'and so it goes on without a rest '.repeat(20)

describe('a script in scenes', () => {
  it.each([
    ['short sentences together', 'Yes. No. Maybe. All of that at once, in the very same scene.', 1],
    ['one word', 'Hello.', 1],
    ['nothing to speak', '— … —', 1],
    ['two sentences that take a while', `${'A calm and long sentence about many things '.repeat(2)}. `.repeat(2), 2],
    ['a sentence that is longer than a scene', endless, 5],
    ['a sentence that breathes', `${'so it goes, on and on, '.repeat(12)}.`, 3],
    [
      'a script without spaces',
      '早安。今天我们来谈谈三个小习惯，它们让早晨变得平静。第一，前一天晚上准备好衣服，然后早点睡觉。',
      2,
    ],
  ])('%s: every word is spoken once', (_name, script, count) => {
    const narrations = splitIntoNarrations(script)
    expect(narrations).toHaveLength(count)
    expect(squeezed(narrations.join(''))).toBe(squeezed(script))
    for (const narration of narrations) expect(wordsIn(narration)).toBeLessThanOrEqual(52)
  })

  it('of ten minutes makes at most 50 scenes', () => {
    for (const sentence of ['A sentence of nine words is being spoken here. ', `${endless.trim()}. `, 'Short. ']) {
      const script = sentence.repeat(Math.ceil(1_560 / wordsIn(sentence.trim())))
      const narrations = splitIntoNarrations(script)
      expect(squeezed(narrations.join(''))).toBe(squeezed(script))
      expect(narrations.length).toBeLessThanOrEqual(50)
    }
  })

  it('loses no word of any text', () => {
    const word = fc.constantFrom(
      'calm',
      'mornings,',
      'begin.',
      '“so?”',
      '—',
      '早安。',
      '3,000',
      '안녕',
      'Dr.',
      '\n',
      '，',
      '🎉',
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 400 }), (words) => {
        const narrations = splitIntoNarrations(words.join(' '))
        expect(squeezed(narrations.join(''))).toBe(squeezed(words.join('')))
        expect(narrations.length).toBeLessThanOrEqual(50)
      }),
    )
  })

  /** A sentence of so many words, of which 2.6 are spoken a second; a comma follows the word at `comma`. */
  const sentence = (count: number, comma?: number) =>
    `${Array.from({ length: count }, (_, index) => (index + 1 === comma ? 'word,' : 'word')).join(' ')}.`
  const wordCounts = (...sentences: string[]) => splitIntoNarrations(sentences.join(' ')).map(wordsIn)

  it.each<[string, string[], number[]]>([
    ['begins a scene after five seconds', [sentence(13), sentence(13)], [13, 13]],
    ['begins none before', [sentence(12), sentence(13)], [25]],
    ['adds a rest of less than half a scene', [sentence(34), sentence(6)], [40]],
    ['adds a longer rest up to four seconds', [sentence(13), sentence(10)], [23]],
    ['adds no rest of more than four seconds', [sentence(13), sentence(11)], [13, 11]],
    ['adds a longer rest only up to twelve seconds together', [sentence(24), sentence(7)], [31]],
    ['adds it to no longer scene', [sentence(25), sentence(7)], [25, 7]],
    ['leaves a sentence of 14 seconds whole', [sentence(36, 19)], [36]],
    ['cuts a longer one at a comma after 7 seconds', [sentence(40, 19)], [19, 21]],
    ['cuts it at no comma before', [sentence(60, 18)], [34, 26]],
    ['cuts it between words after 13 seconds', [sentence(60)], [34, 26]],
  ])('%s', (_name, sentences, counts) => {
    expect(wordCounts(...sentences)).toEqual(counts)
  })

  it('counts ideographs as well, of which 4.2 are spoken a second', () => {
    const chinese = (count: number) => `${'早'.repeat(count)}。`
    expect(splitIntoNarrations(chinese(20) + chinese(20)).map((text) => text.length)).toEqual([21, 21])
    expect(splitIntoNarrations(chinese(18) + chinese(20))).toHaveLength(1)
  })

  it('recognises text that can be spoken', () => {
    expect(['Hello', '3', '早', '— … —', '', ' 🎉 '].map(hasSpeech)).toEqual([true, true, true, false, false, false])
  })
})

describe('a scene', () => {
  const video = {
    id: 'vid_1',
    mood: 'energetic',
    brief: briefWith({
      customStyleText: 'watercolour',
      characterDescription: 'a girl in a red coat',
      imageStyle: 'mixed',
    }),
  }
  const narrations = ['The ocean is deep.', 'The city is loud.', 'Go!']
  const scenes = buildScenes(narrations, rulePrompts('Loud and deep', narrations, video), video, (at) => `scn_${at}`)

  it('shows what its narration says, in the mood and the style of the brief, and with its character', () => {
    expect(scenes[0]).toMatchObject({
      id: 'scn_0',
      imagePrompt:
        'ocean, deep; wide shot; about loud deep; a girl in a red coat; energetic mood, bright light, vivid colours; watercolour',
      animationPrompt: 'Slow push in; the water moves gently',
      voiceDescription: 'Natural voice, energetic',
      imageKey: null,
      videoKey: null,
    })
    expect(scenes[2]!.imagePrompt).toMatch(/^Go!;/)
  })

  it('differs from the others in subject and motion, and shares their look', () => {
    const parts = scenes.map(({ imagePrompt }) => imagePrompt.split('; '))
    expect(new Set(parts.map(([seen]) => seen)).size).toBe(3)
    expect(new Set(parts.map(([, shot]) => shot)).size).toBe(3)
    expect(new Set(parts.map((all) => all.slice(2).join())).size).toBe(1)
    expect(new Set(scenes.map(({ animationPrompt }) => animationPrompt)).size).toBe(3)
  })

  it('of a ugc video shows one person, who may have the voice', () => {
    const staged = ugcPrompts(narrations, video, findVoice(builtInVoices, 'en-miles')!)
    expect(new Set(staged.map(({ imagePrompt }) => imagePrompt)).size).toBe(1)
    expect(staged[0]!.imagePrompt).toMatch(/^portrait of a man, .*; a girl in a red coat; energetic mood/)
  })

  it.each([
    ['Natural voice, energetic', 'en-clara', 'en-clara'],
    ['', 'es-mateo', 'es-mateo'],
    ['A deep male voice', 'en-clara', 'en-miles'],
    ['A deep male voice', 'en-angus', 'en-angus'],
    ['An old woman', 'es-mateo', 'es-lucia'],
    ['Angus, whispering', 'en-clara', 'en-angus'],
    ['Like Lucía', 'en-clara', 'en-clara'],
  ])('described as "%s" in a video of %s is spoken by %s', (voiceDescription, ofVideo, expected) => {
    expect(sceneVoice(storedScene(1, { voiceDescription }), findVoice(builtInVoices, ofVideo)!, builtInVoices).id).toBe(
      expected,
    )
  })
})

describe('the duration of a scene', () => {
  it('is that of its narration in tenths of a second, from 3 to 20 s; the last one outlasts its last word', () => {
    const scenes = [storedScene(1), storedScene(2), storedScene(3), storedScene(4)]
    expect(withDurations(scenes, [4_001, 4_000, 900, 4_000])).toEqual([
      storedScene(1, { duration: 4.1 }),
      storedScene(2, { duration: 4 }),
      storedScene(3, { duration: 3 }),
      storedScene(4, { duration: 4.6 }),
    ])
    expect(withDurations(scenes, [30_000, 19_950, 2_999, 0]).map(({ duration }) => duration)).toEqual([20, 20, 3, 3])
  })
})

describe('the scenes of a regenerated video', () => {
  const narrated = (fields: Partial<Video>): Video => ({
    ...videoThatIs.generated(videoInputWith({ type: 'ai' })),
    timelines: { scenes: 'written.json' },
    plannedScenes: { scenes: 'written.json', script: 'script.json' },
    ...fields,
  })
  const wishes = (addBRolls: boolean) => ({
    process: { ...narrated({}).process!, wishes: { transcribe: true, render: false, addBRolls } },
  })

  it.each([
    ['stay when the client edited them', { timelines: { scenes: 'edited.json' } }, 'script.json', true],
    ['stay when no pictures are requested', wishes(false), 'script.json', true],
    ['are rewritten when they were not edited', {}, 'script.json', false],
    ['are rewritten for another script', { timelines: { scenes: 'edited.json' } }, 'other.json', false],
    ['are written when there are none', { timelines: {}, plannedScenes: undefined }, 'script.json', false],
  ])('%s', (_name, fields, script, kept) => {
    expect(canReuseScenes(narrated(fields as Partial<Video>), script)).toBe(kept)
  })
})
