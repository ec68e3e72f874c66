/** Built-in narrator: flite for English, espeak-ng for all other languages. Needs no key and no network. */
import { narratorIds } from '../../domain/generation/narration.ts'
import { espeakNarrator } from './espeak.ts'
import { fliteNarrator } from './flite.ts'
import type { Narrator } from './index.ts'

export const builtInNarrator: Narrator = {
  id: narratorIds.builtIn,
  narrate: (text, voice) => (voice.engine === 'flite' ? fliteNarrator : espeakNarrator).narrate(text, voice),
}
