/** Builds the prompts of scenes: varied views, and one look for all scenes of a video. */

import type { Video } from '../../records/video.ts'
import type { Voice } from '../../videos/voices.ts'
import { extractKeywords } from '../keywords.ts'

export type SceneStyle = Pick<Video, 'id' | 'mood' | 'brief'>

/** More than for a b-roll segment, since a scene has more text. */
const keywordsMax = 8

/** The views rotate; each has a suitable camera movement. */
const views = [
  { shot: 'wide shot', camera: 'Slow push in' },
  { shot: 'close-up', camera: 'Slow pan to the right' },
  { shot: 'medium shot', camera: 'Slow pull out' },
  { shot: 'seen from above', camera: 'Slow pan to the left' },
]
const viewAt = (index: number) => views[index % views.length]!

/** The first match wins. */
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

/** The look that all scenes of a video share. */
function lookOf({ mood, brief }: SceneStyle): string {
  const light = (mood && firstMatch(lights, mood)) || usualLight
  return [brief.characterDescription, mood ? `${mood} mood, ${light}` : light, brief.customStyleText]
    .filter(Boolean)
    .join('; ')
}

/** The subject is before the first semicolon (`subjectKeywords`), followed by the view, the topic and the look. */
export function imagePromptOf(title: string, narration: string, index: number, video: SceneStyle): string {
  const topic = extractKeywords(title).join(' ')
  const subject = extractKeywords(narration, keywordsMax).join(', ') || narration
  return [subject, viewAt(index).shot, topic && `about ${topic}`, lookOf(video)].filter(Boolean).join('; ')
}

export const animationPromptOf = (narration: string, index: number): string =>
  `${viewAt(index).camera}; ${firstMatch(movements, narration) ?? usualMovement}`

/** The keywords of a prompt's subject, which is all of a prompt without a semicolon. */
export const subjectKeywords = (imagePrompt: string): string[] =>
  extractKeywords(imagePrompt.split(';', 1)[0]!, 2 * keywordsMax)

/** The portrait of the person who speaks the scenes of a ugc video: matches the voice and the brief's description. */
export function portraitPromptOf(video: SceneStyle, { gender }: Pick<Voice, 'gender'>): string {
  const person = { female: 'a woman', male: 'a man', neutral: 'a person' }[gender]
  return [`portrait of ${person}, a presenter who looks into the camera`, 'head and shoulders', lookOf(video)].join(
    '; ',
  )
}

export const speakingAnimationPrompt = 'Speaks to the camera'
