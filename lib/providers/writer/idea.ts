/** Parses an English prompt by rules: its subject, and the kinds of sentence in which the subject can stand. */
import { englishPhrases, type IdeaShape } from './phrases/index.ts'

export interface Idea {
  /** The idea as it is spoken: a phrase that can follow "about", otherwise a whole sentence with its mark. */
  it: string
  shape: IdeaShape
  /** `doing`: the script gives advice. `knowing`: it explains. */
  wants: 'doing' | 'knowing'
  /** The idea as a heading, without a closing full stop. */
  heading: string
  /** Further sentences of a long prompt, used in the script verbatim. */
  furtherSentences: string[]
  /** An announcement, to which rules cannot add anything. */
  isAnnouncement: boolean
}

const request =
  /^(?:please |can you |could you )?(?:(?:make|create|write|generate|produce|do|record|film|give me|i want|i need|i would like|i'd like)\s+(?:me\s+)?(?:an?|the|some)?\s*)(?:[\w-]+\s+){0,5}?(?:video|reel|short|script|clip|story|tiktok|explainer|post|content)s?\s*(?:for (?:tiktok|instagram|youtube|social media)\s*)?(?:about|on|explaining|showing|covering|that (?:explains?|shows?|covers?|talks about)|:)\s*/i
/** "A funny video about ...", of which only the subject counts. */
const genre =
  /^(?:(?:tell|give|show) (?:me|us)\s+)?(?:an?|some)\s+(?:[\w-]+\s+){0,4}?(?:video|reel|short|clip|tiktok|explainer|joke|story|script)s?\s+(?:about|on|explaining|showing)\s+/i
/** The audience of an explanation, which is not its subject. */
const listener =
  /(?<!\s)\s+(?:to (?:an?|my|the|some)\s+(?:[\w-]+\s+){0,3}?(?:old|child|children|kid|beginner|student|grand\w+|audience)s?|like (?:i['’]m|i am) \S+)$/i
const announcement =
  /^(?:meet|introducing|announcing|presenting|grand opening|now open|opening soon|join us|come to|visit us|we(?:['’]re| are) (?:hiring|opening|launching|open))\b/i
const explain =
  /^(?:please\s+)?(?:explain|describe|discuss|introduce|talk about|tell (?:me|us) about|teach (?:me|us) about)\s+(?:to (?:me|us)\s+)?/i
const instruction =
  /^(?:it should|it must|the (?:tone|style|video|script|voice)|tone|style|use|include|mention|add|make (?:it|sure)|keep|target|audience|don't|do not|avoid|please|end with|start with|length|duration|format)\b|\b(?:video|seconds|hashtags?|subtitles|captions)\b/i
const auxiliary = /^(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|may|might|must)\b/i
const questionWord = /^(?:why|what|who|when|where|which|whose|how)\b/i
/** "Why is the sea salty" asks; "why the sea is salty" is a phrase. */
const openQuestion =
  /^(?:why|who|when|where|how(?: (?:long|often|far|fast|old|big|hard|good|bad|come))?|(?:what|which|whose|how (?:much|many))(?:\s+[\w'-]+){0,2}?)(?:'s|'re|\s(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|happens|makes|causes))\b/i
const command =
  /^(?:stop|save|learn|build|get|be|become|lose|earn|improve|boost|find|avoid|create|make|start|increase|reduce|master|overcome|quit|discover|grow|choose|keep|take|fix|prepare)\s+(?!(?:up|ups|your engines)\b)/i
const betterCommand = /^\w+(?:\s+\w+)?\s+(?:better|faster|more|less|well|smarter|longer|earlier)$/i
const finite =
  /\b(?:i|we|you|they|he|she|it|there|this|that|people|everyone|nobody)\s+(?:\w+ly\s+)?\w+|\b(?:is|are|was|were|am|has|have|had|will|would|can|could|should|must|do|does|did|don't|doesn't|isn't|aren't|won't|can't|never|always|went|came|made|took|lost|found|won|built|left|gave|said|saw|became|began|died)\b|\b\w+ed (?:a|an|the|my|his|her|their|its|in|at|to|on|for|alone|up|out)\b/i
/** Four or more words are a noun phrase only with one of these words: "Scientists discover new planet" has none. */
const phraseLike =
  /^(?:the|a|an|my|our|your|best|top|how|why|\w+ing)\b|\b(?:of|for|about|with|without|in|on|at|from|near|and|vs|versus|between|behind|against|to)\b/i
const listOf =
  /^(?:the\s+)?(?:top\s+|best\s+|my\s+)*(?:\d+(?!\d)|two|three|four|five|six|seven|eight|nine|ten)?\s*(?:[\w-]+\s+){0,2}?(tips|ways|steps|tricks|hacks|ideas|rules|secrets|lessons|habits|mistakes|reasons|facts|things|myths|signs)\b\s*/i
const count = /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\s+/i
/** First words that are lower case inside a sentence; any other capitalised word may be a name. */
const common =
  /^(?:the|a|an|my|your|our|how|why|what|when|where|who|which|is|are|do|does|this|these|some|every|best|top|morning|daily|simple|easy|small|good|bad|healthy|modern|ancient|deep|home|time|personal|social|public|first|\w+ing|\w+ness|\w+ity)$/i

/** Never fails: a prompt that matches no rule becomes a separate sentence, which is correct in any script. */
export function parseIdea(prompt: string): Idea {
  const sentences = sentencesOf(prompt)
  const stripped = (sentences[0] ?? '').replace(request, '').replace(genre, '').replace(explain, '')
  const isRequest = stripped !== sentences[0]
  const furtherSentences = sentences
    .slice(1)
    .filter((sentence) => !instruction.test(sentence))
    .map(withFullStop)
  const topic = stripped
    .replace(/^did you know (?:that )?(.*?)\??$/i, '$1')
    .replace(/(?<![.!:;,\s])[.!:;,\s]+$/u, '')
    .replace(isRequest ? listener : /(?!)/, '')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(topic))
    return {
      it: 'everyday things',
      shape: 'phrase',
      wants: 'knowing',
      heading: '',
      furtherSentences,
      isAnnouncement: false,
    }
  if (announcement.test(topic))
    return {
      it: withFullStop(topic),
      shape: 'sentence',
      wants: 'knowing',
      heading: capitalised(topic),
      furtherSentences,
      isAnnouncement: true,
    }
  return {
    isAnnouncement: false,
    heading: capitalised(topic),
    ...shapeOf(topic, isRequest, furtherSentences.length > 0),
    furtherSentences,
  }
}

type ParsedShape = Pick<Idea, 'it' | 'shape' | 'wants'> & { heading?: string }

function shapeOf(topic: string, isRequest: boolean, hasFurther: boolean): ParsedShape {
  const words = topic.split(/\s+/).length
  const mid = midSentence(topic)
  if (/^how to\b/i.test(topic)) return { it: mid, shape: 'phrase', wants: 'doing' }
  // "What black holes are" asks nothing.
  const isOpen =
    words > 2 && (auxiliary.test(topic) || openQuestion.test(topic)) && !/\s(?:is|are|was|were)$/i.test(topic)
  const isQuestion = /\?$/.test(topic) || isOpen
  if (isQuestion) return questionShape(topic)
  const list = listOf.exec(topic)
  if (list) return listShape(topic, list[0], list[1]!.toLowerCase())
  if (questionWord.test(topic) && words > 1 && words <= 16) return { it: mid, shape: 'phrase', wants: 'knowing' }
  const isCommand =
    words > 1 &&
    words <= 12 &&
    !/[,;:]/.test(topic) &&
    (command.test(topic) || (words <= 3 && betterCommand.test(topic)))
  if (isCommand) {
    const it = `how to ${topic[0]!.toLowerCase()}${topic.slice(1)}`
    return { it, shape: 'phrase', wants: 'doing', heading: capitalised(it) }
  }
  const isPhrase = isRequest || words <= 3 || (words <= 12 && phraseLike.test(topic) && !hasFurther)
  if (isPhrase && !finite.test(topic) && !/[;:]|,.*,/.test(topic)) return { it: mid, shape: 'phrase', wants: 'knowing' }
  return { it: withFullStop(topic), shape: 'sentence', wants: 'knowing' }
}

function questionShape(topic: string): ParsedShape {
  const it = `${capitalised(topic).replace(/(?<!\?)\?+$/, '')}?`
  return {
    it,
    shape: 'question',
    wants: /^(?:how (?:do|can|should|could)|what (?:should|can)) (?:i|you|we)\b/i.test(topic) ? 'doing' : 'knowing',
    heading: it,
  }
}

/** A list promises a number of items that rules cannot know, so only its subject is used. */
function listShape(topic: string, opening: string, kind: string): ParsedShape {
  const rest = topic.slice(opening.length)
  const subject = rest.replace(/^(?:for|about|on)\s+/i, '')
  const wants = /tips|ways|steps|tricks|hacks|ideas|rules|secrets|lessons|habits|mistakes/.test(kind)
    ? 'doing'
    : 'knowing'
  if (rest === '' || /^(?:of|in)\s/i.test(rest))
    return { it: midSentence(topic.replace(count, 'the ')), shape: 'phrase', wants }
  if (/^to\s/i.test(rest)) return { it: `how ${rest}`, shape: 'phrase', wants: 'doing' }
  if (subject !== rest && !finite.test(subject)) return { it: midSentence(subject), shape: 'phrase', wants }
  return { it: `the ${kind} ${rest}`, shape: 'phrase', wants }
}

/** Sentences with their punctuation, in order, without Markdown and line breaks. */
export function sentencesOf(text: string): string[] {
  const plain = text
    .replace(/[*_`#>|~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.split(/(?<=[.!?…])["'”’)]*\s+(?=["'“‘(]?[\p{Lu}\p{N}¿¡])/u).filter(Boolean)
}

export const withFullStop = (sentence: string) =>
  capitalised(/[.!?…]["'”’)]*$/u.test(sentence) ? sentence : `${sentence.replace(/(?<![,;:\s])[,;:\s]+$/u, '')}.`)

/** A name such as iPhone stays unchanged. */
export const capitalised = (text: string) =>
  text.replace(
    /^(\P{L}*)(\p{L})(?!\p{Lu})/u,
    (_, before: string, letter: string) => before + letter.toLocaleUpperCase(),
  )

const isName =
  /^(?:ai|mars|italy|japan|paris|london|rome|spain|europe|asia|africa|egypt\w*|gree\w+|romans?|vikings?|bitcoin)$/i
const commonNouns = new RegExp(englishPhrases.commonNouns, 'i')
const isCommonNoun = (word: string) => !isName.test(word) && commonNouns.test(word)

function midSentence(topic: string): string {
  const [first = ''] = topic.split(/\s+/)
  const isShouted = topic.length > 4 && topic === topic.toUpperCase()
  const calm = isShouted ? topic.toLowerCase() : topic
  const lowered = common.test(first) || isCommonNoun(first) ? `${calm[0]!.toLowerCase()}${calm.slice(1)}` : calm
  return /^(?:top|best)\s/.test(lowered) ? `the ${lowered}` : lowered
}
