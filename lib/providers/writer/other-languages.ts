/** Writes scripts in languages other than English: a simple frame where we have phrases, otherwise the prompt itself. */

import { scriptChoice } from '../seeded-choice.ts'
import { sentencesOf, withFullStop } from './idea.ts'
import type { ScriptInput } from './index.ts'
import { furtherLanguages } from './phrases/further-languages.ts'
import { insightPhrasesByLanguage } from './phrases/other-knowing.ts'
import { type Phrases, phrasesByLanguage } from './phrases/other-points.ts'

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Who asks how to do something, or for a list of things to do, wants advice; everybody else wants to understand. */
const asksAdvice =
  /^[¿¡]?(?:(?:cómo|como|comment|come)\s+(?!funciona|fonctionne|marche|es |est |è |é |son |sono |são |mai |nació|nasce)|wie (?:man|du|ich|wir) |so )|(?<![\p{L}\p{N}])(?:consejos|trucos|pasos|hábitos|reglas|errores|rutina|astuces|conseils|étapes|habitudes|règles|erreurs|tipps|tricks|schritte|gewohnheiten|regeln|fehler|routine|consigli|trucchi|passi|abitudini|regole|errori|dicas|truques|passos|regras|erros|rotina)(?![\p{L}\p{N}])/iu

/** Languages that close a sentence with a mark of their own. */
const fullStops: Record<string, string> = { hi: '।', zh: '。' }

const closedIn = (language: string) => (sentence: string) =>
  /[।。！？]$/u.test(sentence) ? sentence : withFullStop(sentence).replace(/\.$/, fullStops[language] ?? '.')

/** What there is to say of an idea; undefined where we have no phrases of the language. */
function phrasesFor(prompt: string, language: string): Phrases | undefined {
  const further = furtherLanguages[language]
  if (further) return { ...further, ...further.knowing }
  const advising = phrasesByLanguage[language]
  if (!advising || asksAdvice.test(prompt.replace(advising.request, ''))) return advising
  return { ...advising, ...insightPhrasesByLanguage[language] }
}

/** The idea stands as a sentence of its own, which is correct whatever its grammar. A long prompt tells itself first. */
export function otherScript(wish: ScriptInput, wordsAim: number, wordsMax: number): string {
  const phrases = phrasesFor(wish.prompt, wish.language)
  const idea = phrases ? wish.prompt.replace(phrases.request, '') : wish.prompt
  const sentences = sentencesOf(idea).map(closedIn(wish.language))
  if (!phrases) return fitting(sentences, wordsMax).join(' ')
  const choice = scriptChoice(wish)
  const [first = '', ...more] = sentences
  const hook = choice.opening(phrases.hooks).replace('{it}', () => first)
  const close = choice.pick(phrases.closes)
  const told = fitting(more, wordsMax - countOf(hook) - countOf(close), 0)
  const left = wordsAim - countOf([hook, ...told, close].join(' '))
  const points = choice.shuffled(phrases.points).map((point) => (wordsAim > 110 ? point.join(' ') : point[0]))
  const chosen = fitting(points, left - points.length, 0).slice(0, wordsAim > 110 ? phrases.openers.length : 4)
  const said = chosen.map((point, index) => `${openerOf(phrases.openers, index, chosen.length)} ${point}`)
  return [hook, ...told, ...said, close].join(' ')
}

function openerOf(openers: readonly string[], index: number, count: number): string {
  const isLast = index === count - 1 && count > 1
  return (isLast ? openers.at(-1) : openers[Math.min(index, openers.length - 2)])!
}

/** The longest beginning within so many words, but at least `atLeast` texts: a script is never empty. */
function fitting(texts: readonly string[], words: number, atLeast = 1): string[] {
  let sum = 0
  return texts.filter((text, index) => {
    sum += countOf(text)
    return sum <= words || index < atLeast
  })
}
