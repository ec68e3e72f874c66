/** Plans what is seen while a narration runs: b-roll segments cut where sentences and clauses end. */
import type { Brief } from './brief.ts'
import { frameSizes } from './brief.ts'
import { keywordsOf } from './keywords.ts'
import type { StoredBRoll } from './timelines/brolls.ts'
import type { HeardWord } from './timelines/captions.ts'
import { endsSentence } from './timelines/captions.ts'

/** A shot shorter than this flickers, one longer than that bores. */
const shotMsMin = 2_000
const shotMsMax = 5_500
/** Pictures are made larger than the frame, so that a slow zoom never has to invent pixels. */
const overscan = 1.2
/** Of mixed visuals every third moves by itself. */
const footageEvery = 3

export interface VisualWish {
  kind: 'still' | 'clip'
  prompt: string
  keywords: string[]
  mood: string | null
  width: number
  height: number
  durationMs: number
  seed: string
}

export interface PlannedShot {
  segment: Omit<StoredBRoll, 'media'>
  wish: VisualWish
}

export interface VisualPlanInput {
  words: readonly HeardWord[]
  durationMs: number
  brief: Pick<Brief, 'imageStyle' | 'aspectRatio'>
  mood: string | null
  /** One seed a video: its pictures look related. */
  seed: string
  /** False makes one picture for the whole video. */
  addBRolls: boolean
  idOf: (index: number) => string
}

export function planVisuals({ words, durationMs, brief, mood, seed, addBRolls, idOf }: VisualPlanInput): PlannedShot[] {
  const groups = addBRolls && words.length > 0 ? shotsOf(words) : [[...words]]
  return groups.map((group, index) => {
    const startMs = index === 0 ? 0 : group[0]!.startMs
    const endMs = groups[index + 1]?.[0]?.startMs ?? durationMs
    const text = group.map((word) => word.text).join(' ')
    const keywords = keywordsOf(text)
    const mediaType = mediaTypeAt(index, brief.imageStyle)
    const still = mediaType === 'ai_image'
    const size = frameSizes[brief.aspectRatio]
    return {
      segment: { id: idOf(index), startMs, endMs, text, prompt: text, keywords, mediaType, hidden: false },
      wish: {
        kind: still ? 'still' : 'clip',
        prompt: text,
        keywords,
        mood,
        ...(still ? scaled(size, overscan) : size),
        durationMs: endMs - startMs,
        seed,
      },
    }
  })
}

/** Even numbers: four pixels share one colour sample. */
const scaled = ({ width, height }: { width: number; height: number }, factor: number) => ({
  width: 2 * Math.round((width * factor) / 2),
  height: 2 * Math.round((height * factor) / 2),
})

function mediaTypeAt(index: number, imageStyle: Brief['imageStyle']): 'ai_image' | 'stock_footage' {
  if (imageStyle !== 'mixed') return imageStyle
  return index % footageEvery === 1 ? 'stock_footage' : 'ai_image'
}

/** Cuts the words into shots: at sentence ends once a shot is long enough, at commas or anywhere once it is too long. */
function shotsOf(words: readonly HeardWord[]): HeardWord[][] {
  const shots: HeardWord[][] = []
  let shot: HeardWord[] = []
  words.forEach((word, index) => {
    shot.push(word)
    const lastsMs = (words[index + 1]?.startMs ?? word.endMs) - shot[0]!.startMs
    const sentence = endsSentence(word.text) && lastsMs >= shotMsMin
    const clause = /[,;:–—]$/.test(word.text) && lastsMs >= shotMsMax * 0.7
    if (sentence || clause || lastsMs >= shotMsMax) {
      shots.push(shot)
      shot = []
    }
  })
  if (shot.length === 0) return shots
  const tooShort = shot.at(-1)!.endMs - shot[0]!.startMs < shotMsMin
  const last = shots.at(-1)
  if (tooShort && last) last.push(...shot)
  else shots.push(shot)
  return shots
}
