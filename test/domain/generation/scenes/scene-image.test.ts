/** A new still for a scene. */
import { describe, expect, it } from 'vitest'
import { planSceneImage } from '../../../../lib/domain/generation/scenes/scene-image.ts'
import { storedScenes } from '../../../support/given/scenes.ts'
import { refusalCodeOf } from '../../../support/refusals.ts'
import { videoInputWith, videoThatIs } from '../../support/videos.ts'

const video = videoThatIs.generated(videoInputWith({ type: 'ai' }))
const scenes = storedScenes(2).map((scene) => ({ ...scene, imagePrompt: 'A kettle' }))
const unprompted = scenes.map((scene) => ({ ...scene, imagePrompt: ' ' }))
const plan = (of: typeof scenes, prompt: string | null, on = video) => planSceneImage(on, of, 'scn_1', prompt)

describe('a new still', () => {
  it('is drawn from the new prompt, else from that of the scene', () => {
    expect(plan(scenes, 'A lake').imagePrompt).toBe('A lake')
    expect(plan(scenes, null).imagePrompt).toBe('A kettle')
    expect(plan(scenes, ' ')).toEqual(scenes[0])
  })

  it('is refused without any prompt, for other kinds of videos, and during a generation', () => {
    expect(refusalCodeOf(() => plan(unprompted, ' '))).toBe('invalid-request')
    expect(refusalCodeOf(() => plan(scenes, null, { ...video, subType: 'ugc' }))).toBe('warning-invalid-input')
    expect(refusalCodeOf(() => plan(scenes, null, videoThatIs.generated()))).toBeDefined()
    const generating = videoThatIs.generating(videoInputWith({ type: 'ai' }))
    expect(refusalCodeOf(() => plan(scenes, null, generating))).toBe('job-in-progress')
  })
})
