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
