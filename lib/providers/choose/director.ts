/** The director of the deployment. Loads the Bedrock SDK only where it is used. */
import { builtInDirector } from '../director/built-in.ts'
import type { Director } from '../director/index.ts'
import { chosenProviders } from './provider-choice.ts'

export async function chooseDirector(): Promise<Director> {
  if (chosenProviders().director === 'built-in') return builtInDirector
  const { textModel } = await import('./text-model.ts')
  const { modelDirector } = await import('../director/model.ts')
  return modelDirector(textModel())
}
