/**
 * Scores a script by rules: whether it speaks about its idea, concretely, in plain words, without filler and at the
 * wished length. Measures form only: it does not know what is true.
 */
import { estimateSpeechSeconds, isUnspacedLanguage } from '../../domain/core/speech-duration.ts'
import { contentStems, stemOf } from '../research/match-topic.ts'
import { fillersIn } from './fillers.ts'

export interface RubricInput {
  text: string
  /** The idea in the client's words. */
  idea: string
  language: string
  secondsAim: number
}

export interface ScriptScore {
  /** Of 0 to 1: how many words of the idea are said, and how many sentences say one. */
  topic: number
  /** Numbers, in digits or as words from ten on. */
  numbers: number
  /** Proper names; 0 in languages whose writing does not mark them. */
  names: number
  /** Share of the sequences of three words that repeat an earlier one. */
  repetition: number
  /** Share of the words in clichés and hedges; 0 in other languages than English. */
  filler: number
  /** School grade by Flesch-Kincaid; null in other languages than English. */
  grade: number | null
  seconds: number
  /** 0 to 100. */
  total: number
}

const weights = { topic: 25, concrete: 25, filler: 15, length: 15, repetition: 12, grade: 8 }

export function scoreScript({ text, idea, language, secondsAim }: RubricInput): ScriptScore {
  const words = wordsOf(text)
  const isEnglish = /^en\b/.test(language)
  const topic = topicShare(text, idea, language)
  const numbers = text.match(numberPattern)?.length ?? 0
  const names = hasMarkedNames(language) ? namesIn(text) : 0
  const repetition = repeatedShare(words)
  const filler = isEnglish && words.length > 0 ? fillersIn(text).flatMap(wordsOf).length / words.length : 0
  const grade = isEnglish ? gradeOf(text) : null
  const seconds = estimateSpeechSeconds(text)
  // Units of speech, which unspaced writing has as well.
  const perHundred = (100 * (numbers + Math.min(names, 8))) / Math.max(20, seconds * 2.6)
  const total =
    weights.topic * topic +
    weights.concrete * clamped(perHundred / (hasMarkedNames(language) ? 6 : 3)) +
    weights.filler * clamped(1 - filler / 0.12) +
    weights.length * lengthFit(seconds / secondsAim) +
    weights.repetition * clamped(1 - repetition / 0.2) +
    weights.grade * (grade === null ? 1 : clamped((16 - grade) / 7))
  return { topic, numbers, names, repetition, filler, grade, seconds, total: Math.round(total * 10) / 10 }
}

const clamped = (share: number) => Math.min(1, Math.max(0, share))

/** 1 from 60 to 115 % of the aim, 0 below 20 and above 170 %. */
const lengthFit = (ratio: number) => (ratio < 0.6 ? clamped((ratio - 0.2) / 0.4) : clamped((1.7 - ratio) / 0.55))

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? []
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?…。！？।])\s*/u).filter((part) => /\p{L}/u.test(part))

function topicShare(text: string, idea: string, language: string): number {
  if (isUnspacedLanguage(language)) return pairShare(text, idea)
  const wanted = new Set(contentStems(idea))
  if (wanted.size === 0) return 1
  const stems = (part: string) => wordsOf(part).map((word) => stemOf(word.replace(/['’]s$/, '')))
  const said = new Set(stems(text).filter((stem) => wanted.has(stem)))
  const sentences = sentencesOf(text)
  const naming = sentences.filter((sentence) => stems(sentence).some((stem) => wanted.has(stem))).length
  // Three words of a long idea are enough, and pronouns stand for the subject in most sentences.
  return (clamped(said.size / Math.min(wanted.size, 3)) + clamped(naming / Math.max(1, sentences.length * 0.35))) / 2
}

/** Share of the idea's pairs of characters that the text holds. */
function pairShare(text: string, idea: string): number {
  const letters = idea.match(/\p{L}/gu) ?? []
  const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
  return pairs.length === 0 ? 1 : clamped(pairs.filter((pair) => text.includes(pair)).length / (pairs.length * 0.4))
}

const numberPattern =
  /\d[\d.,]*|\b(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|twice|double)\b/gi

/** German capitalises every noun; other writing systems have no capitals. */
const hasMarkedNames = (language: string) => !/^(?:de|zh|ja|ko|th|hi|ar|he|fa|ur|bn|ta|te)\b/.test(language)

/** Capitalised words inside of sentences, each once; words that follow each other are one name. */
function namesIn(text: string): number {
  const inner = sentencesOf(text).flatMap((sentence) => {
    const rest = sentence.replace(/^[^\p{L}]*[\p{L}'’-]+/u, '')
    return rest.match(/(?<![.!?]\s?)\b\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)*/gu) ?? []
  })
  return new Set(inner.filter((name) => !/^I(?:['’]\p{L}+)?$/u.test(name))).size
}

function repeatedShare(words: readonly string[]): number {
  const triples = words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`)
  return triples.length === 0 ? 0 : 1 - new Set(triples).size / triples.length
}

/** Flesch-Kincaid (Kincaid et al. 1975), with syllables estimated by groups of vowels. */
function gradeOf(text: string): number {
  const words = wordsOf(text)
  if (words.length === 0) return 0
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const sentences = Math.max(1, sentencesOf(text).length)
  return Math.round(10 * (0.39 * (words.length / sentences) + 11.8 * (syllables / words.length) - 15.59)) / 10
}

const syllablesOf = (word: string) =>
  Math.max(1, (word.replace(/(?<=[^l])e$|(?<=[^td])ed$/, '').match(/[aeiouy]+/g) ?? []).length)
