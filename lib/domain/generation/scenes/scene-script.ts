/** Turns a script into the scenes of an ai video: what is spoken in each, for how long, in which voice. */

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

/** A shot shorter than this hurries; long scripts get longer scenes, so that there are not too many of them. */
const sceneSecondsAim = 5
/** What the voices speak, rests included; scripts without spaces between words are counted by the character. */
const [wordsPerSecond, ideographsPerSecond] = [2.6, 4.2]

const secondsOf = (text: string) => {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0
  return (text.match(/\S+/g)?.length ?? 0) / wordsPerSecond + ideographs / ideographsPerSecond
}

/** Cuts a script where sentences end, and long sentences where they breathe; every word of it is in one narration. */
export function splitIntoNarrations(script: string): string[] {
  const aim = Math.max(sceneSecondsAim, secondsOf(script) / (scenesMax - 2))
  const narrations = ['']
  for (const piece of sentencesOf(script).flatMap((sentence) => splitAtClauses(sentence, sceneSeconds.max - 1 - aim))) {
    if (secondsOf(narrations.at(-1)!) >= aim) narrations.push('')
    narrations[narrations.length - 1] += piece
  }
  const [last, before] = [narrations.at(-1)!, narrations.at(-2)]
  if (before !== undefined && isRemainder(last, before + last, aim)) narrations.splice(-2, 2, before + last)
  return narrations.map((narration) => narration.trim())
}

/** A short end goes with the scene before it. */
const isRemainder = (last: string, joined: string, aim: number) =>
  secondsOf(last) < aim / 2 || (secondsOf(last) < aim * 0.8 && secondsOf(joined) <= sceneSeconds.max * 0.6)

/** Sentences with the white space after them. */
const sentencesOf = (text: string) =>
  joinedUntil(text.match(/[^\s。！？]+[。！？]*\s*|[。！？]+\s*/gu) ?? [], (word) => endsSentence(word.trim()))

/** A sentence that takes longer than a scene may is cut at its commas, and where it has none anywhere between words. */
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

/** Joins pieces, beginning anew after each that is an end. */
function joinedUntil(pieces: readonly string[], isEnd: (piece: string) => boolean): string[] {
  const joined: string[] = []
  let begins = true
  for (const piece of pieces) {
    if (begins) joined.push(piece)
    else joined[joined.length - 1] += piece
    begins = isEnd(piece)
  }
  return joined
}

/** What is seen in a scene and how it moves. */
export type ScenePrompts = Pick<StoredScene, 'imagePrompt' | 'animationPrompt'>

/** As rules say it. */
export const rulePrompts = (title: string, narrations: readonly string[], video: SceneStyle): ScenePrompts[] =>
  narrations.map((narration, index) => ({
    imagePrompt: imagePromptOf(title, narration, index, video),
    animationPrompt: animationPromptOf(narration, index),
  }))

/** Of a ugc video: one person speaks all scenes. */
export const ugcPrompts = (narrations: readonly string[], video: SceneStyle, voice: Voice): ScenePrompts[] =>
  narrations.map(() => ({ imagePrompt: portraitPromptOf(video, voice), animationPrompt: speakingAnimationPrompt }))

/** The scenes that speak these narrations. How long they last is known when they were spoken (`timed`). */
export const buildScenes = (
  narrations: readonly string[],
  staged: readonly ScenePrompts[],
  { mood }: Pick<Video, 'mood'>,
  idOf: (index: number) => string,
): StoredScene[] =>
  narrations.map((narration, index) => ({
    id: idOf(index),
    imagePrompt: staged[index]!.imagePrompt,
    animationPrompt: staged[index]!.animationPrompt,
    narration,
    voiceDescription: ['Natural voice', mood].filter(Boolean).join(', '),
    duration: sceneSeconds.min,
    imageKey: null,
    videoKey: null,
  }))

/** What the writing of scenes leaves behind. */
export interface WrittenScenes {
  scenes: StoredScene[]
  /** False where they are the scenes that were there before, whose lengths are the client's. */
  isNew: boolean
}

/**
 * Whether a generation goes on with the scenes that are there: those of the same script that the client edited, or whose pictures
 * are to stay. All others are written anew, and what was made of equal ones is found again.
 */
export const canReuseScenes = ({ timelines, plannedScenes, process }: Video, scriptKey: string): boolean =>
  plannedScenes?.script === scriptKey &&
  (plannedScenes.scenes !== timelines.scenes || process?.wishes.addBRolls === false)

/** Each scene lasts as long as it takes to speak, within what a scene may last. */
export function withDurations(scenes: readonly StoredScene[], spokenMs: readonly number[]): StoredScene[] {
  const within = (seconds: number) => Math.min(Math.max(seconds, sceneSecondsMin), sceneSeconds.max)
  return scenes.map((scene, index) => ({
    ...scene,
    duration: within(Math.ceil(sceneSpeechMs(spokenMs, index) / 100) / 10),
  }))
}

/**
 * The voice that a scene asks for: one that its description names, or one of the gender that it names; else the video's own. All
 * voices of a video come from one maker.
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
