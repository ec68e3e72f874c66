/**
 * Captions of posts by rules: a lead from the narration, the invitations that the prompt requests, and hashtags of the
 * subject.
 */
import { extractKeywords } from '../../domain/generation/keywords.ts'
import { seededChoice } from '../seeded-choice.ts'
import { sentencesOf, withFullStop } from './idea.ts'
import type { DescriptionInput } from './index.ts'
import { invitations } from './phrases/index.ts'

/** The storage limit. */
const lengthMax = 2_000
/** Characters. The default is the shortest limit among the platforms. */
const lengthAims = { short: 0, default: 280, long: 900 }
const hashtagsDefault = 5
const hashtagsMax = 30

/** What the rules recognise in a prompt; everything else in it is ignored. */
interface CaptionOptions {
  length: keyof typeof lengthAims
  hashtags: number
  question: boolean
  call: boolean
}

const without = "(?:no|not|without|don[’']?t|never|ohne|keine?|sin|sans|pas de|senza|sem|zonder|geen|bez)"
const hashtag = '(?:hash\\s?-?tags?|tags?)'
const patterns = {
  noHashtags: new RegExp(`\\b${without}\\b(?:\\s+[\\p{L}]+){0,2}\\s+${hashtag}`, 'iu'),
  hashtags: new RegExp(
    `\\b(\\d{1,2}|zero|one|two|three|four|five|six|seven|eight|nine|ten)\\b(?:\\s+[\\p{L}-]+){0,2}\\s+${hashtag}`,
    'iu',
  ),
  noQuestion: new RegExp(`\\b${without}\\b(?:\\s+[\\p{L}]+){0,2}\\s+questions?`, 'iu'),
  question: /question|\bask\b|\bfrage|pregunta|domanda|pergunta|\bvra(?:ag|gen)\b|pytani|질문|提问|问题|सवाल|प्रश्न/iu,
  noCall: new RegExp(`\\b${without}\\b(?:\\s+[\\p{L}]+){0,2}\\s+(?:calls?[ -]to[ -]action|cta)`, 'iu'),
  call: /calls?[ -]to[ -]action|\bcta\b|\b(?:subscribe|follow us|follow me|to follow|sign up|handlungsaufforderung)\b|llamada a la acción|appel à l|invito all|chamada para/iu,
  short:
    /\b(?:short|shorter|brief|briefly|concise|snappy|one[ -](?:sentence|line(?:r)?)|kurze?[rsn]?|cort[oa]|breve|court|courte|curt[oa]|kort|krótk\w*)\b/iu,
  long: /\b(?:long|longer|detailed|in detail|ausführlich|larg[oa]|detallad[oa]|détaillée?|dettagliat[oa]|detalhad[oa]|uitgebreid)\b/iu,
}
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export function descriptionOf({ title, text, prompt, language }: DescriptionInput): string {
  const options = parseOptions(prompt ?? '')
  // A text of punctuation only has no sentences.
  const spoken = [text, title].map(sentencesOf).find((sentences) => sentences.length > 0) ?? [title]
  const sentences = spoken.map(withFullStop)
  const chosen = [...chooseInvitations(sentences, options, language, title)]
  const invitation = chosen.join(' ')
  const hashtags = hashtagsOf(title, text, options.hashtags)
  const room = lengthMax - invitation.length - hashtags.length - 4
  const lead = leadOf(
    sentences.filter((sentence) => !chosen.includes(sentence)),
    lengthAims[options.length] - hashtags.length,
    room,
  )
  return [lead, invitation, hashtags].filter(Boolean).join('\n\n')
}

function parseOptions(prompt: string): CaptionOptions {
  return {
    length: patterns.short.test(prompt) ? 'short' : patterns.long.test(prompt) ? 'long' : 'default',
    hashtags: patterns.noHashtags.test(prompt) ? 0 : countIn(prompt),
    question: patterns.question.test(prompt) && !patterns.noQuestion.test(prompt),
    call: patterns.call.test(prompt) && !patterns.noCall.test(prompt),
  }
}

function countIn(prompt: string): number {
  const [, numeral] = patterns.hashtags.exec(prompt) ?? []
  if (numeral === undefined) return hashtagsDefault
  const count = /^\d/.test(numeral) ? Number(numeral) : numbers.indexOf(numeral.toLowerCase())
  return Math.min(count, hashtagsMax)
}

/** Whole sentences up to the aim; at least the first one, cut at a word where it exceeds the room. */
function leadOf(sentences: readonly string[], aim: number, room: number): string {
  let lead = ''
  for (const sentence of sentences) {
    const longer = `${lead} ${sentence}`.trim()
    if (lead && longer.length > Math.min(aim, room)) break
    lead = longer
  }
  if (lead.length <= room) return lead
  const cut = lead.slice(0, room - 1).replace(/[\ud800-\udbff]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${(space > room / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')}…`
}

/** Prefers a question of the text to a generic one. */
function* chooseInvitations(sentences: readonly string[], options: CaptionOptions, language: string, seed: string) {
  const phrases = invitations[language] ?? invitations.en!
  const choice = seededChoice(`description/${seed}`)
  if (options.question) {
    const question = sentences.slice(1).findLast((sentence) => /[?？]$/.test(sentence) && sentence.length <= 120)
    yield question ?? choice.pick(phrases.questions)
  }
  if (options.call) yield choice.pick(phrases.calls)
}

/** Words of the title come first, since it names the subject. Numerals are left out. */
function hashtagsOf(title: string, text: string, count: number): string {
  const words = [...extractKeywords(title, 3), ...extractKeywords(text, count * 2)].map((word) =>
    word.replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
  )
  const tags = [...new Set(words)].filter(
    (word) => /\p{L}/u.test(word) && word.length > 1 && word.length <= 30 && !numbers.includes(word),
  )
  return tags
    .slice(0, count)
    .map((word) => `#${word}`)
    .join(' ')
}
