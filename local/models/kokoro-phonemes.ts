/**
 * English words as phonemes of Kokoro (the alphabet of https://github.com/hexgrad/misaki): from the ARPAbet of CMUdict,
 * which has the stress, else of flite, which knows every word. No espeak: its licence is the GPL.
 */

/** ARPAbet without stress → misaki. Diphthongs are single capitals there. */
const phonemes: Record<string, string> = {
  ...{ AA: 'ɑ', AE: 'æ', AH: 'ʌ', AO: 'ɔ', AW: 'W', AX: 'ə', AY: 'I', EH: 'ɛ', ER: 'ɜɹ', EY: 'A', IH: 'ɪ', IY: 'i' },
  ...{ OW: 'O', OY: 'Y', UH: 'ʊ', UW: 'u', B: 'b', CH: 'ʧ', D: 'd', DH: 'ð', F: 'f', G: 'ɡ', HH: 'h', JH: 'ʤ' },
  ...{ K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ŋ', P: 'p', R: 'ɹ', S: 's', SH: 'ʃ', T: 't', TH: 'θ', V: 'v', W: 'w' },
  ...{ Y: 'j', Z: 'z', ZH: 'ʒ' },
}
const reduced: Record<string, string> = { AH: 'ə', ER: 'əɹ' }
const stressMarks: Record<string, string> = { 1: 'ˈ', 2: 'ˌ' }
const isVowel = (name: string) => /^[AEIOU]/.test(name)

interface Sound {
  name: string
  /** 1 primary, 2 secondary, 0 none. */
  stress: string
}

/**
 * One word. Phones of flite have no stress: the first full vowel gets it. A T between a vowel and an unstressed one is a
 * flap, as in "water".
 */
export function misakiOf(phones: readonly string[], isStressed = true): string {
  const sounds = phones.map((phone): Sound => {
    const [, name = '', stress = '0'] = /^([A-Z]+)([0-2])?$/.exec(phone.toUpperCase()) ?? []
    return { name, stress }
  })
  const hasStress = phones.some((phone) => /[12]$/.test(phone))
  const hasDigits = phones.some((phone) => /\d$/.test(phone))
  const first = sounds.find(({ name }) => isVowel(name) && name !== 'AX')
  if (!hasStress && !hasDigits && first) first.stress = '1'
  return sounds
    .map(({ name, stress }, index) => {
      const [before, after] = [sounds[index - 1], sounds[index + 1]]
      const isFlap =
        name === 'T' && before && after && (isVowel(before.name) || before.name === 'R') && isVowel(after.name)
      if (isFlap && after.stress === '0') return 'T'
      const mark = isStressed && isVowel(name) ? (stressMarks[stress] ?? '') : ''
      const isReduced = stress === '0' && hasDigits
      return mark + ((isReduced && reduced[name]) || phonemes[name] || '')
    })
    .join('')
}

/** Words that carry no stress in a sentence. */
const weak: Record<string, string> = {
  ...{ a: 'ɐ', an: 'ən', the: 'ðə', and: 'ænd', or: 'ɔɹ', of: 'ʌv', to: 'tə', in: 'ɪn', on: 'ɔn', at: 'æt', as: 'æz' },
  ...{ for: 'fɔɹ', from: 'fɹʌm', by: 'bI', with: 'wɪð', is: 'ɪz', are: 'ɑɹ', was: 'wʌz', were: 'wɜɹ', be: 'bi' },
  ...{ it: 'ɪt', its: 'ɪts', he: 'hi', she: 'ʃi', we: 'wi', you: 'ju', they: 'ðA', i: 'I', my: 'mI', your: 'jʊɹ' },
  ...{ his: 'hɪz', her: 'hɜɹ', our: 'Wəɹ', their: 'ðɛɹ', can: 'kæn', has: 'hæz', have: 'hæv', had: 'hæd', but: 'bʌt' },
  ...{ that: 'ðæt', than: 'ðæn', if: 'ɪf', so: 'sO', do: 'du', does: 'dʌz', will: 'wɪl', would: 'wʊd' },
}
const beforeVowel: Record<string, string> = { the: 'ði', to: 'tʊ' }

/** ARPAbet of words in lower case, where known. */
export type Pronunciations = (word: string) => readonly string[] | undefined

/** The words of a token that the dictionary does not have. */
export const unknownWords = (spoken: string, known: Pronunciations): string[] =>
  wordsOf(spoken).filter((word) => !(word in weak) && !known(word))

const wordsOf = (spoken: string) =>
  spoken
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .filter(Boolean)

/** The phonemes of a token's words, with blanks between them. `next` is the word after it. */
export function phonemesOf(spoken: string, next: string, known: Pronunciations): string {
  const words = wordsOf(spoken)
  return words
    .map((word, index) => {
      const following = misakiOf(known(words[index + 1] ?? wordsOf(next)[0] ?? '') ?? [], false)
      if (word in beforeVowel && /^[ɑæʌɔWəIɛɜAɪiOYʊu]/.test(following)) return beforeVowel[word]
      return weak[word] ?? misakiOf(known(word) ?? [])
    })
    .filter(Boolean)
    .join(' ')
}

/** https://huggingface.co/hexgrad/Kokoro-82M/blob/main/config.json: what of its vocabulary English uses. */
const vocabulary: Record<string, number> = {
  ...{ ';': 1, ':': 2, ',': 3, '.': 4, '!': 5, '?': 6, '—': 9, '…': 10, ' ': 16 },
  ...{ A: 24, I: 25, O: 31, Q: 33, S: 35, T: 36, W: 39, Y: 41, ᵊ: 42, a: 43, b: 44, d: 46, e: 47, f: 48, h: 50, i: 51 },
  ...{ j: 52, k: 53, l: 54, m: 55, n: 56, o: 57, p: 58, s: 61, t: 62, u: 63, v: 64, w: 65, z: 68, ɑ: 69, ɐ: 70 },
  ...{ æ: 72, ɔ: 76, ð: 81, ʤ: 82, ə: 83, ɛ: 86, ɜ: 87, ɡ: 92, ɪ: 102, ŋ: 112, θ: 119, ɹ: 123, ɾ: 125, ʃ: 131 },
  ...{ ʧ: 133, ʊ: 135, ʌ: 138, ʒ: 147, ˈ: 156, ˌ: 157 },
}

/** Ids of phonemes, without the padding at both ends. */
export const phonemeIds = (text: string): number[] => Array.from(text).flatMap((phoneme) => vocabulary[phoneme] ?? [])
