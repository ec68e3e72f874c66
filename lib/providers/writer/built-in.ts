/**
 * Built-in writer: builds scripts from facts by rules, deterministically; without facts it says what the client says.
 * Needs no key and no network.
 */
import { descriptionOf } from './description.ts'
import type { Writer } from './index.ts'
import { scriptFromFindings } from './script-from-findings.ts'
import { templateScript } from './template-script.ts'
import { titleOfIdea } from './title.ts'

/** Speed of the built-in voices, pauses included. */
const wordsPerSecond = 2.6

export const builtInWriter: Writer = {
  id: 'built-in-4',
  async write(input) {
    const { findings = null, prompt, language, durationSecondsMax } = input
    const title = titleOfIdea(prompt, language)
    const wordsMax = Math.floor(durationSecondsMax * wordsPerSecond)
    if (!findings)
      return { title, text: templateScript(input, wordsMax), writtenBy: 'template', grounded: false, sources: [] }
    const wordsAim = Math.round(aimSeconds(durationSecondsMax) * wordsPerSecond)
    const script = scriptFromFindings(input, findings, wordsAim, wordsMax)
    return { title, ...script, writtenBy: 'knowledge', grounded: true, sources: [...findings.sources] }
  },
  describe: async (input) => descriptionOf(input),
}

/** About half of the limit: a short video is better than a padded one. */
const aimSeconds = (secondsMax: number) =>
  Math.max(secondsMax * (secondsMax > 60 ? 0.54 : 0.5), Math.min(secondsMax, 15))
