/**
 * Writes scripts in languages other than English: a simple frame where there are phrases, otherwise the prompt itself.
 */

import { scriptChoice } from '../seeded-choice.ts'
import { sentencesOf, withFullStop } from './idea.ts'
import type { ScriptInput } from './index.ts'
import { type LanguagePhrases, type Material, phrasesByLanguage } from './phrases/index.ts'

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Matches "how to" and lists of things to do, which get advice. Every other prompt gets insight. */
const asksAdvice =
  /^[¿¡]?(?:(?:cómo|como|comment|come)\s+(?!funciona|fonctionne|marche|es |est |è |é |son |sono |são |mai |nació|nasce)|wie (?:man|du|ich|wir) |so )|(?<![\p{L}\p{N}])(?:consejos|trucos|pasos|hábitos|reglas|errores|rutina|astuces|conseils|étapes|habitudes|règles|erreurs|tipps|tricks|schritte|gewohnheiten|regeln|fehler|routine|consigli|trucchi|passi|abitudini|regole|errori|dicas|truques|passos|regras|erros|rotina)(?![\p{L}\p{N}])/iu

/** Languages with a full stop other than ".". */
const fullStops: Record<string, string> = { hi: '।', zh: '。' }

const closedIn = (language: string) => (sentence: string) =>
  /[।。！？]$/u.test(sentence) ? sentence : withFullStop(sentence).replace(/\.$/, fullStops[language] ?? '.')

const withoutRequest = (prompt: string, { request }: LanguagePhrases) =>
  request ? prompt.replace(new RegExp(request, 'i'), '') : prompt

const materialFor = (idea: string, { advice, insight }: LanguagePhrases): Material =>
  advice && asksAdvice.test(idea) ? advice : insight

/**
 * The idea stands as a separate sentence, which is correct whatever its grammar. Further sentences of the prompt come
 * before the points.
 */
export function otherScript(input: ScriptInput, wordsAim: number, wordsMax: number): string {
  const phrases = phrasesByLanguage[input.language]
  const idea = phrases ? withoutRequest(input.prompt, phrases) : input.prompt
  const sentences = sentencesOf(idea).map(closedIn(input.language))
  if (!phrases) return fitting(sentences, wordsMax).join(' ')
  const material = materialFor(idea, phrases)
  const choice = scriptChoice(input)
  const [first = '', ...more] = sentences
  const hook = choice.opening(phrases.hooks).replace('{it}', () => first)
  const close = choice.pick(material.closes)
  const story = fitting(more, wordsMax - countOf(hook) - countOf(close), 0)
  const wordsLeft = wordsAim - countOf([hook, ...story, close].join(' '))
  const isLong = wordsAim > 110
  const points = choice
    .shuffled(material.points)
    .map(({ lead, why, how }) => (isLong ? [lead, why, how].join(' ') : lead))
  const chosen = fitting(points, wordsLeft - points.length, 0).slice(0, isLong ? phrases.openers.length : 4)
  const opened = chosen.map((point, index) => `${openerOf(phrases.openers, index, chosen.length)} ${point}`)
  return [hook, ...story, ...opened, close].join(' ')
}

function openerOf(openers: readonly string[], index: number, count: number): string {
  const isLast = index === count - 1 && count > 1
  return (isLast ? openers.at(-1) : openers[Math.min(index, openers.length - 2)])!
}

/** The longest beginning within `words` words, and at least `atLeast` texts: a script is never empty. */
function fitting(texts: readonly string[], words: number, atLeast = 1): string[] {
  let sum = 0
  return texts.filter((text, index) => {
    sum += countOf(text)
    return sum <= words || index < atLeast
  })
}
