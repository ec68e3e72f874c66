/** Example responses of `routes/scenes.ts`. */
import * as scenes from '../../../domain/generation/scenes/scenes.ts'
import * as routes from '../../routes/scenes.ts'
import { sceneView } from '../../views/index.ts'
import type { ExampleScenario } from './scenario.ts'

const firstScene: scenes.StoredScene = {
  id: routes.addScene.bodyExample.afterSceneId,
  imagePrompt: 'morning, kitchen, light; calm mood',
  animationPrompt: 'Slow push in',
  narration: 'Calm mornings begin in the evening.',
  voiceDescription: 'A calm, natural voice',
  duration: 6.2,
  imageKey: null,
  videoKey: null,
}

export function sceneExamples({ mediaUrl, objectKey }: ExampleScenario) {
  const added = scenes.addScene([firstScene], 'scn_01kbexample2')
  const edited = scenes.editScene(added.scenes, added.scene.id, routes.editScene.bodyExample)
  const imageKey = objectKey('visuals/c81e728d9d4c2f636f067f89cc14862c.png')
  const drawn = scenes.withSceneImage([firstScene], firstScene.id, routes.drawSceneImage.bodyExample.prompt, imageKey)
  return {
    addScene: sceneView(added.scene, mediaUrl),
    editScene: sceneView(edited.scene, mediaUrl),
    removeScene: { ok: true },
    drawSceneImage: sceneView(drawn.scene, mediaUrl),
  }
}
