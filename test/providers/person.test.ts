import { expect, it } from 'vitest'
import { sceneStillRequest } from '../../lib/domain/generation/scenes/scene-media.ts'
import { portraitPromptOf } from '../../lib/domain/generation/scenes/scene-prompts.ts'
import { illustrationFor } from '../../lib/providers/images/illustration.ts'
import { briefWith } from '../domain/support/videos.ts'

const drawn = (gender: 'female' | 'male' | 'neutral', id = 'vid_1') => {
  const video = { id, mood: null, brief: briefWith() }
  return illustrationFor(sceneStillRequest(video, { imagePrompt: portraitPromptOf(video, { gender }) }), 540, 960)
}

it.each(['female', 'male', 'neutral'] as const)('a %s voice gets a matching person', (gender) => {
  const names = { female: ['woman'], male: ['man'], neutral: ['woman', 'man'] }
  expect(names[gender]).toContain(drawn(gender).name)
})

it('is the same person throughout a video, and another one in another', () => {
  const looks = ['vid_1', 'vid_1', 'vid_2', 'vid_3'].map((id) => JSON.stringify(drawn('female', id).layers))
  expect(looks[0]).toBe(looks[1])
  expect(new Set(looks).size).toBe(3)
})
