/** The narrator of a voice. Loads the SDK of a vendor only where it is used. */
import { type Voice, vendorOf } from '../../domain/videos/voices.ts'
import { log } from '../../log.ts'
import { builtInNarrator } from '../narrator/built-in.ts'
import type { Narrator } from '../narrator/index.ts'
import { openAiServer } from './openai.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

export async function chooseNarrator(voice: Voice): Promise<Narrator> {
  const vendor = vendorOf(voice)
  if (!vendor) return builtInNarrator
  if (vendor === 'polly') return (await import('../narrator/polly.ts')).pollyNarrator()
  if (vendor === 'openai') return chooseOpenAi()
  const { elevenLabsNarrator } = await import('../narrator/elevenlabs.ts')
  return elevenLabsNarrator(await vendorCredentials('elevenlabs'))
}

async function chooseOpenAi(): Promise<Narrator> {
  const { openAiNarrator } = await import('../narrator/openai.ts')
  return openAiNarrator({
    speech: await openAiServer('speech'),
    ...(chosenProviders().transcriber === 'openai' && { transcription: await openAiServer('transcription') }),
    onUntimed: (error) => log.warn('narrator.untimed', { error }),
  })
}
