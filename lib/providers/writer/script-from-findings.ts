/**
 * Writes a script from facts, by rules: an opening line, facts in the order of the findings with the most surprising one
 * last, a closing line. Adds no statement of its own.
 */
import { speechRate, unspacedScripts } from '../../domain/generation/speech-duration.ts'
import type { Script, ScriptBeat } from '../../domain/records/script.ts'
import type { Fact, Findings } from '../research/index.ts'
import { scriptChoice } from '../seeded-choice.ts'
import type { ScriptInput } from './index.ts'

/** A script with fewer facts says too little about its subject, whatever its length aims at. */
const factsMin = 4
const stepOpeners = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth']
const numbers = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** About `wordsAim` words, and at most `wordsMax`; at least the opening. */
export function scriptFromFindings(
  input: ScriptInput,
  findings: Findings,
  wordsAim: number,
  wordsMax: number,
): Pick<Script, 'text' | 'beats'> {
  const choice = scriptChoice(input)
  const hook = findings.hooks.length > 0 ? choice.opening(findings.hooks) : undefined
  const close = findings.closes.length > 0 ? choice.pick(findings.closes) : undefined
  const frameWords = wordCount(hook ?? '') + wordCount(close ?? '')
  const { facts, turn, kind } = findings
  const surprise = turn === null || kind === 'advice' ? undefined : facts[turn]
  // The first script of an idea holds its most surprising fact; a variation may do without.
  const ordered =
    input.variation === null
      ? facts.toSorted((a, b) => Number(b === surprise) - Number(a === surprise))
      : choice.shuffled(facts)
  const chosen = chooseFacts(ordered, {
    wordsAim: wordsAim - frameWords,
    wordsMax: wordsMax - frameWords,
    count: countIn(input.prompt),
  })
  const inOrder = [
    ...facts.filter((fact) => chosen.includes(fact) && fact !== surprise),
    ...(surprise && chosen.includes(surprise) ? [surprise] : []),
  ]
  const beats = [
    ...(hook ? [{ text: hook, show: showOf(findings, inOrder), emphasis: [] }] : []),
    ...inOrder.map((fact, index) => beatOf(fact, kind === 'advice' ? stepOpeners[index] : undefined)),
    ...(close && frameWords <= wordsMax ? [{ text: close, show: [], emphasis: [] }] : []),
  ]
  return { text: beats.map(({ text }) => text).join(' '), beats }
}

/** As many facts as fit, preferring the first ones. */
function chooseFacts(
  preferred: readonly Fact[],
  { wordsAim, wordsMax, count }: { wordsAim: number; wordsMax: number; count: number | undefined },
): Fact[] {
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

/** The opening shows the subject: what the facts show most often, and nothing that the first fact shows. */
function showOf({ facts }: Findings, chosen: readonly Fact[]): string[] {
  const first = chosen[0]?.show ?? []
  const counts = new Map<string, number>()
  for (const object of facts.flatMap(({ show }) => show)) counts.set(object, (counts.get(object) ?? 0) + 1)
  const rest = [...counts].filter(([object]) => !first.includes(object)).toSorted(([, a], [, b]) => b - a)
  return rest.slice(0, 2).map(([object]) => object)
}

/** Characters of writing without spaces count as the words that take as long to speak. */
const wordCount = (text: string) => {
  const characters = text.match(unspacedScripts)?.length ?? 0
  const words = text.replace(unspacedScripts, ' ').match(/[^\s。、！？]+/gu)?.length ?? 0
  return words + Math.round((characters * speechRate.words) / speechRate.characters)
}
