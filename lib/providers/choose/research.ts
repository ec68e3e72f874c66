/** The research of the deployment: the bundled knowledge, Wikipedia after it, or none. */
import { builtInResearch } from '../research/built-in.ts'
import type { Research } from '../research/index.ts'
import { chosenProviders } from './provider-choice.ts'

export async function chooseResearch(): Promise<Research> {
  const { research } = chosenProviders()
  if (research === 'none') return noResearch
  return builtInResearch
}

const noResearch: Research = { id: 'none', find: async () => null }
