/** The prompts that makers of pictures get for scenes. */
import { describe, expect, it } from 'vitest'
import {
  animationPromptOf,
  imagePromptOf,
  portraitPromptOf,
  subjectKeywords,
} from '../../../../lib/domain/generation/scenes/scene-prompts.ts'
import { briefWith } from '../../support/videos.ts'

const style = { id: 'vid_1', mood: null, brief: briefWith() }

describe('the movement of a scene', () => {
  it('follows the first subject of the list that the narration names, and the view', () => {
    expect(animationPromptOf('Boats leave the city in the morning.', 0)).toBe('Slow push in; the water moves gently')
    expect(animationPromptOf('Trains leave at night.', 1)).toBe('Slow pan to the right; lights and traffic pass by')
    expect(animationPromptOf('A thought.', 5)).toBe('Slow pan to the right; small natural movements')
  })
})

describe('the picture of a scene', () => {
  it('has subject, view, topic and look', () => {
    expect(imagePromptOf('Calm mornings', 'The kettle boils on the stove.', 2, style)).toBe(
      'kettle, boils, stove; medium shot; about calm mornings; natural light, a few colours that go together',
    )
  })

  it('has the look of the mood, the character and the style of the client', () => {
    const brief = briefWith({ characterDescription: 'a woman in red', customStyleText: 'watercolour' })
    const prompt = imagePromptOf('', 'Rain', 0, { ...style, mood: 'dark and playful', brief })
    expect(prompt).toBe('rain; wide shot; a woman in red; dark and playful mood, low light, deep shadows; watercolour')
  })

  it('has the subject before the first semicolon', () => {
    expect(subjectKeywords('kettle, stove; medium shot')).toEqual(['kettle', 'stove'])
    expect(subjectKeywords('a red kettle')).toEqual(['red', 'kettle'])
  })
})

it('a portrait matches the voice', () => {
  expect(portraitPromptOf(style, { gender: 'male' })).toMatch(/^portrait of a man, a presenter .*; head and shoulders;/)
})
