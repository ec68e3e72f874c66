/** Scenes of an ai video as they are stored. */
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'

/** The scene `scn_<number>`; it has a still and a clip. */
export const storedScene = (number: number, fields: Partial<StoredScene> = {}): StoredScene => ({
  id: `scn_${number}`,
  imagePrompt: `ocean, boat ${number}`,
  animationPrompt: 'Slow push in',
  narration: `This is the scene with the number ${number}.`,
  voiceDescription: `Natural voice, number ${number}`,
  duration: 6.4,
  imageKey: `wsp_1/vid_1/visuals/${number}.png`,
  videoKey: `wsp_1/vid_1/visuals/${number}.mp4`,
  ...fields,
})

export const storedScenes = (count: number): StoredScene[] =>
  Array.from({ length: count }, (_, index) => storedScene(index + 1))
