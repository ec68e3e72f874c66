/**
 * Writes a script about an idea of which nothing is known, by rules: the client's own sentences between an opening and a
 * question to the viewer. States nothing that the prompt does not state.
 */
import { scriptChoice } from '../seeded-choice.ts'
import { briefingOf, dictatedClose, dictatedOpening } from './briefing.ts'
import { type Idea, parseIdea, sentencesOf, withFullStop } from './idea.ts'
import type { ScriptInput } from './index.ts'
import { englishPhrases, phrasesByLanguage, type ScriptTone } from './phrases/index.ts'

/** At most `wordsMax` words, unless the first sentence of the idea alone is longer. */
export function templateScript(input: ScriptInput, wordsMax: number): string {
  const sentences = input.language === 'en' ? englishSentences(input) : sentencesIn(input)
  const [first = '', ...rest] = sentences
  const close = rest.splice(-2)
  const frameWords = countOf(first, ...close)
  if (frameWords > wordsMax) return first
  return [first, ...within(rest, wordsMax - frameWords), ...close].join(' ')
}

/** The opening, the client's sentences, a question and a call. */
function englishSentences(input: ScriptInput): string[] {
  const { hooks, storyHooks, questions, stepQuestions, calls } = englishPhrases
  const idea = parseIdea(input.prompt)
  const choice = scriptChoice(input)
  const briefing = briefingOf(input)
  const openings = isStory(idea) ? storyHooks : hooks[idea.shape][toneOf(briefing)]
  const hook = dictatedOpening(briefing) ?? choice.opening(openings).replace('{it}', () => idea.it)
  const question = choice.pick(idea.wants === 'doing' ? stepQuestions : questions[idea.shape])
  return [hook, ...idea.furtherSentences, question, dictatedClose(briefing) ?? choice.pick(calls)]
}

const isStory = ({ isAnnouncement, furtherSentences, shape }: Idea) =>
  isAnnouncement || (furtherSentences.length > 0 && shape === 'sentence')

/** Languages with a full stop other than ".". */
const fullStops: Record<string, string> = { hi: '।', zh: '。' }

/** The idea stands as a separate sentence, which is correct whatever its grammar. */
function sentencesIn(input: ScriptInput): string[] {
  const phrases = phrasesByLanguage[input.language]
  const prompt = phrases?.request ? input.prompt.replace(new RegExp(phrases.request, 'i'), '') : input.prompt
  const closed = (sentence: string) =>
    /[।。！？]$/u.test(sentence) ? sentence : withFullStop(sentence).replace(/\.$/, fullStops[input.language] ?? '.')
  const sentences = sentencesOf(prompt).map(closed)
  if (!phrases) return sentences
  const choice = scriptChoice(input)
  const [first = '', ...more] = sentences
  const { hooks, questions, calls } = phrases
  const hook = choice.opening(hooks).replace('{it}', () => first)
  return [hook, ...more, choice.pick(questions), choice.pick(calls)]
}

function toneOf(briefing: string): ScriptTone {
  if (/\b(?:funny|humou?r\w*|playful|witty|joke\w*|silly|ironic|lighthearted)\b/i.test(briefing)) return 'funny'
  if (
    /\b(?:calm|gentle|soft|relax\w*|quiet|peaceful|soothing|thoughtful|warm|serene|dreamy|melanchol\w*)\b/i.test(
      briefing,
    )
  )
    return 'calm'
  if (
    /\b(?:bold|energetic|hype|urgent|provocative|intense|epic|dramatic|punchy|motivat\w*|inspir\w*|powerful)\b/i.test(
      briefing,
    )
  )
    return 'bold'
  return 'plain'
}

/** The longest beginning of `texts` within `words` words. */
function within(texts: readonly string[], words: number): string[] {
  let sum = 0
  const tooLong = texts.findIndex((text) => {
    sum += countOf(text)
    return sum > words
  })
  return tooLong < 0 ? [...texts] : texts.slice(0, tooLong)
}

const countOf = (...texts: string[]) => texts.join(' ').split(/\s+/).filter(Boolean).length
