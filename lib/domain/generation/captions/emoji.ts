/**
 * Decorates caption pages with an emoji: those of the text itself, and in videos with a light mood some pages with a
 * matching English word.
 */
import type { CaptionPage, CaptionWord } from './captions.ts'
import { wordsBetween } from './captions.ts'

/** The stored value of a page's `emoji`. */
interface EmojiDecoration {
  character: string
}

/** Values of `mood` with emoji. */
const lightMoods = ['fun', 'playful', 'energetic']
/** Pages without an emoji after one that has one. */
const plainPagesMin = 2

/** Nouns and verbs with one meaning: "never", "right" or "goal" would bring an emoji that contradicts the sentence. */
const emojiWords: Record<string, string> = {
  '🔥': 'fire burn flame spicy',
  '❤️': 'love heart loved',
  '💡': 'idea ideas tip tips trick insight',
  '💰': 'money cash dollars rich profit salary',
  '🚀': 'launch rocket boost',
  '⏰': 'clock alarm deadline',
  '🧠': 'brain brains memory smart',
  '💪': 'strong strength gym workout muscle power',
  '🎉': 'party celebrate win wins congratulations birthday',
  '😂': 'funny laugh joke hilarious',
  '😱': 'shocking scary unbelievable insane terrifying',
  '😴': 'sleep tired nap bed',
  '☕': 'coffee caffeine espresso',
  '🍕': 'pizza food eat hungry dinner lunch',
  '🌍': 'world earth planet global',
  '🌊': 'ocean sea wave waves beach',
  '☀️': 'sun sunny summer sunrise',
  '🐶': 'dog dogs puppy',
  '🐱': 'cat cats kitten',
  '📱': 'phone app apps screen',
  '💻': 'computer laptop code software',
  '📚': 'book books read study learn',
  '🎵': 'music song songs sing',
  '🏆': 'winner champion trophy',
  '⚡': 'energy electric lightning',
  '👀': 'watch eyes',
  '🤯': 'mindblowing crazy wow',
  '✅': 'correct checklist approved',
  '🛑': 'stop stopped',
  '⚽': 'football soccer',
}
const emojiOf = new Map(
  Object.entries(emojiWords).flatMap(([character, words]) => words.split(' ').map((word) => [word, character])),
)

const firstEmoji =
  /\p{RI}{2}|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?)*/u

/** The first emoji that the text has on a page; no font of the captions draws it. */
const ownEmoji = (words: readonly CaptionWord[]): string | undefined =>
  words.map(({ punctuated_word }) => firstEmoji.exec(punctuated_word)?.[0]).find((emoji) => emoji !== undefined)

/** The pages with their emoji; never the same chosen one twice in a row. */
export function withEmoji(
  pages: readonly CaptionPage[],
  words: readonly CaptionWord[],
  mood: string | null,
): CaptionPage[] {
  const isLight = lightMoods.includes(mood?.toLowerCase() ?? '')
  let plainPages = plainPagesMin
  let latest: string | undefined
  return pages.map((page) => {
    const shown = wordsBetween(words, page.startMs, page.endMs)
    const own = ownEmoji(shown)
    const chosen = isLight
      ? shown.map(({ text }) => emojiOf.get(text)).find((found) => found !== undefined && found !== latest)
      : undefined
    const character = own ?? chosen
    if (character === undefined || (!own && plainPages < plainPagesMin)) {
      plainPages++
      return page
    }
    plainPages = 0
    latest = character
    return { ...page, emoji: { character } satisfies EmojiDecoration }
  })
}

/** The character of a decoration; undefined for decorations of another shape. */
export const emojiCharacter = (decoration: CaptionPage['emoji']): string | undefined =>
  typeof decoration?.character === 'string' && decoration.character !== '' ? decoration.character : undefined
