/**
 * What the built-in writer says: one JSON file per language, so that a phrase is edited without touching code. `{it}`
 * stands for the idea; `request` is the source of a case-insensitive pattern. Phrases state nothing about a subject. Which
 * ones go into a script is decided elsewhere.
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
  /** Asked of the viewer at the end. */
  questions: Record<IdeaShape, readonly string[]>
  /** The question after an idea that asks for advice. */
  stepQuestions: readonly string[]
  /** The last line: where to answer. */
  calls: readonly string[]
  /** Source of a pattern of words that are lower case inside a sentence. */
  commonNouns: string
  invitations: Invitations
}

/** In these languages the idea always stands as a separate sentence. */
export interface LanguagePhrases {
  /** Matches "Make a video about ...", which is not part of the idea. */
  request?: string
  hooks: readonly string[]
  questions: readonly string[]
  calls: readonly string[]
  invitations: Invitations
}

export const englishPhrases: EnglishPhrases = en
export const phrasesByLanguage: Partial<Record<string, LanguagePhrases>> = { de, es, fr, hi, it, ko, nl, pl, pt, zh }

export const invitations: Partial<Record<string, Invitations>> = Object.fromEntries(
  Object.entries({ en, ...phrasesByLanguage }).flatMap(([language, phrases]) =>
    phrases ? [[language, phrases.invitations]] : [],
  ),
)
