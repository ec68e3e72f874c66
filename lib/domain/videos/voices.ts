/**
 * The catalogue of built-in voices, and the selection of a brief's voice. Called by the routes that create and edit videos
 * and by the narrators. Vendors' voices are listed by `lib/providers/choose/voices.ts`, so every function takes the list
 * to select from.
 * Japanese and Arabic are omitted on purpose: espeak-ng reads kanji as "Chinese letter" and cannot supply the short vowels
 * that Arabic script omits.
 */

import { hasAtMost, isWebUrl, nameLengthMax } from '../core/bounded.ts'
import { clip } from '../core/text.ts'

export interface Voice {
  id: string
  name: string
  /** `expressive` voices cost more credits. */
  provider: 'standard' | 'expressive'
  /** ISO 639: two letters, or three where a language has no shorter code. */
  language: string
  gender: 'female' | 'male' | 'neutral'
  engine: 'flite' | 'espeak' | VoiceVendorName
  /** The engine's name for the voice. */
  engineVoice: string
  /** URL of the vendor's preview; absent if the preview is ours (`voicePreviewKey`). */
  previewUrl?: string
}

/** The vendors of voices. */
export type VoiceVendorName = 'polly' | 'elevenlabs' | 'openai'

/** Prefixes of voice ids: they identify the vendor. Built-in ids start with a language of two letters. */
export const voicePrefixes: Record<VoiceVendorName, string> = {
  polly: 'polly-',
  elevenlabs: 'eleven-',
  openai: 'openai-',
}

const flite = (id: string, name: string, gender: Voice['gender'], engineVoice: string): Voice => ({
  id,
  name,
  provider: 'standard',
  language: 'en',
  gender,
  engine: 'flite',
  engineVoice,
})

const espeak = (id: string, name: string, gender: Voice['gender'], engineVoice: string): Voice => ({
  id,
  name,
  provider: 'standard',
  language: id.slice(0, 2),
  gender,
  engine: 'espeak',
  engineVoice,
})

/** All built-in voices. The first one of a language is its default. */
export const builtInVoices: readonly Voice[] = [
  flite('en-clara', 'Clara', 'female', 'slt'),
  flite('en-miles', 'Miles', 'male', 'rms'),
  flite('en-angus', 'Angus', 'male', 'awb'),
  espeak('es-lucia', 'Lucía', 'female', 'es+f2'),
  espeak('es-mateo', 'Mateo', 'male', 'es-419+m3'),
  espeak('fr-elise', 'Élise', 'female', 'fr+f2'),
  espeak('fr-hugo', 'Hugo', 'male', 'fr+m3'),
  espeak('de-greta', 'Greta', 'female', 'de+f2'),
  espeak('de-jonas', 'Jonas', 'male', 'de+m3'),
  espeak('it-giulia', 'Giulia', 'female', 'it+f2'),
  espeak('it-marco', 'Marco', 'male', 'it+m3'),
  espeak('pt-sofia', 'Sofia', 'female', 'pt-br+f2'),
  espeak('pt-rafael', 'Rafael', 'male', 'pt-br+m3'),
  espeak('nl-fenna', 'Fenna', 'female', 'nl+f2'),
  espeak('nl-daan', 'Daan', 'male', 'nl+m3'),
  espeak('pl-zofia', 'Zofia', 'female', 'pl+f2'),
  espeak('pl-jakub', 'Jakub', 'male', 'pl+m3'),
  espeak('hi-asha', 'Asha', 'female', 'hi+f2'),
  espeak('hi-rohan', 'Rohan', 'male', 'hi+m3'),
  espeak('ko-jiwoo', 'Jiwoo', 'female', 'ko+f2'),
  espeak('ko-minjun', 'Minjun', 'male', 'ko+m3'),
  espeak('zh-meilin', 'Meilin', 'female', 'cmn+f2'),
  espeak('zh-wei', 'Wei', 'male', 'cmn+m3'),
]

/** Of one vendor: a longer list is of no use to clients. */
export const vendorVoicesMax = 500
/** Of a deployment, whose standard and expressive voices may be those of two vendors. */
export const voicesMax = 2 * vendorVoicesMax + builtInVoices.length

/** The voices of a vendor's list that a brief can name: as many as are shown, with ids, names and URLs that fit. */
export const offerable = (voices: readonly Voice[]): Voice[] =>
  voices
    .filter(({ id, language }) => hasAtMost(id, nameLengthMax) && hasAtMost(language, nameLengthMax))
    .slice(0, vendorVoicesMax)
    .map(({ previewUrl, ...voice }) => ({
      ...voice,
      name: clip(voice.name, nameLengthMax),
      ...(previewUrl && isWebUrl(previewUrl) && { previewUrl }),
    }))

/** The languages that have a voice, in the order of the list. */
export const languagesOf = (voices: readonly Voice[]): string[] => [...new Set(voices.map(({ language }) => language))]

export const findVoice = (voices: readonly Voice[], id: string): Voice | undefined =>
  voices.find((voice) => voice.id === id)

/** The default voice of a language; undefined if none speaks it. */
export const defaultVoice = (
  voices: readonly Voice[],
  language: string,
  provider: Voice['provider'] = 'standard',
): Voice | undefined => voices.find((voice) => voice.provider === provider && voice.language === language)

/** The voice fields of a brief. */
interface VoiceInput {
  voiceId?: string | null | undefined
  voiceProvider?: Voice['provider'] | null | undefined
  language?: string | null | undefined
}

/** The language of a brief, else that of its voice. */
export const languageOf = (voices: readonly Voice[], { language, voiceId }: VoiceInput): string =>
  language ?? voices.find(({ id }) => id === voiceId)?.language ?? 'en'

/** The voice that a brief names, else the default of its language; undefined if unknown or of another provider. */
export function selectVoice(voices: readonly Voice[], input: VoiceInput): Voice | undefined {
  const provider = input.voiceProvider ?? undefined
  if (!input.voiceId) return defaultVoice(voices, languageOf(voices, input), provider)
  const named = findVoice(voices, input.voiceId)
  return !provider || named?.provider === provider ? named : undefined
}

/** The vendor of a voice; undefined for a built-in one. */
export const vendorOf = ({ engine }: Pick<Voice, 'engine'>): VoiceVendorName | undefined =>
  engine === 'flite' || engine === 'espeak' ? undefined : engine

/** The storage key of a voice's preview, outside the workspaces' prefixes. */
export const voicePreviewKey = (voice: Voice): string => `voices/${voice.id}.${vendorOf(voice) ? 'mp3' : 'm4a'}`

const greetings: Record<string, (name: string) => string> = {
  en: (name) => `Hi, I'm ${name}. Let me tell your story.`,
  es: (name) => `Hola, soy ${name}. Dame una idea y contaré tu historia.`,
  fr: (name) => `Bonjour, je suis ${name}. Donnez-moi une idée, je la raconterai.`,
  de: (name) => `Hallo, ich bin ${name}. Gib mir eine Idee, und ich erzähle deine Geschichte.`,
  it: (name) => `Ciao, sono ${name}. Dammi un'idea e racconterò la tua storia.`,
  pt: (name) => `Olá, eu sou ${name}. Me dê uma ideia e eu conto a sua história.`,
  nl: (name) => `Hallo, ik ben ${name}. Geef me een idee en ik vertel je verhaal.`,
  pl: (name) => `Cześć, tu ${name}. Podaj mi pomysł, a opowiem twoją historię.`,
  hi: () => 'नमस्ते। मुझे एक विचार दीजिए, और आपकी कहानी सुनिए।',
  ko: () => '안녕하세요. 아이디어를 주시면 이야기로 들려드릴게요.',
  zh: () => '你好。给我一个想法，我来讲你的故事。',
  ja: () => 'こんにちは。アイデアをひとつください。お話にして語ります。',
  ar: () => 'مرحبا. أعطني فكرة، وسأروي لك قصتها.',
  ca: (name) => `Hola, soc ${name}. Dona'm una idea i explicaré la teva història.`,
  cs: (name) => `Dobrý den, tady ${name}. Řekněte mi nápad a já povím váš příběh.`,
  da: (name) => `Hej, jeg er ${name}. Giv mig en idé, så fortæller jeg din historie.`,
  fi: (name) => `Hei, minä olen ${name}. Anna minulle idea, niin kerron tarinasi.`,
  nb: (name) => `Hei, jeg er ${name}. Gi meg en idé, så forteller jeg historien din.`,
  sv: (name) => `Hej, jag är ${name}. Ge mig en idé så berättar jag din historia.`,
  tr: (name) => `Merhaba, ben ${name}. Bana bir fikir ver, hikâyeni anlatayım.`,
}

/** The languages that have a sentence for previews. */
export const greetedLanguages: readonly string[] = Object.keys(greetings)

/** The text of a voice's preview. Without a sentence for its language it counts, which works in any language. */
export const previewText = ({ language, name }: Voice): string => greetings[language]?.(name) ?? '1, 2, 3, 4, 5, 6.'
