/** The English subjects with dedicated points. Their patterns are compiled once, on import. */
import { englishPhrases, type Point } from './phrases/index.ts'

interface Subject {
  words: RegExp
  advises: boolean
  points: readonly Point[]
}

export const subjects: readonly Subject[] = englishPhrases.subjects.map((subject) => ({
  ...subject,
  words: new RegExp(subject.words, 'i'),
}))
