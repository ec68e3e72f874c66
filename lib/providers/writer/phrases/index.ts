/**
 * What the built-in writer says: one JSON file per language, so that a phrase is edited without touching code. `{it}`
 * stands for the idea; `request` is the source of a case-insensitive pattern. Which phrases go into a script is decided
 * elsewhere.
 */
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import hi from './hi.json' with { type: 'json' }
import it from './it.json' with { type: 'json' }
import ko from './ko.json' with { type: 'json' }
import nl from './nl.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** The lead stands alone; the rest deepens it. */
export interface Point {
  lead: string
  why: string
  how: string
}

/** Points of one manner with the closes that fit them. `Closes` is a list, or one list per tone. */
export interface Material<Closes = readonly string[]> {
  points: readonly Point[]
  closes: Closes
}

/** For captions of posts. */
interface Invitations {
  questions: readonly string[]
  calls: readonly string[]
}

export type ScriptTone = 'plain' | 'funny' | 'calm' | 'bold'
/** Where the idea can stand: after "about", as a question, or only as a separate sentence. */
export type IdeaShape = 'phrase' | 'question' | 'sentence'

type ByTone = Record<ScriptTone, readonly string[]>

interface EnglishPhrases {
  hooks: Record<IdeaShape, ByTone>
  /** For a prompt that tells a story of several sentences: the frame steps back. */
  storyHooks: readonly string[]
  /** Between the hook and the first point where there is time; `{count}` is the number of points in words. */
  promises: readonly string[]
  /** Alternatives for each of the first points. */
  openers: readonly (readonly string[])[]
  lastOpeners: readonly string[]
  /** Begin the later parts of a long script, in this order. */
  partOpeners: readonly string[]
  /** Before the close of a long script; `{one}` and `{other}` are leads that it contains. */
  recaps: readonly string[]
  storyCloses: readonly string[]
  /** After an announcement, such as a product or an opening. */
  announcementCloses: readonly string[]
  /** Valid for anything one can do. Leads are imperatives. */
  advice: Material<ByTone>
  /** Valid for anything one can wonder about. Leads are statements. */
  insight: Material<ByTone>
  subjects: readonly {
    /** Source of a case-insensitive pattern of the words that name the subject. */
    words: string
    /** True: leads are imperatives. False: leads are statements. */
    advises: boolean
    points: readonly Point[]
  }[]
  invitations: Invitations
}

/** In these languages the idea always stands as a separate sentence. */
export interface LanguagePhrases {
  /** Matches "Make a video about ...", which is not part of the idea. */
  request?: string
  hooks: readonly string[]
  /** One for each of the first points; the last one is reserved for the last point. */
  openers: readonly string[]
  /** For prompts that ask for advice. Without it, `insight` is used for them too. */
  advice?: Material
  insight: Material
  invitations: Invitations
}

export const englishPhrases: EnglishPhrases = en
export const phrasesByLanguage: Partial<Record<string, LanguagePhrases>> = { de, es, fr, hi, it, ko, nl, pl, pt, zh }

export const invitations: Partial<Record<string, Invitations>> = Object.fromEntries(
  Object.entries({ en, ...phrasesByLanguage }).flatMap(([language, phrases]) =>
    phrases ? [[language, phrases.invitations]] : [],
  ),
)
