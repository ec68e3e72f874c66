/** Turns a script into the scenes of an ai video: narrations, durations and voices. */

import { speechRate } from '../../core/speech-duration.ts'
import { endsSentence } from '../../core/text.ts'
import type { Video } from '../../records/video.ts'
import type { Voice } from '../../videos/voices.ts'
import {
  animationPromptOf,
  imagePromptOf,
  portraitPromptOf,
  type SceneStyle,
  speakingAnimationPrompt,
} from './scene-prompts.ts'
import type { StoredScene } from './scenes.ts'
import { sceneSeconds, sceneSecondsMin, sceneSpeechMs, scenesMax } from './scenes.ts'

/** Shorter scenes feel hurried. Long scripts get longer scenes, to stay below the maximum number. */
const sceneSecondsAim = 5

/**
 * Not `estimateSpeechSeconds`: that counts more scripts by the character and no punctuation. Existing scripts would be cut
 * into other scenes.
 */
const secondsOf = (text: string) => secondsOfCounts(countSpoken(text))

interface SpokenCounts {
  words: number
  ideographs: number
}

const countSpoken = (text: string): SpokenCounts => ({
  words: text.match(/\S+/g)?.length ?? 0,
  ideographs: text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0,
})

const secondsOfCounts = ({ words, ideographs }: SpokenCounts) =>
  words / speechRate.words + ideographs / speechRate.characters

/** Cuts a script at sentence ends, and long sentences at clauses; every word is in exactly one narration. */
export function splitIntoNarrations(script: string): string[] {
  const aim = Math.max(sceneSecondsAim, secondsOf(script) / (scenesMax - 2))
  const narrations = ['']
  // Counts of the last narration; to count it again for each piece would take quadratic time.
  let spoken: SpokenCounts = { words: 0, ideographs: 0 }
  for (const piece of sentencesOf(script).flatMap((sentence) => splitAtClauses(sentence, sceneSeconds.max - 1 - aim))) {
    if (secondsOfCounts(spoken) >= aim) {
      narrations.push('')
      spoken = { words: 0, ideographs: 0 }
    }
    const { words, ideographs } = countSpoken(piece)
    const isOneWord = /\S/.test(narrations.at(-1)!.at(-1) ?? ' ') && /^\S/.test(piece)
    spoken = { words: spoken.words + words - (isOneWord ? 1 : 0), ideographs: spoken.ideographs + ideographs }
    narrations[narrations.length - 1] += piece
  }
  const [last, before] = [narrations.at(-1)!, narrations.at(-2)]
  if (before !== undefined && isRemainder(last, before + last, aim)) narrations.splice(-2, 2, before + last)
  return narrations.map((narration) => narration.trim())
}

/** A short rest is added to the previous scene. */
const isRemainder = (last: string, joined: string, aim: number) =>
  secondsOf(last) < aim / 2 || (secondsOf(last) < aim * 0.8 && secondsOf(joined) <= sceneSeconds.max * 0.6)

/** Sentences with the white space after them. */
const sentencesOf = (text: string) =>
  joinedUntil(text.match(/[^\s。！？]+[。！？]*\s*|[。！？]+\s*/gu) ?? [], (word) => endsSentence(word.trim()))

/** Cuts a sentence that is too long for a scene at its commas, or between any words if it has none. */
function splitAtClauses(sentence: string, secondsMax: number): string[] {
  if (secondsOf(sentence) <= secondsMax) return [sentence]
  const words =
    sentence.match(/[\p{Script=Han}\p{Script=Hangul}，、]|[^\s\p{Script=Han}\p{Script=Hangul}，、]+\s*|\s+/gu) ?? []
  let seconds = 0
  return joinedUntil(words, (word) => {
    seconds += secondsOf(word)
    const ends = seconds > secondsMax - 1 || (/[,;:，、；–—]\s*$/u.test(word) && seconds > secondsMax / 2)
    if (ends) seconds = 0
    return ends
  })
}

/** Joins consecutive pieces into groups that each end with a piece for which `isEnd` holds. */
function joinedUntil(pieces: readonly string[], isEnd: (piece: string) => boolean): string[] {
  const joined: string[] = []
  let startsGroup = true
  for (const piece of pieces) {
    if (startsGroup) joined.push(piece)
    else joined[joined.length - 1] += piece
    startsGroup = isEnd(piece)
  }
  return joined
}

/** What a scene shows, and how it moves. */
export type ScenePrompts = Pick<StoredScene, 'imagePrompt' | 'animationPrompt'>

/** The prompts of the built-in rules. */
export const rulePrompts = (title: string, narrations: readonly string[], video: SceneStyle): ScenePrompts[] =>
  narrations.map((narration, index) => ({
    imagePrompt: imagePromptOf(title, narration, index, video),
    animationPrompt: animationPromptOf(narration, index),
  }))

/** The prompts of a ugc video: one person speaks all scenes. */
export const ugcPrompts = (narrations: readonly string[], video: SceneStyle, voice: Voice): ScenePrompts[] =>
  narrations.map(() => ({ imagePrompt: portraitPromptOf(video, voice), animationPrompt: speakingAnimationPrompt }))

/** Scenes with these narrations. Their durations are set once they are narrated (`withDurations`). */
export const buildScenes = (
  narrations: readonly string[],
  prompts: readonly ScenePrompts[],
  { mood }: Pick<Video, 'mood'>,
  idOf: (index: number) => string,
): StoredScene[] =>
  narrations.map((narration, index) => ({
    id: idOf(index),
    imagePrompt: prompts[index]!.imagePrompt,
    animationPrompt: prompts[index]!.animationPrompt,
    narration,
    voiceDescription: ['Natural voice', mood].filter(Boolean).join(', '),
    duration: sceneSeconds.min,
    imageKey: null,
    videoKey: null,
  }))

/** The result of the step that writes scenes. */
export interface WrittenScenes {
  scenes: StoredScene[]
  /** False if existing scenes are reused, which preserves the client's durations. */
  isNew: boolean
}

/**
 * Whether a generation reuses the existing scenes: those of the same script that the client edited, or whose pictures have
 * to stay. Others are written again; stored media of equal scenes is found by its key.
 */
export const canReuseScenes = ({ timelines, plannedScenes, process }: Video, scriptKey: string): boolean =>
  plannedScenes?.script === scriptKey &&
  (plannedScenes.scenes !== timelines.scenes || process?.wishes.addBRolls === false)

/** Sets the duration of each scene to that of its narration, clamped to the limits of a scene. */
export function withDurations(scenes: readonly StoredScene[], spokenMs: readonly number[]): StoredScene[] {
  const clamp = (seconds: number) => Math.min(Math.max(seconds, sceneSecondsMin), sceneSeconds.max)
  return scenes.map((scene, index) => ({
    ...scene,
    duration: clamp(Math.ceil(sceneSpeechMs(spokenMs, index) / 100) / 10),
  }))
}

/**
 * The voice of a scene: the one that its description names, or one with the gender that it names, else the video's own. All
 * voices of a video come from one vendor.
 */
export function sceneVoice(
  { voiceDescription }: Pick<StoredScene, 'voiceDescription'>,
  voice: Voice,
  voices: readonly Voice[],
): Voice {
  const words = new Set(voiceDescription.toLowerCase().match(/\p{L}+/gu))
  const alike = voices.filter(({ language, engine }) => language === voice.language && engine === voice.engine)
  const named = alike.find(({ name }) => words.has(name.toLowerCase()))
  if (named || genderIn(words) === voice.gender) return named ?? voice
  return alike.find(({ gender }) => gender === genderIn(words)) ?? voice
}

const genderIn = (words: ReadonlySet<string>): Voice['gender'] | undefined => {
  if (['female', 'woman', 'girl', 'lady'].some((word) => words.has(word))) return 'female'
  return ['male', 'man', 'boy', 'gentleman'].some((word) => words.has(word)) ? 'male' : undefined
}
