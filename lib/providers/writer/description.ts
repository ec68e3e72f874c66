/** The caption of a post by rules: a hook from what is said, what the prompt asks for, and hashtags of what it is about. */
import { extractKeywords } from '../../domain/generation/keywords.ts'
import { seededChoice } from '../seeded-choice.ts'
import { sentencesOf, withFullStop } from './idea.ts'
import type { DescriptionInput } from './index.ts'
import { invitations } from './phrases/index.ts'

/** The longest that may be stored. */
const lengthMax = 2_000
/** The shortest limit of the platforms that posts go to is the usual aim. */
const lengthAims = { short: 0, usual: 280, long: 900 }
const hashtagsUsual = 5
const hashtagsMax = 30

/** What a prompt asks for, in the words that people use for it; everything else in it is taste, which rules do not have. */
interface Asked {
  length: keyof typeof lengthAims
  hashtags: number
  question: boolean
  call: boolean
}

const without = "(?:no|not|without|don[’']?t|never|ohne|keine?|sin|sans|pas de|senza|sem|zonder|geen|bez)"
const hashtag = '(?:hash\\s?-?tags?|tags?)'
const cues = {
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
  const asked = askedIn(prompt ?? '')
  // Of a text that is marks only nothing is left.
  const spoken = [text, title].map(sentencesOf).find((sentences) => sentences.length > 0) ?? [title]
  const sentences = spoken.map(withFullStop)
  const invited = [...invitationsOf(sentences, asked, language, title)]
  const invitation = invited.join(' ')
  const hashtags = hashtagsOf(title, text, asked.hashtags)
  const room = lengthMax - invitation.length - hashtags.length - 4
  const lead = leadOf(
    sentences.filter((sentence) => !invited.includes(sentence)),
    lengthAims[asked.length] - hashtags.length,
    room,
  )
  return [lead, invitation, hashtags].filter(Boolean).join('\n\n')
}

function askedIn(prompt: string): Asked {
  return {
    length: cues.short.test(prompt) ? 'short' : cues.long.test(prompt) ? 'long' : 'usual',
    hashtags: cues.noHashtags.test(prompt) ? 0 : countIn(prompt),
    question: cues.question.test(prompt) && !cues.noQuestion.test(prompt),
    call: cues.call.test(prompt) && !cues.noCall.test(prompt),
  }
}

function countIn(prompt: string): number {
  const [, written] = cues.hashtags.exec(prompt) ?? []
  if (written === undefined) return hashtagsUsual
  const count = /^\d/.test(written) ? Number(written) : numbers.indexOf(written.toLowerCase())
  return Math.min(count, hashtagsMax)
}

/** Whole sentences up to the aim; at least the first, cut at a word where even that has no room. */
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
  return `${(space > room / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:–—-]+$/u, '')}…`
}

/** A question of the text itself is better than one that fits everything. */
function* invitationsOf(sentences: readonly string[], asked: Asked, language: string, seed: string) {
  const phrases = invitations[language] ?? invitations.en!
  const choice = seededChoice(`description/${seed}`)
  if (asked.question) {
    const own = sentences.slice(1).findLast((sentence) => /[?？]$/.test(sentence) && sentence.length <= 120)
    yield own ?? choice.pick(phrases.questions)
  }
  if (asked.call) yield choice.pick(phrases.calls)
}

/** The title names the subject, so its words come first. How many of it there are is no subject. */
function hashtagsOf(title: string, text: string, count: number): string {
  const words = [...extractKeywords(title, 3), ...extractKeywords(text, count * 2)].map((word) =>
    word.replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
  )
  const telling = [...new Set(words)].filter(
    (word) => /\p{L}/u.test(word) && word.length > 1 && word.length <= 30 && !numbers.includes(word),
  )
  return telling
    .slice(0, count)
    .map((word) => `#${word}`)
    .join(' ')
}
