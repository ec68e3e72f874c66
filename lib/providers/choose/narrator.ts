/** Who speaks a voice. What speaking with a vendor takes is loaded where it is needed alone. */
import { type Voice, vendorOf } from '../../domain/videos/voices.ts'
import { builtInNarrator } from '../narrator/built-in.ts'
import type { Narrator } from '../narrator/index.ts'
import { vendorCredentials } from './provider-choice.ts'

export async function chooseNarrator(voice: Voice): Promise<Narrator> {
  const vendor = vendorOf(voice)
  if (!vendor) return builtInNarrator
  if (vendor === 'polly') return (await import('../narrator/polly.ts')).pollyNarrator()
  const { elevenLabsNarrator: elevenlabs } = await import('../narrator/elevenlabs.ts')
  return elevenlabs(await vendorCredentials('elevenlabs'))
}
