/** The maker of stills of the deployment. Falls back to drawing, so that one rejected prompt does not fail a video. */
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { callWithFallback, fallbackId } from '../fallback.ts'
import { builtInImages } from '../images/built-in.ts'
import type { Images } from '../images/index.ts'
import { logFallback } from './log-fallback.ts'
import { openAiServer } from './openai.ts'
import { chosenProviders, keylessSource } from './provider-choice.ts'
import { searches } from './searches.ts'

export async function chooseImages(): Promise<Images> {
  const { images } = chosenProviders()
  if (images === 'built-in') return builtInImages
  if (images === 'openai') {
    const { openAiImages } = await import('../images/openai.ts')
    return withFallback(openAiImages(await openAiServer('images')), builtInImages)
  }
  if (images === 'wikimedia') {
    const { wikimediaImages } = await import('../images/wikimedia.ts')
    return sparing(wikimediaImages(keylessSource('wikimedia'), searches), builtInImages)
  }
  if (images === 'openverse') {
    const { openverseImages } = await import('../images/openverse.ts')
    return sparing(openverseImages(keylessSource('openverse'), searches), builtInImages)
  }
  const { bedrockClient } = await import('../bedrock.ts')
  const { stabilityImages } = await import('../images/stability.ts')
  return withFallback(stabilityImages(bedrockClient({ region: bedrockMediaModels.stability.region })), builtInImages)
}

/** The maker of the pictures of scenes: they show a character in a style, which no collection holds. */
export async function chooseSceneImages(): Promise<Images> {
  const images = await chooseImages()
  return images.isCollection ? builtInImages : images
}

/** A free picture is not worth a failure: another one is drawn where the collection stays busy. */
const sparing = (first: Images, second: Images): Images => ({
  ...withFallback(first, second),
  isCollection: true,
  fallback: second,
})

const withFallback = (first: Images, second: Images): Images => ({
  id: fallbackId(first, second),
  draw: callWithFallback(first.draw, second.draw, logFallback('images')),
})
