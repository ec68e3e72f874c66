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

/** Frequent words. Some are shared: languages are compared by their counts. */
const stopWords: Record<string, ReadonlySet<string>> = {
  en: words(`the a and of to in is that it its was were are with for you your this these they them their have has had from not but
    be as on at by when which there what how can will would if or so than then every each more most only into out up his her he she we our`),
  es: words(`el la los las un una de del y a en que se por para con es son era su sus lo al no más pero como está están esto hay también muy
    cuando cada hace unas unos tu desde hasta si ya sin sobre`),
  fr: words(`le la les un une des du de et à en que qui dans pour pas sur avec ce cette ces il elle ils son sa ses se est sont était
    mais plus au aux par chaque votre vous nous leur où on ne comme fait`),
  de: words(`der die das den dem des ein eine einen einem und ist sind war in zu mit auf für von sich nicht auch wird aber wenn wie es
    er sie wir ihr an aus bei nach um als so nur jedes jede dass`),
  it: words(`il lo la i gli le un una di del della dei delle e è a in che per con non si sono era ma più nel nella al alla dal dalle su
    come ogni questo questa suo sua ha loro quando anche`),
  pt: words(`o a os as um uma de do da dos das e em no na nos nas que se por para com não é são era mais mas como isso ele ela seu sua
    foi também pelo pela ao cada quando você à umas`),
  nl: words(`de het een van en in is zijn was niet met voor dat die dit op aan te om wordt maar ook als naar bij hij zij haar je er uit
    over tot nog elk elke door deze`),
  pl: words(`i w we na nie się jest są to że z ze do jak a ale dla przez od tego tym po który która które lub o co gdy każdy każda jego
    jej ich tak już tylko`),
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
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
  return most > 1.6 * hitsOf(code) + 2 && most >= otherShareMin * spoken.length
}
