/** The writer that the deployment chose. */
import { builtInWriter } from '../../providers/writer/built-in.ts'
import type { Writer } from '../../providers/writer/index.ts'
import { chosen } from './choice.ts'

export async function theWriter(): Promise<Writer> {
  if (chosen().writer === 'built-in') return builtInWriter
  const { textModel } = await import('./text-model.ts')
  const { bedrockWriter } = await import('../../providers/writer/bedrock.ts')
  return bedrockWriter(textModel())
}
