/** Decorates some caption pages with an emoji: in videos with a light mood, on pages with a matching English word. */
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

const emojiWords: Record<string, string> = {
  '🔥': 'fire hot burn flame spicy',
  '❤️': 'love heart loved',
  '💡': 'idea ideas tip tips trick insight',
  '💰': 'money cash dollars rich profit salary',
  '🚀': 'launch rocket boost grow growth faster',
  '⏰': 'time hour hours minutes clock morning alarm',
  '🧠': 'brain mind memory smart think',
  '💪': 'strong strength gym workout muscle power',
  '🎉': 'party celebrate win wins congratulations birthday',
  '😂': 'funny laugh joke hilarious',
  '😱': 'shocking scary unbelievable insane terrifying',
  '😴': 'sleep tired nap bed',
  '☕': 'coffee caffeine espresso',
  '🍕': 'pizza food eat hungry dinner lunch',
  '🌍': 'world earth planet global travel',
  '🌊': 'ocean sea wave waves beach',
  '☀️': 'sun sunny summer sunrise',
  '🐶': 'dog dogs puppy',
  '🐱': 'cat cats kitten',
  '📱': 'phone app apps screen',
  '💻': 'computer laptop code software',
  '📚': 'book books read study learn',
  '🎵': 'music song songs sing',
  '🏆': 'winner champion best trophy',
  '⚡': 'energy electric lightning fast instantly',
  '👀': 'look watch see eyes',
  '🤯': 'mindblowing crazy wow',
  '✅': 'done right correct works',
  '🛑': 'stop never avoid',
  '⚽': 'football soccer goal',
}
const emojiOf = new Map(
  Object.entries(emojiWords).flatMap(([character, words]) => words.split(' ').map((word) => [word, character])),
)

/** The pages with their emoji; never the same one twice in a row. */
export function withEmoji(
  pages: readonly CaptionPage[],
  words: readonly CaptionWord[],
  mood: string | null,
): CaptionPage[] {
  if (!lightMoods.includes(mood?.toLowerCase() ?? '')) return [...pages]
  let plainPages = plainPagesMin
  let latest: string | undefined
  return pages.map((page) => {
    const character = wordsBetween(words, page.startMs, page.endMs)
      .map(({ text }) => emojiOf.get(text))
      .find((found) => found !== undefined && found !== latest)
    if (character === undefined || plainPages < plainPagesMin) {
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
