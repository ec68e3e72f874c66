/** The director of the deployment. Loads a vendor only where it is used. */
import { builtInDirector } from '../director/built-in.ts'
import type { Director } from '../director/index.ts'
import { chosenProviders } from './provider-choice.ts'

export async function chooseDirector(): Promise<Director> {
  const { director } = chosenProviders()
  if (director === 'built-in') return builtInDirector
  const { textModel } = await import('./text-model.ts')
  const { modelDirector } = await import('../director/model.ts')
  return modelDirector(await textModel(director))
}
