/** Who draws the stills of this deployment. A picture that a model holds back is drawn without one, so that one prompt ends no video. */
import { pictureModels } from '../../domain/generation/provider-choice.ts'
import { eitherId, orElse } from '../fallback.ts'
import { drawnImages } from '../images/built-in.ts'
import type { Images } from '../images/index.ts'
import { noteRefusal } from './log-fallback.ts'
import { chosen } from './provider-choice.ts'

export async function theImages(): Promise<Images> {
  if (chosen().images === 'built-in') return drawnImages
  const { bedrockClient } = await import('../bedrock.ts')
  const { stabilityImages } = await import('../images/stability.ts')
  return withFallback(stabilityImages(bedrockClient({ region: pictureModels.stability.region })), drawnImages)
}

const withFallback = (first: Images, second: Images): Images => ({
  id: eitherId(first, second),
  draw: orElse(first.draw, second.draw, noteRefusal('images')),
})
