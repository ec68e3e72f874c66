/** Built-in narrator: flite for English, espeak-ng for all other languages. Needs no key and no network. */
import { narratorIds } from '../../domain/generation/narration.ts'
import { espeakNarrator } from './espeak.ts'
import { fliteNarrator } from './flite.ts'
import type { Narrator } from './index.ts'
import { refuseForeignScript } from './spoken-script.ts'

export const builtInNarrator: Narrator = {
  id: narratorIds.builtIn,
  async narrate(text, voice) {
    refuseForeignScript(text, voice)
    return (voice.engine === 'flite' ? fliteNarrator : espeakNarrator).narrate(text, voice)
  },
}
