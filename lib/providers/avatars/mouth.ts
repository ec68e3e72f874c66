/**
 * The mouth and the eyelids of a drawn person: which shape each frame of a voice shows, and the drawing of each shape over
 * the mouth and the eyes of the portrait. Pure.
 */
import { mix } from '../images/drawing.ts'
import type { DrawnFace } from '../images/face.ts'
import { loudnessOf } from './poses.ts'

/** From a smile at rest to wide open; `round` as in "oo", `teeth` as in "s" and "f". */
export const mouthShapes = ['rest', 'small', 'mid', 'open', 'round', 'teeth'] as const
export type MouthShape = (typeof mouthShapes)[number]

/** What one frame shows. */
export interface Expression {
  mouth: MouthShape
  eyesClosed: boolean
}

/** A shape stays for this many frames: at 30 a second, lips change about ten times a second. */
const heldFrames = 2
/** Crossings of zero per second: a hiss has more than the one, a rounded vowel fewer than the other. */
const hissCrossings = 5_200
const roundCrossings = 800
const blinkFrames = 4
/** In seconds, from one blink to the next. */
const blinkEvery = { least: 2.4, most: 4.8 }

export function expressionsOf(
  voice: { samples: Int16Array; sampleRate: number },
  frames: number,
  fps: number,
): Expression[] {
  const perFrame = voice.sampleRate / fps
  const loudness = loudnessOf(voice.samples, perFrame, frames)
  let mouth: MouthShape = 'rest'
  let since = heldFrames
  const closed = blinksOf(frames, fps, voice.samples.length)
  return loudness.map((loud, frame) => {
    const part = voice.samples.subarray(Math.round(frame * perFrame), Math.round((frame + 1) * perFrame))
    const next = shapeOf(loud, crossingsOf(part) * fps)
    since++
    if (next !== mouth && since >= heldFrames) {
      mouth = next
      since = 0
    }
    return { mouth, eyesClosed: closed.has(frame) }
  })
}

function shapeOf(loud: number, crossings: number): MouthShape {
  if (loud < 0.06) return 'rest'
  if (crossings > hissCrossings) return 'teeth'
  if (loud < 0.22) return 'small'
  if (crossings < roundCrossings && loud < 0.5) return 'round'
  return loud < 0.7 ? 'mid' : 'open'
}

function crossingsOf(samples: Int16Array): number {
  let count = 0
  for (let at = 1; at < samples.length; at++) if (samples[at]! >= 0 !== samples[at - 1]! >= 0) count++
  return count
}

/** The frames with closed eyes, at intervals that vary with `seed`. */
function blinksOf(frames: number, fps: number, seed: number): Set<number> {
  const closed = new Set<number>()
  let state = seed % 9_973
  const pause = () => {
    state = (state * 4_271 + 1_723) % 9_973
    return Math.round(fps * (blinkEvery.least + ((blinkEvery.most - blinkEvery.least) * state) / 9_973))
  }
  for (let from = Math.round(pause() / 2); from < frames; from += pause()) {
    for (let frame = from; frame < Math.min(frames, from + blinkFrames); frame++) closed.add(frame)
  }
  return closed
}

/** Part of a face in units of its drawing, around its middle. */
interface FacePart {
  left: number
  top: number
  right: number
  bottom: number
}

export const mouthPart: FacePart = { left: -0.085, top: 0.082, right: 0.085, bottom: 0.172 }
export const eyesPart: FacePart = { left: -0.125, top: -0.05, right: 0.125, bottom: 0.03 }

const inside = '#6f2226'
const tongue = '#c8605c'

/** Half the width, and the points that the curves of both lips bend to. */
const openings: Record<Exclude<MouthShape, 'rest'>, { half: number; upper: number; lower: number }> = {
  small: { half: 0.04, upper: 0.099, lower: 0.118 },
  mid: { half: 0.047, upper: 0.095, lower: 0.139 },
  open: { half: 0.05, upper: 0.089, lower: 0.164 },
  round: { half: 0.025, upper: 0.084, lower: 0.146 },
  teeth: { half: 0.05, upper: 0.097, lower: 0.128 },
}
const corners = 0.107

/** SVG markup in units of the face, over the mouth that the portrait was drawn with. */
export function mouthMarkup(shape: MouthShape, { skin }: Pick<DrawnFace, 'skin'>): string {
  const cover = `<rect x="-.072" y=".0885" width=".144" height=".068" rx=".02" fill="${skin}"/>`
  const lips = `fill="none" stroke="${mix(skin, '#a03030', 0.55)}" stroke-width=".009" stroke-linecap="round"`
  if (shape === 'rest') return `${cover}<path d="M-.052 .101C-.028 .119 .028 .119 .052 .101" ${lips}/>`
  const { half, upper, lower } = openings[shape]
  const bend = half * 0.6
  const outline = `M${-half} ${corners}C${-bend} ${upper} ${bend} ${upper} ${half} ${corners}C${bend} ${lower} ${-bend} ${lower} ${-half} ${corners}Z`
  const clip = `<clipPath id="mouth"><path d="${outline}"/></clipPath>`
  const row = (y: number, height: number) =>
    `<rect x="${-half}" y="${y}" width="${2 * half}" height="${height}" fill="#ffffff"/>`
  const content = {
    small: '',
    mid: row(0.092, 0.014),
    open: `${row(0.088, 0.017)}<ellipse cx="0" cy=".146" rx=".028" ry=".016" fill="${tongue}"/>`,
    round: '',
    teeth: row(0.09, 0.04),
  }[shape]
  return `${cover}${clip}<path d="${outline}" fill="${inside}"/><g clip-path="url(#mouth)">${content}</g><path d="${outline}" ${lips}/>`
}

/** Closed eyes; open ones are those of the portrait. */
export function closedEyesMarkup({ skin, lash, hasGlasses }: Pick<DrawnFace, 'skin' | 'lash' | 'hasGlasses'>): string {
  const lid = hasGlasses ? mix(skin, '#ffffff', 0.12) : skin
  return [-1, 1]
    .map(
      (side) =>
        `<ellipse cx="${side * 0.0665}" cy="-.0105" rx=".0365" ry=".0245" fill="${lid}"/>` +
        `<path d="M${side * 0.037} -.006C${side * 0.052} .006 ${side * 0.083} .006 ${side * 0.097} -.004" fill="none" stroke="${lash}" stroke-width=".008" stroke-linecap="round"/>`,
    )
    .join('')
}
