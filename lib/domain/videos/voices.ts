/**
 * The voices a client may choose, and which one a brief gets. The built-in ones stand here; what vendors offer beside them is asked in
 * `lib/providers/choose/voices.ts`, so every rule is given the list that it chooses from.
 * Japanese and Arabic are left out on purpose: espeak-ng reads kanji as "Chinese letter" and cannot supply the short vowels
 * that Arabic script omits, so neither is real speech.
 */

export interface Voice {
  id: string
  name: string
  /** Who pays for an `expressive` voice pays more. */
  provider: 'standard' | 'expressive'
  /** ISO 639: two letters, or three where a language has no shorter code. */
  language: string
  gender: 'female' | 'male' | 'neutral'
  engine: 'flite' | 'espeak' | VoiceVendorName
  /** The name the engine knows the voice by. */
  engineVoice: string
  /** Where its vendor lets one hear it; absent where the clip is ours (`previewKey`). */
  previewUrl?: string
}

/** Who may offer voices beside the built-in ones. */
export type VoiceVendorName = 'polly' | 'elevenlabs'

/**
 * What the ids of a vendor's voices begin with, so that an id tells who speaks it and no two vendors share one. Built-in ids begin
 * with a language of two letters.
 */
export const voicePrefixes: Record<VoiceVendorName, string> = { polly: 'polly-', elevenlabs: 'eleven-' }

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

/** Every built-in voice. The first of a language is the one it gets when the client names none. */
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

/** The languages that have a voice, in the order of the list. */
export const languagesOf = (voices: readonly Voice[]): string[] => [...new Set(voices.map(({ language }) => language))]

export const findVoice = (voices: readonly Voice[], id: string): Voice | undefined =>
  voices.find((voice) => voice.id === id)

/** The voice a video in this language gets unless the client chose one; undefined where no voice speaks it. */
export const defaultVoice = (
  voices: readonly Voice[],
  language: string,
  provider: Voice['provider'] = 'standard',
): Voice | undefined => voices.find((voice) => voice.provider === provider && voice.language === language)

/** What a brief says of its voice. */
interface VoiceInput {
  voiceId?: string | null | undefined
  voiceProvider?: Voice['provider'] | null | undefined
  language?: string | null | undefined
}

/** Who names only a voice means its language. */
export const languageOf = (voices: readonly Voice[], { language, voiceId }: VoiceInput): string =>
  language ?? (voiceId ? findVoice(voices, voiceId)?.language : 'en') ?? 'en'

/** The voice that a brief names, else the first one of its language; undefined where there is none, or of another provider. */
export function selectVoice(voices: readonly Voice[], wish: VoiceInput): Voice | undefined {
  const provider = wish.voiceProvider ?? undefined
  if (!wish.voiceId) return defaultVoice(voices, languageOf(voices, wish), provider)
  const named = findVoice(voices, wish.voiceId)
  return !provider || named?.provider === provider ? named : undefined
}

/** Who offers a voice; undefined where it is built in. */
export const vendorOf = ({ engine }: Pick<Voice, 'engine'>): VoiceVendorName | undefined =>
  engine === 'flite' || engine === 'espeak' ? undefined : engine

/** Where in storage the clip lies with which one can hear a voice: beside the workspaces' media. */
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

/** What a voice says in its clip. One whose language has no sentence here counts, which every voice does in its own. */
export const previewText = ({ language, name }: Voice): string => greetings[language]?.(name) ?? '1, 2, 3, 4, 5, 6.'
