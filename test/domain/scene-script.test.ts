import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { narrationsOf, picturesOf, scenesOf, voiceOf, withPictures } from '../../lib/domain/scene-script.ts'
import { isSpoken } from '../../lib/domain/soundtrack.ts'
import { placesOf } from '../../lib/domain/timelines/scenes.ts'
import { findVoice } from '../../lib/domain/voice.ts'
import { sceneNumber } from '../support/scenes.ts'
import { briefWith } from './support.ts'

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
    ['a sentence that breathes', `${'so it goes, on and on, '.repeat(12)}.`, 4],
    [
      'a script without spaces',
      '早安。今天我们来谈谈三个小习惯，它们让早晨变得平静。第一，前一天晚上准备好衣服，然后早点睡觉。',
      2,
    ],
  ])('%s: every word is told once', (_name, script, count) => {
    const narrations = narrationsOf(script)
    expect(narrations).toHaveLength(count)
    expect(squeezed(narrations.join(''))).toBe(squeezed(script))
    for (const narration of narrations) expect(wordsIn(narration)).toBeLessThanOrEqual(52)
  })

  it('ten minutes of it make at most 50 scenes', () => {
    for (const sentence of ['A sentence of nine words is being spoken here. ', `${endless.trim()}. `, 'Short. ']) {
      const script = sentence.repeat(Math.ceil(1_560 / wordsIn(sentence.trim())))
      const narrations = narrationsOf(script)
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
        const narrations = narrationsOf(words.join(' '))
        expect(squeezed(narrations.join(''))).toBe(squeezed(words.join('')))
        expect(narrations.length).toBeLessThanOrEqual(50)
      }),
    )
  })

  it('knows what can be spoken', () => {
    expect(['Hello', '3', '早', '— … —', '', ' 🎉 '].map(isSpoken)).toEqual([true, true, true, false, false, false])
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
  const scenes = scenesOf(['The ocean is deep.', 'The city is loud.', 'Go!'], video, (index) => `scn_${index}`)

  it('shows what it speaks of, in the mood and the style of the brief, and with its character', () => {
    expect(scenes[0]).toMatchObject({
      id: 'scn_0',
      imagePrompt: 'ocean, deep; a girl in a red coat; energetic mood; watercolour',
      voiceDescription: 'Natural voice, energetic',
      imageKey: null,
    })
    expect(scenes[2]!.imagePrompt).toMatch(/^Go!;/)
    expect(new Set(scenes.map(({ animationPrompt }) => animationPrompt)).size).toBe(3)
  })

  it('has a still, and a clip of the same picture where the image style wants one', () => {
    const plan = picturesOf(video, scenes, placesOf(scenes, []))
    expect(plan.map(({ segment, wish }) => `${segment.id} ${wish.kind}`)).toEqual([
      'scn_0 still',
      'scn_1 still',
      'scn_1 clip',
      'scn_2 still',
    ])
    const [, still, clip] = plan.map(({ wish }) => wish)
    expect(clip).toEqual({ ...still, kind: 'clip', width: 1080, height: 1920 })
    const made = plan.map(({ segment, wish }, index) => ({ ...segment, media: { kind: wish.kind, key: `${index}` } }))
    expect(withPictures(scenes, made).map(({ imageKey, videoKey }) => [imageKey, videoKey])).toEqual([
      ['0', null],
      ['1', '2'],
      ['3', null],
    ])
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
    expect(voiceOf(sceneNumber(1, { voiceDescription }), findVoice(ofVideo)!).id).toBe(expected)
  })
})
