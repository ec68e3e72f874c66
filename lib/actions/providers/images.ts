/** Who draws the stills of this deployment. A picture that a model holds back is drawn without one, so that one prompt ends no video. */
import { pictureModels } from '../../domain/provider-choice.ts'
import { eitherId, orElse } from '../../providers/fallback.ts'
import { drawnImages } from '../../providers/images/drawn.ts'
import type { Images } from '../../providers/images/index.ts'
import { chosen } from './choice.ts'
import { noteRefusal } from './refused.ts'

export async function theImages(): Promise<Images> {
  if (chosen().images === 'built-in') return drawnImages
  const { bedrockClient } = await import('../../providers/bedrock.ts')
  const { stabilityImages } = await import('../../providers/images/stability.ts')
  return withFallback(stabilityImages(bedrockClient({ region: pictureModels.stability.region })), drawnImages)
}

const withFallback = (first: Images, second: Images): Images => ({
  id: eitherId(first, second),
  draw: orElse(first.draw, second.draw, noteRefusal('images')),
})
