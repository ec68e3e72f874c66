/** Built-in writer: composes scripts by rules, deterministically. Needs no key and no network. */
import { descriptionOf } from './description.ts'
import { englishScript } from './english-script.ts'
import type { Writer } from './index.ts'
import { otherScript } from './other-languages.ts'
import { titleOfIdea } from './title.ts'

/** Speed of the built-in voices, pauses included. */
const wordsPerSecond = 2.6

export const builtInWriter: Writer = {
  id: 'built-in-3',
  async write(input) {
    const wordsMax = Math.floor(input.durationSecondsMax * wordsPerSecond)
    const wordsAim = Math.round(aimSeconds(input.durationSecondsMax) * wordsPerSecond)
    const script = input.language === 'en' ? englishScript : otherScript
    return { title: titleOfIdea(input.prompt, input.language), text: script(input, wordsAim, wordsMax) }
  },
  describe: async (input) => descriptionOf(input),
}

/** About half of the limit: a short video is better than a padded one. */
const aimSeconds = (secondsMax: number) =>
  Math.max(secondsMax * (secondsMax > 60 ? 0.54 : 0.45), Math.min(secondsMax, 15))
