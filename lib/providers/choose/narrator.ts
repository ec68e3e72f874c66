/** The narrator of a voice. Loads the SDK of a vendor only where it is used. */
import { type Voice, vendorOf } from '../../domain/videos/voices.ts'
import { builtInNarrator } from '../narrator/built-in.ts'
import type { Narrator } from '../narrator/index.ts'
import { vendorCredentials } from './provider-choice.ts'

export async function chooseNarrator(voice: Voice): Promise<Narrator> {
  const vendor = vendorOf(voice)
  if (!vendor) return builtInNarrator
  if (vendor === 'polly') return (await import('../narrator/polly.ts')).pollyNarrator()
  const { elevenLabsNarrator } = await import('../narrator/elevenlabs.ts')
  return elevenLabsNarrator(await vendorCredentials('elevenlabs'))
}
