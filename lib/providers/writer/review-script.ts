/** Finds the faults of a script that a model should repair, and scores it. Pure; its sentences are read by the model. */
import { estimateSpeechSeconds } from '../../domain/core/speech-duration.ts'
import type { OutputReview } from '../text-model/index.ts'
import { clichesIn } from './fillers.ts'
import type { ScriptInput } from './index.ts'
import { isInLanguage } from './language-check.ts'
import { joinedText, type ModelScript } from './output-schemas.ts'
import { languageName, scriptAim, scriptMaterial, spokenLength } from './prompts.ts'
import { scoreScript } from './rubric.ts'

/** Of the aimed length. */
const shareMin = 0.5

export const scriptReview = (input: ScriptInput): OutputReview<ModelScript> => ({
  faultsOf: (script) => [
    ...lengthFaults(script, input),
    ...languageFaults(script, input),
    ...structureFaults(script, input),
    ...clicheFaults(script),
    ...figureFaults(script, input),
  ],
  score({ beats }) {
    const { language, prompt: idea, durationSecondsMax } = input
    const text = joinedText(beats, language)
    const { total } = scoreScript({ text, idea, language, secondsAim: scriptAim(durationSecondsMax).aim })
    // No other merit makes up for the wrong language, or for clichés.
    return total - (isInLanguage(text, language) ? 0 : 100) - 5 * clichesIn(text).length
  },
})

function lengthFaults({ beats }: ModelScript, { language, durationSecondsMax, findings }: ScriptInput): string[] {
  const { aim, max } = scriptAim(durationSecondsMax)
  const seconds = estimateSpeechSeconds(joinedText(beats, language))
  // A script that says what is known is long enough: asked for more, models invent.
  const known = findings ? estimateSpeechSeconds(findings.facts.map(({ text }) => text).join(' ')) : aim
  if (seconds <= max && seconds >= Math.min(aim, known) * shareMin) return []
  const { count, unit } = spokenLength(aim, language)
  const given = spokenLength(seconds, language).count
  return [`It has about ${given} ${unit}: ${seconds > max ? 'cut it to' : 'write'} about ${count} ${unit}.`]
}

function languageFaults({ beats }: ModelScript, { language }: ScriptInput): string[] {
  if (isInLanguage(joinedText(beats, language), language)) return []
  return [`It is not in ${languageName(language)}: write every narration in ${languageName(language)}.`]
}

function structureFaults({ beats }: ModelScript, { durationSecondsMax }: ScriptInput): string[] {
  const aim = scriptAim(durationSecondsMax).beats
  const unseen = beats.filter(({ show }) => show.length === 0).length
  return [
    ...(beats.length < Math.min(3, aim) ? [`Write about ${aim} beats of one or two sentences each.`] : []),
    ...(unseen > beats.length / 2
      ? ['Name in "show" of every beat one to four things that can be seen, in English.']
      : []),
  ]
}

function clicheFaults({ beats }: ModelScript): string[] {
  const found = clichesIn(beats.map(({ text }) => text).join(' '))
  return found.length > 0 ? [`Leave out these phrases: ${found.map((phrase) => `"${phrase}"`).join(', ')}.`] : []
}

/** Where facts were given, figures come from the material. Single digits are counted, not invented. */
function figureFaults({ beats }: ModelScript, input: ScriptInput): string[] {
  if (!input.findings) return []
  const figuresIn = (text: string) => (text.match(/\d[\d.,]*/g) ?? []).map((figure) => figure.replace(/\D/g, ''))
  const known = new Set(figuresIn(JSON.stringify(scriptMaterial(input))))
  const said = new Set(figuresIn(beats.map(({ text }) => text).join(' ')))
  const invented = [...said].filter((figure) => figure.length > 1 && !known.has(figure))
  return invented.length > 0 ? [`No fact holds these figures: ${invented.join(', ')}. Leave them out.`] : []
}
