/**
 * Writes a script from facts, by rules: an opening line, facts in the order of the findings with the most surprising one
 * last, a closing line. Adds no statement of its own.
 */
import { speechRate, unspacedScripts } from '../../domain/core/speech-duration.ts'
import type { Script, ScriptBeat } from '../../domain/records/script.ts'
import type { Fact, Findings } from '../research/index.ts'
import { scriptChoice } from '../seeded-choice.ts'
import { briefingOf, dictatedClose, dictatedOpening } from './briefing.ts'
import type { ScriptInput } from './index.ts'

/** A script with fewer facts says too little about its subject, whatever its length aims at. */
const factsMin = 4
const stepOpeners = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth']
const numbers = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** About `wordsAim` words, and at most `wordsMax`, unless the shortest fact alone is longer. */
export function scriptFromFindings(
  input: ScriptInput,
  findings: Findings,
  wordsAim: number,
  wordsMax: number,
): Pick<Script, 'text' | 'beats'> {
  const { facts, turn, kind } = findings
  const choice = scriptChoice(input)
  const briefing = briefingOf(input)
  const hook = dictatedOpening(briefing) ?? (findings.hooks.length > 0 ? choice.opening(findings.hooks) : '')
  const close = dictatedClose(briefing) ?? (findings.closes.length > 0 ? choice.pick(findings.closes) : '')
  const surprise = turn === null || kind === 'advice' ? undefined : facts[turn]
  // The first script of an idea holds its most surprising fact; a variation may do without.
  const preferred =
    input.variation === null
      ? facts.toSorted((a, b) => Number(b === surprise) - Number(a === surprise))
      : choice.shuffled(facts)
  const { lines, chosen } = fitted(preferred, { hook, close }, { wordsAim, wordsMax, count: countIn(input.prompt) })
  const inOrder = facts.filter((fact) => chosen.includes(fact) && fact !== surprise)
  // Eight facts have few subsets, so the details of a variation also change their order; steps of advice keep theirs.
  const details = input.variation === null || kind === 'advice' ? inOrder.slice(1) : choice.shuffled(inOrder.slice(1))
  const spoken = [...inOrder.slice(0, 1), ...details, ...(surprise && chosen.includes(surprise) ? [surprise] : [])]
  const isNumbered = kind === 'advice' && spoken.length > 1
  const beats = [
    // Pictures of an opening and a close come from their own words and the title: what facts show is seen with them.
    ...(lines.hook ? [{ text: lines.hook, show: [], emphasis: [] }] : []),
    ...spoken.map((fact, index) => beatOf(fact, isNumbered ? stepOpeners[index] : undefined)),
    ...(lines.close ? [{ text: lines.close, show: [], emphasis: [] }] : []),
  ]
  return { text: beats.map(({ text }) => text).join(' '), beats }
}

interface Frame {
  /** Empty where there is none. */
  hook: string
  close: string
}

/** Facts within the frame; a script too short for that does without its close, then without its hook. */
function fitted(
  preferred: readonly Fact[],
  { hook, close }: Frame,
  length: ScriptLength,
): { lines: Frame; chosen: Fact[] } {
  for (const lines of [
    { hook, close },
    { hook, close: '' },
    { hook: '', close: '' },
  ]) {
    const words = wordCount(lines.hook) + wordCount(lines.close)
    const { wordsAim, wordsMax, ...rest } = length
    const chosen = chooseFacts(preferred, { wordsAim: wordsAim - words, wordsMax: wordsMax - words, ...rest })
    if (chosen.length > 0) return { lines, chosen }
  }
  const shortest = preferred.toSorted((a, b) => wordCount(a.text) - wordCount(b.text)).slice(0, 1)
  return { lines: { hook: '', close: '' }, chosen: shortest }
}

interface ScriptLength {
  wordsAim: number
  wordsMax: number
  /** How many facts the idea asks for. */
  count: number | undefined
}

/** As many facts as fit, preferring the first ones. */
function chooseFacts(preferred: readonly Fact[], { wordsAim, wordsMax, count }: ScriptLength): Fact[] {
  const chosen: Fact[] = []
  let words = 0
  for (const fact of preferred) {
    // One more for the opener of a step.
    const next = words + wordCount(fact.text) + 1
    const isEnough = count ? chosen.length >= count : chosen.length >= factsMin && next > wordsAim
    if (isEnough || next > wordsMax) continue
    chosen.push(fact)
    words = next
  }
  return chosen
}

/** "Three ways to ..." asks for three steps. */
function countIn(prompt: string): number | undefined {
  const word =
    /^(?:the\s+|my\s+)?(?:top\s+|best\s+)?(\d{1,2}|\w+)\s+(?:\w+\s+){0,2}?(?:ways|tips|steps|habits|rules|tricks|reasons|facts|things|ideas|myths|mistakes)\b/i.exec(
      prompt.trim(),
    )?.[1]
  if (!word) return undefined
  const number = /^\d/.test(word) ? Number(word) : numbers.indexOf(word.toLowerCase()) + 3
  return number >= 3 && number <= stepOpeners.length ? number : undefined
}

/** Numbers a step: "First, keep the bedroom cool." */
const beatOf = ({ text, show }: Fact, opener: string | undefined): ScriptBeat => ({
  text: opener ? `${opener}, ${text[0]!.toLowerCase()}${text.slice(1)}` : text,
  show: [...show],
  emphasis: [],
})

/** Characters of writing without spaces count as the words that take as long to speak. */
const wordCount = (text: string) => {
  const characters = text.match(unspacedScripts)?.length ?? 0
  const words = text.replace(unspacedScripts, ' ').match(/[^\s。、！？]+/gu)?.length ?? 0
  return words + Math.round((characters * speechRate.words) / speechRate.characters)
}
