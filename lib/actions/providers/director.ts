/** The director that the deployment chose. */
import { builtInDirector } from '../../providers/director/built-in.ts'
import type { Director } from '../../providers/director/index.ts'
import { chosen } from './choice.ts'

export async function theDirector(): Promise<Director> {
  if (chosen().director === 'built-in') return builtInDirector
  const { textModel } = await import('./text-model.ts')
  const { bedrockDirector } = await import('../../providers/director/bedrock.ts')
  return bedrockDirector(textModel())
}
