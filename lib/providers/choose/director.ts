/** The director that the deployment chose. */
import { builtInDirector } from '../director/built-in.ts'
import type { Director } from '../director/index.ts'
import { chosen } from './provider-choice.ts'

export async function theDirector(): Promise<Director> {
  if (chosen().director === 'built-in') return builtInDirector
  const { textModel } = await import('./text-model.ts')
  const { bedrockDirector } = await import('../director/bedrock.ts')
  return bedrockDirector(textModel())
}
