import { expect, it } from 'vitest'
import { misakiOf, phonemeIds, phonemesOf, unknownWords } from '../../../local/models/kokoro-phonemes.ts'

const dictionary: Record<string, string> = {
  ...{ water: 'W AO1 T ER0', ocean: 'OW1 SH AH0 N', compound: 'K AA1 M P AW0 N D', judge: 'JH AH1 JH', sea: 'S IY1' },
  ...{ table: 'T EY1 B AH0 L', a: 'AH0', attack: 'AH0 T AE1 K', understand: 'AH2 N D ER0 S T AE1 N D' },
}
const known = (word: string) => dictionary[word]?.split(' ')

// As in the dictionary of https://github.com/hexgrad/misaki, apart from marks of length.
it.each([
  ['water', 'wˈɔTəɹ'],
  ['ocean', 'ˈOʃən'],
  ['compound', 'kˈɑmpWnd'],
  ['judge', 'ʤˈʌʤ'],
  ['table', 'tˈAbəl'],
  ['attack', 'ətˈæk'],
  ['understand', 'ˌʌndəɹstˈænd'],
])('%s is %s', (word, phonemes) => {
  expect(misakiOf(known(word)!)).toBe(phonemes)
})

it('phones of flite get a stress', () => {
  expect(misakiOf(['z', 'ih', 'g', 'l', 'ax'])).toBe('zˈɪɡlə')
  expect(misakiOf(['dh', 'ax'])).toBe('ðə')
})

it('words without stress in a sentence have none, and an article depends on the next sound', () => {
  expect(phonemesOf('the', 'sea', known)).toBe('ðə')
  expect(phonemesOf('the', 'ocean', known)).toBe('ði')
  expect(phonemesOf('the ocean of water', '', known)).toBe('ði ˈOʃən ʌv wˈɔTəɹ')
})

it('only words of neither list are unknown', () => {
  expect(unknownWords('The sea of zyglor', known)).toEqual(['zyglor'])
})

it('every phoneme of English has an id', () => {
  const all = Object.keys(dictionary).map((word) => misakiOf(known(word)!))
  const phones =
    'AA AE AH AO AW AX AY EH ER EY IH IY OW OY UH UW B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'
  const text = [...all, ...phones.split(' ').map((phone) => misakiOf([phone]))].join('')
  expect(phonemeIds(text)).toHaveLength(Array.from(text).length)
  expect(phonemeIds('ðə.')).toEqual([81, 83, 4])
})
