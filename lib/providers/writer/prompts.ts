/**
 * The prompt kit: the tasks that any language model gets as a writer, and the material they are about. Short, since local
 * models have a context of 4,096 tokens. Increment the versions in `model.ts` when a task changes.
 */
import { isUnspacedLanguage, speechRate } from '../../domain/core/speech-duration.ts'
import type { Findings } from '../research/index.ts'
import type { ScriptInput } from './index.ts'

/** Shares of the maximal duration. Voices differ in speed, and a slow one must not exceed the paid duration. */
const shareAllowed = 0.92
const shareAimed = 0.75
/** One or two spoken sentences. */
const beatSeconds = 5

/** What a script is measured by. */
export interface ScriptAim {
  /** Seconds of speech. */
  aim: number
  max: number
  beats: number
}

export const scriptAim = (secondsMax: number): ScriptAim => ({
  aim: secondsMax * shareAimed,
  max: secondsMax * shareAllowed,
  beats: Math.max(2, Math.round((secondsMax * shareAimed) / beatSeconds)),
})

/** A length of speech in the unit of the language: `117 words`. */
export function spokenLength(seconds: number, language: string): { count: number; unit: 'words' | 'characters' } {
  const unit = isUnspacedLanguage(language) ? 'characters' : 'words'
  return { count: Math.floor(seconds * speechRate[unit]), unit }
}

export const languageName = (language: string): string =>
  new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language

export function scriptTask({ language, durationSecondsMax, findings }: ScriptInput): string {
  const { aim, max, beats } = scriptAim(durationSecondsMax)
  const { count, unit } = spokenLength(aim, language)
  return [
    'You write the script of a short video: what one narrator speaks while pictures are shown.',
    '"idea" is the subject, "briefing" how its maker wants it, "mood" how it feels, "facts" what is known about it. Another "take" wants another script.',
    `Write in ${languageName(language)}, whatever the language of the material is.`,
    '1. Open with the most surprising concrete thing, in a sentence of at most 10 words. No greeting, no announcement.',
    '2. One idea a sentence, at most 16 words. Say numbers with units, names, places, things one can see. Cut what would fit any other subject.',
    '3. In the middle a turn: what contradicts what people expect.',
    '4. Close with a line that follows from what was said, or a question that only this subject raises.',
    factsRule(findings),
    "Invent no figures, names, dates, studies or quotes. Of its maker's own life say only what the material says.",
    'Plain speech: no clichés ("in today\'s world", "let\'s dive in"), headings, lists, directions, emoji, hashtags or markup.',
    `About ${count} ${unit} in ${beats} beats, and never more than ${spokenLength(max, language).count}: it is spoken in ${durationSecondsMax} seconds at most.`,
  ].join('\n')
}

function factsRule(findings: Findings | null | undefined): string {
  if (!findings) return 'Say only what is well known and certain. Leave out a figure that you are not sure of.'
  const rule =
    'Build on "facts", in your own words: every figure, date, name and cause comes from there, or from what everyone knows.'
  return findings.kind === 'advice' ? `${rule} They are steps: number those that you choose as people speak.` : rule
}

/** Characters of all facts. More than a script of ten minutes does not need. */
const factsLengthMax = 4_000

export const scriptMaterial = ({ prompt, scriptPrompt, mood, variation, findings }: ScriptInput) => ({
  idea: prompt,
  briefing: scriptPrompt,
  mood,
  take: variation,
  ...(findings && { facts: factsWithin(findings, factsLengthMax) }),
})

/** The first facts, which are the most relevant ones, and the most surprising one. */
function factsWithin({ facts, turn }: Findings, lengthMax: number): string[] {
  const surprise = turn === null ? undefined : facts[turn]?.text
  let room = lengthMax - (surprise?.length ?? 0)
  const chosen: string[] = []
  for (const { text } of facts) {
    if (text !== surprise) room -= text.length
    if (text === surprise || room >= 0) chosen.push(text)
  }
  return chosen
}

/** Characters of the material of a script for a small context: with task and form below 900 tokens. */
export const scriptMaterialAim = 1_100

export const captionTask = (language: string): string =>
  [
    'You write the caption that is posted with a short video. "title" is its title, "said" what is spoken in it, "wishes" how its maker wants the caption.',
    `Write in ${languageName(language)}. A first line that makes people curious, at most 280 characters in all, then five hashtags of what it is about in a last paragraph; where the wishes say otherwise, follow them, but never pass 2,000 characters.`,
    'Promise nothing that the video does not tell. Plain text with line breaks, no markup, no addresses.',
  ].join('\n')

export const captionMaterialAim = 4_000

export const scenesTask = [
  'You are the director of photography of a short video. "narrations" is what is spoken in each of its scenes, in order; "character" is who is seen in it, "style" how it looks, "mood" how it feels.',
  'For every narration describe in English one picture that shows what is said: subject, place, light and framing, 15 to 50 words, and how that picture moves: camera and subject, 5 to 20 words. Repeat the character and the style in the words of the material wherever they are seen, so that the scenes belong together.',
  'No text, logos or watermarks in the pictures, no names of living artists or of real people.',
].join('\n')
