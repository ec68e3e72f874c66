/** The writer of the deployment. Loads a vendor only where it is used. */
import { builtInWriter } from '../writer/built-in.ts'
import type { Writer } from '../writer/index.ts'
import { chosenProviders } from './provider-choice.ts'

export async function chooseWriter(): Promise<Writer> {
  const { writer } = chosenProviders()
  if (writer === 'built-in') return builtInWriter
  const { textModel } = await import('./text-model.ts')
  const { modelWriter } = await import('../writer/model.ts')
  return modelWriter(await textModel(writer))
}
