/**
 * Writes an English script by rules: a hook, points that fit the subject, a close. It must state no facts beyond the
 * prompt.
 */

import { type SeededChoice, scriptChoice } from '../seeded-choice.ts'
import { capitalised, type Idea, parseIdea } from './idea.ts'
import type { ScriptInput } from './index.ts'
import { englishPhrases, type Point, type ScriptTone } from './phrases/index.ts'
import { subjects } from './subjects.ts'

const { hooks, storyHooks, promises, openers, lastOpeners, partOpeners, recaps, storyCloses, announcementCloses } =
  englishPhrases

const countWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/** About `wordsAim` words, and at most `wordsMax` unless the idea alone is longer. */
export function englishScript(input: ScriptInput, wordsAim: number, wordsMax: number): string {
  const idea = parseIdea(input.prompt)
  const choice = scriptChoice(input)
  const briefing = `${input.scriptPrompt ?? ''} ${input.mood ?? ''}`
  const tone = toneOf(briefing)
  const isStory = idea.isAnnouncement || (idea.furtherSentences.length > 0 && idea.shape === 'sentence')
  const hook =
    dictated(briefing, 'start|begin|open') ??
    choice.opening(isStory ? storyHooks : hooks[idea.shape][tone]).replace('{it}', () => idea.it)
  const { points, closes } = materialFor(input.prompt, idea, choice)
  const close =
    dictated(briefing, 'end|close|finish') ??
    choice.pick(idea.isAnnouncement ? announcementCloses : isStory ? storyCloses : closes[tone])
  if (countOf(hook, close) > wordsMax) return hook
  const story = within(idea.furtherSentences, wordsMax - countOf(hook, close))
  const wordsLeft = wordsAim - countOf(hook, close, ...story)
  // An announcement gets no general points. A story gets them only where much time is left, or in a variation of it.
  const isComplete = story.length > 1 && input.variation === null
  const added = idea.isAnnouncement || wordsLeft < (isComplete ? inFullFrom : 9) ? [] : body(points, wordsLeft, choice)
  return [hook, ...story, ...added, close].join(' ')
}

/** Words from which on points are given in full, and in parts. */
const inFullFrom = 110
const inPartsFrom = 420

function body(points: readonly Point[], words: number, choice: SeededChoice): string[] {
  if (words < inFullFrom) return opened(brief(points, words), choice)
  const promise = choice.pick(promises)
  const full = points.map(({ lead, why, how }) => [lead, why, how].join(' '))
  const frame = countOf(promise) + (words < inPartsFrom ? 6 : 60)
  const chosen = within(full, words - frame)
  const counted = promise.replace('{count}', countWords[chosen.length] ?? 'many')
  if (words < inPartsFrom) return [counted, ...opened(chosen, choice)]
  const recap = choice.pick(recaps).replace('{one}', points[0]!.lead).replace('{other}', points[1]!.lead)
  return [counted, ...inParts(chosen, choice), recap]
}

/** Up to three leads, the first ones with their reason where there is room for it. */
function brief(points: readonly Point[], words: number): string[] {
  const leads = within(
    points.map(({ lead }) => lead),
    words - 4,
  ).slice(0, 3)
  let wordsLeft = words - countOf(...leads) - 2 * leads.length
  return leads.map((lead, index) => {
    const { why } = points[index]!
    if (countOf(why) > wordsLeft) return lead
    wordsLeft -= countOf(why)
    return `${lead} ${why}`
  })
}

/** Puts an opener such as "First," before each point. */
function opened(points: readonly string[], choice: SeededChoice): string[] {
  return points.map((point, index) => {
    const isLast = index === points.length - 1 && points.length > 2
    return `${choice.pick(isLast ? lastOpeners : (openers[index] ?? openers.at(-1)!))} ${point}`
  })
}

/** Many points in parts of about four: only the first part is numbered, the others begin with a bridge. */
function inParts(points: readonly string[], choice: SeededChoice): string[] {
  const partCount = Math.min(partOpeners.length + 1, Math.ceil(points.length / 4))
  const bounds = Array.from({ length: partCount + 1 }, (_, part) => Math.round((part * points.length) / partCount))
  return points.map((point, index) => {
    const part = bounds.indexOf(index)
    if (part > 0)
      return `${part === partCount - 1 ? partOpeners.at(-1) : partOpeners[(part - 1) % (partOpeners.length - 1)]} ${capitalised(point)}`
    if (index === points.length - 1) return `${choice.pick(lastOpeners)} ${point}`
    return index < bounds[1]! ? `${choice.pick(openers[index] ?? openers.at(-1)!)} ${point}` : capitalised(point)
  })
}

/** Points of the subject first, then general ones. A question gets statements, not advice. */
function materialFor(prompt: string, idea: Idea, choice: SeededChoice) {
  const mayAdvise =
    idea.wants === 'doing' || (idea.shape !== 'question' && !/^(?:why|what|how|when|where|who)\b/.test(idea.it))
  const subject = subjects.find(({ words, advises }) => words.test(prompt) && (mayAdvise || !advises))
  const { points, closes } = (subject ? subject.advises : idea.wants === 'doing')
    ? englishPhrases.advice
    : englishPhrases.insight
  return { points: [...choice.shuffled(subject?.points ?? []), ...choice.shuffled(points)], closes }
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

/** A briefing may dictate a line: start with "…", end with "…". */
const dictated = (briefing: string, verbs: string) =>
  new RegExp(`\\b(?:${verbs})\\w*\\s+(?:with|by saying)\\s+["“]([^"”]{3,200})["”]`, 'i').exec(briefing)?.[1]

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
