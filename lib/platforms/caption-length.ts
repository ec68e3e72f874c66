/** Caption lengths for platforms that do not count UTF-16 units. */

/** https://github.com/twitter/twitter-text/blob/master/config/v3.json */
const lightRanges = [
  [0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const
const linkWeight = 23
const heavyWeight = 2

/**
 * Top-level domains with which a name without `https://` counts as a link: all country codes and the common generic
 * ones.
 */
const countryTlds =
  'ac ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tp tr tt tv tw tz ua ug uk um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
const genericTlds =
  'com net org info biz edu gov int mil name pro app dev page blog shop store online site website web tech cloud digital media news live video studio design art agency academy world today life space club group team work tools xyz link email social network top fun games events photography travel music tube'
const tldPattern = `(?:${`${countryTlds} ${genericTlds}`.replaceAll(' ', '|')}|xn--[a-z0-9-]+)`

// A label has at most 63 characters (RFC 1035, section 2.3.4).
const labelOf = (letter: string) => `(?:${letter}(?:(?:${letter}|[_-]){0,61}${letter})?\\.)+`
const anyHost = `https?://${labelOf('[^\\s\\p{P}\\p{Cc}<>$+=^`|~]')}(?:[a-z]{2,}|xn--[a-z0-9-]+)`
const plainHost = `(?<![-_./])${labelOf('[a-z0-9]')}${tldPattern}`
// Characters of scripts written without spaces end a link, as does punctuation that ends a sentence.
const ofPath = '\\p{Script=Latin}\\p{Script=Cyrillic}0-9+=_#/&\\-'
const path = `(?:[/?#](?:[${ofPath}!*';:,.$%~@|()\\[\\]?]*[${ofPath}])?)?`
const link = new RegExp(`(?<![a-z0-9@＠$#＃])(?:${anyHost}|${plainHost})(?![a-z0-9@+-])(?::\\d+)?${path}`, 'giu')
const emoji = /\p{RGI_Emoji}/gv

/**
 * The length that X limits to 280: after NFC, a link counts 23, any emoji 2, Latin and nearby scripts 1, all else 2
 * (https://docs.x.com/fundamentals/counting-characters). A bare name with a rare TLD (`name.rare`) is not recognised as
 * a link.
 */
export function weightedLength(text: string): number {
  const composed = text.normalize('NFC')
  const links = composed.match(link) ?? []
  const rest = composed.replace(link, '')
  const emojis = rest.match(emoji) ?? []
  const letters = [...rest.replace(emoji, '')].map((letter) => weightOf(letter.codePointAt(0)!))
  return letters.reduce((sum, weight) => sum + weight, links.length * linkWeight + emojis.length * heavyWeight)
}

const weightOf = (code: number) => (lightRanges.some(([from, to]) => from <= code && code <= to) ? 1 : heavyWeight)

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The number of grapheme clusters, which Bluesky limits to 300. */
export const graphemeCount = (text: string): number => [...segmenter.segment(text)].length

export const utf8ByteLength = (text: string): number => Buffer.byteLength(text)
