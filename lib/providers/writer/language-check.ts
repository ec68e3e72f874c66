/**
 * Whether a text is in the language that it should be in, by its writing system and by stop words. Recognises what
 * language models do wrong: they answer in English, or in the language of the material.
 */

const script = (name: string) => new RegExp(`\\p{Script=${name}}`, 'gu')
const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu
/** In Japanese, and never in Chinese. */
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const writingSystems: Record<string, RegExp> = {
  zh: script('Han'),
  ja: japanese,
  ko: script('Hangul'),
  th: script('Thai'),
  hi: script('Devanagari'),
  mr: script('Devanagari'),
  ne: script('Devanagari'),
  bn: script('Bengali'),
  ta: script('Tamil'),
  te: script('Telugu'),
  el: script('Greek'),
  he: script('Hebrew'),
  ...Object.fromEntries(['ar', 'fa', 'ur'].map((code) => [code, script('Arabic')])),
  ...Object.fromEntries(['ru', 'uk', 'bg', 'be', 'mk'].map((code) => [code, script('Cyrillic')])),
}
/** Written in two systems. */
const unknownSystems = ['sr', 'kk', 'uz', 'mn', 'az']

/** Frequent words that the other languages of the list do not share. */
const stopWords: Record<string, ReadonlySet<string>> = {
  en: words('the and of is that it was are with for you this they have from not be as on at by when their which there'),
  es: words(
    'el los las del que una por con para es más pero como está son su sus esto hay también muy fue donde cuando',
  ),
  fr: words('le les des est une dans qui pour pas sur avec ce cette il elle vous nous sont mais plus au aux été où'),
  de: words('der die das und ist nicht ein eine mit auf für von sich dem den sie wir ihr auch wird sind aber wenn'),
  it: words(
    'il i e la gli che di della è per con non una sono ma più nel alla questo questa dei delle anche come si ogni dal dalle al',
  ),
  pt: words('o os as do da em que uma para com não é mais mas como isso você são seu sua também foi pelo pela ao'),
  nl: words('de het een van en is niet met voor dat zijn op aan wordt maar ook als naar bij hij zij worden er deze'),
  pl: words('i w na nie się jest to że z do jak są dla ale przez od tego tym po który która które lub może'),
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Shorter texts say too little. */
const wordsMin = 10
/** Share of stop words in ordinary text of the language is above 20 %. */
const otherShareMin = 0.14

/** True also where it cannot be known. `language`: ISO 639-1, with or without a region. */
export function isInLanguage(text: string, language: string): boolean {
  const code = language.toLowerCase().split('-')[0]!
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0 || unknownSystems.includes(code)) return true
  const system = writingSystems[code] ?? script('Latin')
  const countOf = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (countOf(system) < letters / 2 || (code === 'zh' && countOf(kana) > letters / 10)) return false
  return writingSystems[code] ? true : !isInOtherLatin(text, code)
}

function isInOtherLatin(text: string, code: string): boolean {
  const spoken = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (spoken.length < wordsMin) return false
  const hitsOf = (other: string) => spoken.filter((word) => stopWords[other]?.has(word)).length
  // Languages without a list share words with their neighbours: only English is told apart from them.
  const others = stopWords[code] ? Object.keys(stopWords).filter((other) => other !== code) : ['en']
  const most = Math.max(...others.map(hitsOf))
  return most > 2 * hitsOf(code) + 2 && most >= otherShareMin * spoken.length
}
