/** The maker of stills of the deployment. Falls back to drawing, so that one rejected prompt does not fail a video. */
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { callWithFallback, fallbackId } from '../fallback.ts'
import { builtInImages } from '../images/built-in.ts'
import type { Images } from '../images/index.ts'
import { logFallback } from './log-fallback.ts'
import { openAiServer } from './openai.ts'
import { chosenProviders } from './provider-choice.ts'

export async function chooseImages(): Promise<Images> {
  const { images } = chosenProviders()
  if (images === 'built-in') return builtInImages
  if (images === 'openai') {
    const { openAiImages } = await import('../images/openai.ts')
    return withFallback(openAiImages(await openAiServer('images')), builtInImages)
  }
  const { bedrockClient } = await import('../bedrock.ts')
  const { stabilityImages } = await import('../images/stability.ts')
  return withFallback(stabilityImages(bedrockClient({ region: bedrockMediaModels.stability.region })), builtInImages)
}

const withFallback = (first: Images, second: Images): Images => ({
  id: fallbackId(first, second),
  draw: callWithFallback(first.draw, second.draw, logFallback('images')),
})
