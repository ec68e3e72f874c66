/** Turns a script into the scenes of an ai video: what is spoken in each, what is seen, how it moves, how it sounds. */
import { frameSizes } from './brief.ts'
import { keywordsOf } from './keywords.ts'
import { endsSentence } from './timelines/captions.ts'
import type { ScenePlace, StoredScene } from './timelines/scenes.ts'
import { neededMs, sceneSeconds, sceneSecondsMin, scenesMax } from './timelines/scenes.ts'
import type { Video } from './video.ts'
import type { MadeVisuals } from './visual-plan.ts'
import type { PlannedShot, VisualWish } from './visuals.ts'
import { mediaTypeAt, stillSize } from './visuals.ts'
import type { Voice } from './voice.ts'
import { voices } from './voice.ts'

/** A shot shorter than this hurries; long scripts get longer scenes, so that there are not too many of them. */
const sceneSecondsAim = 5
/** What the voices speak, rests included; scripts without spaces between words are counted by the character. */
const [wordsPerSecond, ideographsPerSecond] = [2.6, 4.2]

const secondsOf = (text: string) => {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0
  return (text.match(/\S+/g)?.length ?? 0) / wordsPerSecond + ideographs / ideographsPerSecond
}

/** Cuts a script where sentences end, and long sentences where they breathe; every word of it is in one narration. */
export function narrationsOf(script: string): string[] {
  const aim = Math.max(sceneSecondsAim, secondsOf(script) / (scenesMax - 2))
  const narrations = ['']
  for (const piece of sentencesOf(script).flatMap((sentence) => breathsOf(sentence, sceneSeconds.max - 1 - aim))) {
    if (secondsOf(narrations.at(-1)!) >= aim) narrations.push('')
    narrations[narrations.length - 1] += piece
  }
  const [last, before] = [narrations.at(-1)!, narrations.at(-2)]
  if (before !== undefined && secondsOf(last) < aim / 2) narrations.splice(-2, 2, before + last)
  return narrations.map((narration) => narration.trim())
}

/** Sentences with the white space after them. */
const sentencesOf = (text: string) =>
  joinedUntil(text.match(/[^\s。！？]+[。！？]*\s*|[。！？]+\s*/gu) ?? [], (word) => endsSentence(word.trim()))

/** A sentence that takes longer than a scene may is cut at its commas, and where it has none anywhere between words. */
function breathsOf(sentence: string, secondsMax: number): string[] {
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

/** A scene says more than one shot of a b-roll does. */
const keywordsMax = 8
/** The pictures take turns in how they move. */
const movements = ['Slow push in', 'Slow pan to the right', 'Slow pull out', 'Slow pan to the left']

type Styled = Pick<Video, 'id' | 'mood' | 'brief'>

/** The scenes that speak these narrations. How long they last is known when they were spoken (`timed`). */
export const scenesOf = (
  narrations: readonly string[],
  video: Styled,
  idOf: (index: number) => string,
): StoredScene[] =>
  narrations.map((narration, index) => ({
    id: idOf(index),
    imagePrompt: imagePromptOf(narration, video),
    animationPrompt: movements[index % movements.length]!,
    narration,
    voiceDescription: ['Natural voice', video.mood].filter(Boolean).join(', '),
    duration: sceneSeconds.min,
    imageKey: null,
    videoKey: null,
  }))

function imagePromptOf(narration: string, { mood, brief }: Styled): string {
  const subject = keywordsOf(narration, keywordsMax).join(', ') || narration
  return [subject, brief.characterDescription, mood && `${mood} mood`, brief.customStyleText].filter(Boolean).join('; ')
}

/** Each scene lasts as long as it takes to speak, within what a scene may last. */
export function timed(scenes: readonly StoredScene[], spokenMs: readonly number[]): StoredScene[] {
  const within = (seconds: number) => Math.min(Math.max(seconds, sceneSecondsMin), sceneSeconds.max)
  return scenes.map((scene, index) => ({ ...scene, duration: within(Math.ceil(neededMs(spokenMs, index) / 100) / 10) }))
}

/** The still of a scene. Pictures with one seed look related, and the same prompt with the same seed gives the same picture. */
export const stillOf = (
  { brief, mood }: Styled,
  { imagePrompt, duration }: Pick<StoredScene, 'imagePrompt' | 'duration'>,
  seed: string,
): VisualWish => ({
  kind: 'still',
  prompt: imagePrompt,
  keywords: keywordsOf(imagePrompt, 2 * keywordsMax),
  mood,
  ...stillSize(brief.aspectRatio),
  durationMs: Math.round(duration * 1000),
  seed,
})

/** The pictures of the scenes: a still of each, and where the image style wants it to move by itself the same picture as a clip. */
export const picturesOf = (
  video: Styled,
  scenes: readonly StoredScene[],
  places: readonly ScenePlace[],
): PlannedShot[] =>
  scenes.flatMap((scene, index) => {
    const still = stillOf(video, scene, video.id)
    const clip: VisualWish = { ...still, kind: 'clip', ...frameSizes[video.brief.aspectRatio] }
    const { id, narration: text, imagePrompt: prompt } = scene
    const segment = { id, ...places[index]!, text, prompt, keywords: still.keywords, hidden: false }
    const moves = mediaTypeAt(index, video.brief.imageStyle) === 'stock_footage'
    return [
      { segment: { ...segment, mediaType: 'ai_image' as const }, wish: still },
      ...(moves ? [{ segment: { ...segment, mediaType: 'ai_video' as const }, wish: clip }] : []),
    ]
  })

/** The scenes with the pictures that were made for them. */
export const withPictures = (scenes: readonly StoredScene[], pictures: MadeVisuals): StoredScene[] =>
  scenes.map((scene) => {
    const keyOf = (kind: 'still' | 'clip') =>
      pictures.find(({ id, media }) => id === scene.id && media?.kind === kind)?.media?.key ?? null
    return { ...scene, imageKey: keyOf('still'), videoKey: keyOf('clip') }
  })

/** The voice that a scene asks for: one that its description names, or one of the gender that it names; else the video's own. */
export function voiceOf({ voiceDescription }: Pick<StoredScene, 'voiceDescription'>, voice: Voice): Voice {
  const words = new Set(voiceDescription.toLowerCase().match(/\p{L}+/gu))
  const alike = voices.filter(({ language, provider }) => language === voice.language && provider === voice.provider)
  const named = alike.find(({ name }) => words.has(name.toLowerCase()))
  if (named || genderIn(words) === voice.gender) return named ?? voice
  return alike.find(({ gender }) => gender === genderIn(words)) ?? voice
}

const genderIn = (words: ReadonlySet<string>): Voice['gender'] | undefined => {
  if (['female', 'woman', 'girl', 'lady'].some((word) => words.has(word))) return 'female'
  return ['male', 'man', 'boy', 'gentleman'].some((word) => words.has(word)) ? 'male' : undefined
}
