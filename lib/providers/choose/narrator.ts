/** Who speaks a voice. What speaking with a vendor takes is loaded where it is needed alone. */
import { type Voice, vendorOf } from '../../domain/videos/voices.ts'
import { builtInNarrator } from '../narrator/built-in.ts'
import type { Narrator } from '../narrator/index.ts'
import { vendorAccount } from './provider-choice.ts'

export async function theNarrator(voice: Voice): Promise<Narrator> {
  const vendor = vendorOf(voice)
  if (!vendor) return builtInNarrator
  if (vendor === 'polly') return (await import('../narrator/polly.ts')).polly()
  const { elevenlabs } = await import('../narrator/elevenlabs.ts')
  return elevenlabs(await vendorAccount('elevenlabs'))
}
