/** What a scene shows and how that moves, in words: another view in each scene, and one look for all scenes of a video. */

import type { Video } from '../../records/video.ts'
import type { Voice } from '../../videos/voices.ts'
import { extractKeywords } from '../keywords.ts'

export type SceneStyle = Pick<Video, 'id' | 'mood' | 'brief'>

/** A scene says more than one shot of a b-roll does. */
const keywordsMax = 8

/** The views take turns; each with a move of the camera that suits it. */
const views = [
  { shot: 'wide shot', camera: 'Slow push in' },
  { shot: 'close-up', camera: 'Slow pan to the right' },
  { shot: 'medium shot', camera: 'Slow pull out' },
  { shot: 'seen from above', camera: 'Slow pan to the left' },
]
const viewAt = (index: number) => views[index % views.length]!

/** The first line that fits wins. */
const lights: readonly [RegExp, string][] = [
  [/calm|relax|peace|soft|cozy|warm/i, 'soft daylight, muted colours'],
  [/energ|upbeat|excit|bold|motiv|inspir/i, 'bright light, vivid colours'],
  [/dark|drama|myster|serious|tense|sad/i, 'low light, deep shadows'],
  [/play|fun|happy|humou?r|cheer/i, 'warm light, cheerful colours'],
]
const usualLight = 'natural light, a few colours that go together'

const movements: readonly [RegExp, string][] = [
  [/\b(ocean|sea|water|rivers?|lake|rain|waves?|beach|boats?)\b/i, 'the water moves gently'],
  [/\b(city|streets?|traffic|cars?|trains?|roads?)\b/i, 'lights and traffic pass by'],
  [/\b(trees?|forest|garden|fields?|grass|leaves|plants?|flowers?)\b/i, 'leaves stir softly'],
  [/\b(coffee|tea|kitchen|food|fire|candles?|kettle)\b/i, 'steam rises slowly'],
  [/\b(people|person|man|woman|child|children|team|family|friends?|everybody|everyone)\b/i, 'people move naturally'],
  [/\b(sky|clouds?|sun|sunrise|mornings?|evenings?|night|stars?|mountains?)\b/i, 'the light changes slowly'],
]
const usualMovement = 'small natural movements'

const firstMatch = (lines: readonly [RegExp, string][], text: string) => lines.find(([words]) => words.test(text))?.[1]

/** What all scenes of a video have in common. */
function lookOf({ mood, brief }: SceneStyle): string {
  const light = (mood && firstMatch(lights, mood)) || usualLight
  return [brief.characterDescription, mood ? `${mood} mood, ${light}` : light, brief.customStyleText]
    .filter(Boolean)
    .join('; ')
}

/** What is seen stands before the first semicolon (`subjectOf`); behind it how it looks, and what the whole is about. */
export function imagePromptOf(title: string, narration: string, index: number, video: SceneStyle): string {
  const topic = extractKeywords(title).join(' ')
  const seen = extractKeywords(narration, keywordsMax).join(', ') || narration
  return [seen, viewAt(index).shot, topic && `about ${topic}`, lookOf(video)].filter(Boolean).join('; ')
}

export const animationPromptOf = (narration: string, index: number): string =>
  `${viewAt(index).camera}; ${firstMatch(movements, narration) ?? usualMovement}`

/** The words of a prompt that say what is seen; of one without a semicolon all of them. */
export const subjectKeywords = (imagePrompt: string): string[] =>
  extractKeywords(imagePrompt.split(';', 1)[0]!, 2 * keywordsMax)

/** Who speaks the scenes of a ugc video, as a picture: somebody who may have this voice, as the brief describes them. */
export function portraitPromptOf(video: SceneStyle, { gender }: Pick<Voice, 'gender'>): string {
  const person = { female: 'a woman', male: 'a man', neutral: 'a person' }[gender]
  return [`portrait of ${person}, a presenter who looks into the camera`, 'head and shoulders', lookOf(video)].join(
    '; ',
  )
}

export const speakingAnimationPrompt = 'Speaks to the camera'
