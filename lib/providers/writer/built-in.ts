/** The writer that needs no key and no model: it composes a script by rules, and the same wish always gives the same script. */
import { descriptionOf } from './description.ts'
import { englishScript } from './english-script.ts'
import type { Writer } from './index.ts'
import { otherScript } from './other-languages.ts'
import { titleOfIdea } from './title.ts'

/** What the built-in voices speak, rests included. */
const wordsPerSecond = 2.6

export const builtInWriter: Writer = {
  id: 'built-in-3',
  async write(wish) {
    const wordsMax = Math.floor(wish.durationSecondsMax * wordsPerSecond)
    const wordsAim = Math.round(aimSeconds(wish.durationSecondsMax) * wordsPerSecond)
    const script = wish.language === 'en' ? englishScript : otherScript
    return { title: titleOfIdea(wish.prompt, wish.language), text: script(wish, wordsAim, wordsMax) }
  },
  describe: async (wish) => descriptionOf(wish),
}

/** About half of what is allowed: rules have less to say than people, and a short video is better than a padded one. */
const aimSeconds = (secondsMax: number) =>
  Math.max(secondsMax * (secondsMax > 60 ? 0.54 : 0.45), Math.min(secondsMax, 15))
