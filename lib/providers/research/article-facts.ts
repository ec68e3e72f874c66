/**
 * Takes spoken facts out of the plain text of an encyclopedia article: whole sentences that stand alone. Changes nothing
 * but brackets, which are left out; skips a sentence rather than rewrite it.
 */
import { isUnspacedLanguage } from '../../domain/core/speech-duration.ts'
import { contentStems, stemOf } from './match-topic.ts'

const wordsMin = 6
const wordsMax = 30
/** Of languages without spaces. */
const charactersMin = 12
const charactersMax = 80

/** Words at the start of a sentence whose subject is in the sentence before; verbs where subjects may be left out. */
const dependentStarts: Record<string, RegExp> = {
  en: /^(?:it|they|this|that|these|those|he|she|its|their|his|her|him|them|such|both|neither|either|one of (?:these|them)|(?:an)?others?|some of (?:these|them)|many of (?:these|them)|most of (?:these|them)|each of (?:these|them)|however|therefore|thus|hence|moreover|furthermore|nevertheless|instead|also|and|but|or|so|yet|then|similarly|likewise|consequently|conversely|in addition|in contrast|as a result|for (?:example|instance|this|that)|at (?:this|that) (?:time|point)|on the other hand|additionally|according to (?:this|that|him|her|them)|here|there,)\b/i,
  de: /^(?:er|sie|es|dies\w*|jene\w*|sein\w*|ihr\w*|solche\w*|beide\w*|dabei|dadurch|daher|deshalb|dazu|damit|dort|hier|jedoch|außerdem|auch|und|aber|oder|so|zudem|allerdings|hierbei|hierzu|da(?:runter|von|für|gegen|nach|raus))\b/iu,
  es: /^(?:él|ella|ellos|ellas|est[eao]s?|es[eao]s?|aquel\w*|su|sus|ambos|ambas|además|también|sin embargo|por (?:lo tanto|eso|ello|ejemplo)|así|entonces|y|pero|o|allí|aquí|es|se|son|fue|fueron|era|eran|está|están|tiene|tienen|ha|han|puede|pueden|posee|poseen|vive|viven|mide|miden|pesa|pesan|cuenta|suele|suelen|habita|habitan)(?!\p{L})/iu,
  fr: /^(?:il|elle|ils|elles|ce|cet|cette|ces|c['’]est|cela|celui\p{L}*|celle\p{L}*|son|sa|ses|leurs?|ainsi|aussi|cependant|toutefois|de plus|par exemple|et|mais|ou|donc|alors|y|on y|en outre)(?!\p{L})/iu,
  it: /^(?:egli|ella|ess[oaie]|loro|quest[oaie]|quell[oaie]|suo|sua|suoi|sue|inoltre|anche|tuttavia|perciò|quindi|così|ad esempio|e|ma|o|entrambi|è|si|sono|fu|furono|era|erano|ha|hanno|può|possono|vive|vivono|viene|misura|pesa)(?!\p{L})/iu,
  pt: /^(?:ele|ela|eles|elas|est[ea]s?|ess[ea]s?|isso|isto|aquel\p{L}*|seu|sua|seus|suas|além disso|também|no entanto|porém|assim|por (?:isso|exemplo)|e|mas|ou|ambos|é|são|foi|foram|era|eram|está|estão|tem|têm|possui|possuem|pode|podem|vive|vivem|mede|pesa|trata-se)(?!\p{L})/iu,
  nl: /^(?:hij|zij|ze|het is|deze|dit|die|dat|zijn|haar|hun|ook|echter|daarom|daarnaast|bovendien|en|maar|of|zo|hier|daar\p{L}*)(?!\p{L})/iu,
}

/** Pronouns after a short beginning: "Notably, their", "In 1992, it". */
const laterPronoun =
  /^(?:[^\s,]+\s){0,3}[^\s,]+,\s(?:it|they|he|she|its|their|his|her|this|these|such|er|sie|es|il|elle|ils|elles|él|ella|ellos)(?!\p{L})/iu

/** Sections about something else than the subject; of other languages only those that hold no sentences are left out. */
const skippedSections =
  /^(?:see also|references|notes|further reading|external links|bibliography|etymology|pronunciation|in popular culture|gallery|citations|sources|einzelnachweise|weblinks|literatur|siehe auch|etymologie|véase también|referencias|enlaces externos|bibliografía|voir aussi|références|liens externes|bibliographie)$/i

/** Ends of what is no sentence: an abbreviation, or an ordinal number as in German, before the real end. */
const abbreviation =
  /(?:^|[\s(])(?:\d{1,2}|\p{L}|(?:\p{L}\.)+\p{L}|ca?|approx|vs|no|nos|st|mt|dr|mr|mrs|ms|prof|jr|sr|e\.g|i\.e|etc|fl|cf|al|vol|pp?|ed|fig|gen|col|lt|sgt|rev|inc|ltd|co|corp|bzw|z\.\s?b|u\.\s?a|usw|v|n|chr|nr|jh|sp|spp|subsp|var)\.$/iu

/** Passages of an article by section; the first one has no title. */
export function paragraphsOf(text: string): string[] {
  let isSkipped = false
  return text.split('\n').flatMap((line) => {
    const [, marks, title = ''] = /^(={2,6})(.*?)={2,6}$/.exec(line.trimEnd()) ?? []
    if (marks) {
      // A section inside one that is skipped is skipped as well.
      if (marks.length === 2) isSkipped = skippedSections.test(title.trim())
      else isSkipped ||= skippedSections.test(title.trim())
      return []
    }
    return isSkipped || !line.trim() ? [] : [line.trim()]
  })
}

/** The sentences of a passage that can be spoken on their own. */
export function standaloneSentences(paragraph: string, language: string): string[] {
  const segments = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(withoutBrackets(paragraph))]
  const pieces = segments.map(({ segment }) => segment.trim()).filter(Boolean)
  return pieces.filter(
    (sentence, index) =>
      standsAlone(sentence, language) &&
      !(index > 0 && abbreviation.test(pieces[index - 1]!)) &&
      !(index + 1 < pieces.length && /^[\p{Ll}\d]/u.test(pieces[index + 1]!) && !/[。！？।]$/u.test(sentence)),
  )
}

/** Each level of nested brackets takes one pass over the text. */
const nestingMax = 10

/** Without pronunciations, conversions and asides in brackets, also nested ones, and without reference marks. */
function withoutBrackets(text: string): string {
  let rest = text.normalize('NFC')
  for (let before = '', pass = 0; before !== rest && pass < nestingMax; pass++) {
    before = rest
    rest = rest.replace(/(?<!\s)\s*(?:\([^()]*\)|\[[^[\]]*\]|（[^（）]*）|⟨[^⟨⟩]*⟩)/gu, '')
  }
  return rest
    .replace(/[\u200b-\u200f\u2060\ufeff]/gu, '')
    .replace(/(?<!\s)\s+([,.;:!?])/g, '$1')
    .replace(/,(?=[,.])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function standsAlone(sentence: string, language: string): boolean {
  if (!/[.。।]["”»]?$/u.test(sentence) || abbreviation.test(sentence)) return false
  // Formulas, lists, quotations that begin elsewhere, addresses, and phonetic transcriptions.
  if (/[()[\]{}<>=;:|\\/*_#^~•→…]|https?|\p{So}|["“”«»„]/u.test(sentence)) return false
  if (/^[\p{Ll}\p{P}]/u.test(sentence)) return false
  if (dependentStarts[language]?.test(sentence) || laterPronoun.test(sentence)) return false
  if (isUnspacedLanguage(language)) return sentence.length >= charactersMin && sentence.length <= charactersMax
  const words = sentence.split(' ').length
  return words >= wordsMin && words <= wordsMax
}

/** Question words and the like of languages that have no list of generic words. */
const questionWords = new Set(
  `warum wieso wie was wer wann wo funktioniert funktionieren gibt gut gründe dinge tipps fakten geschichte por qué cómo cuándo dónde quién qué cuál
  funciona funcionan razones cosas consejos datos historia pourquoi comment quand où qui quoi quel quelle fonctionne raisons choses conseils faits
  perché come quando dove chi funziona cose motivi consigli fatti porque quem quais waarom hoe wanneer waar wie wat werkt dingen feiten
  dlaczego jak kiedy gdzie`.split(/\s+/),
)

/** Words that an idea is about, each in the form in which `mentions` compares it. */
export function subjectWords(idea: string, language: string, keywords: readonly string[]): string[] {
  if (language === 'en') return contentStems(idea)
  if (isUnspacedLanguage(language))
    return [...new Intl.Segmenter(language, { granularity: 'word' }).segment(idea)]
      .filter(({ segment, isWordLike }) => isWordLike && segment.length > 1)
      .map(({ segment }) => segment)
  return keywords.filter((word) => !questionWords.has(word))
}

/** Compares words by their stems; outside English by all but their last letters. */
export function mentions(text: string, language: string): (word: string) => boolean {
  const lower = text.toLowerCase()
  if (isUnspacedLanguage(language)) return (word) => lower.includes(word.toLowerCase())
  const words = new Set(lower.replace(/['’]s\b/g, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
  if (language === 'en') {
    const stems = new Set([...words].map(stemOf))
    return (word) => stems.has(word)
  }
  const all = [...words]
  return (word) => {
    const start = word.slice(0, Math.max(4, word.length - 2))
    return all.some((one) => one === word || (one.startsWith(start) && one.length <= word.length + 4))
  }
}
