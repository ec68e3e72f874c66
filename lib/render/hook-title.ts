/**
 * Lays out the hook: the title over the first seconds of a video, on a plate in the font and colours of the captions.
 * It takes the space that captions and emoji leave, and is left out where there is too little. Pure.
 */

import { captionStyle } from './captions/style.ts'
import { keywordOf, transformCase } from './captions/text-segmentation.ts'
import { type Colour, toHex } from './colours.ts'
import type { Composition } from './composition.ts'
import { valueAt } from './keyframes.ts'
import { svg, svgRect, textLine } from './slides/svg.ts'
import { type Typeface, type TypesetText, typeset } from './slides/typeset.ts'
import type { Sprite } from './sprite.ts'

export const hookMs = 2_500
const leaveMs = 200
/** Settles from a larger size; opaque from the first frame, which apps show as a still. */
const settleMs = 240
const settleFrom = 1.06

/** The area that apps leave free of their own controls, as shares of the frame. */
const area = { top: 0.13, bottom: 0.76, left: 0.08, right: 0.92 }
/** A frame wider than tall has no controls above. */
const wideTop = 0.07
/** The part of the height that the plate may take. */
const heightMax = 0.2
/** The forehead of a presenter begins here; above it there is space for a smaller title, as shares of the height. */
const aboveFace = { top: 0.1, bottom: 0.28, heightMax: 0.135 }
/** Distance to captions, as a share of the height. */
const apart = 0.02
/** Font sizes as shares of the shorter side. */
const sizeMax = 0.088
const sizeMin = 0.05
/** In em. */
const padding = { x: 0.42, y: 0.3 }
const corner = 0.28
const plateOpacity = 0.86

type Frame = Pick<Composition, 'width' | 'height' | 'theme' | 'durationMs' | 'isPresented'>

/** The sprite of a hook; undefined if it has no space. `others` are the sprites that it must not touch. */
export function hookSprite(
  hook: string,
  frame: Frame,
  typeface: Typeface,
  others: readonly Sprite[],
): Sprite | undefined {
  const { width, height, theme, durationMs, isPresented } = frame
  const toMs = Math.min(hookMs, durationMs)
  const style = captionStyle(theme, { width, height })
  const words = transformCase(hook.trim(), style.textTransform)
  const short = Math.min(width, height)
  const text = typeset(
    words,
    emphasisOf(words),
    { typeface, sizeMax: sizeMax * short, sizeMin: sizeMin * short, lineHeight: 1.16, tracking: -0.005, linesMax: 3 },
    { width: (area.right - area.left) * width, height: (isPresented ? aboveFace.heightMax : heightMax) * height },
  )
  if (!text.isWhole) return undefined
  const plate = {
    width: 4 * Math.ceil((text.width + 2 * padding.x * text.size) / 4),
    height: 4 * Math.ceil((text.height + 2 * padding.y * text.size) / 4),
  }
  const top = freeTop(
    plate.height,
    frame,
    others.filter(({ fromMs }) => fromMs < toMs),
  )
  if (top === undefined) return undefined
  const leavesAt = Math.max(0, toMs - leaveMs)
  return {
    picture: { kind: 'drawing', svg: plateMarkup(text, plate, style), fonts: typeface.files },
    ...{ ...plate, fromMs: 0, toMs },
    x: [[0, 2 * Math.round(width / 4)]],
    y: [[0, 2 * Math.round((top + plate.height / 2) / 2)]],
    scale: [
      [0, settleFrom],
      [settleMs, 1],
    ],
    opacity: [
      [leavesAt, 1],
      [toMs, 0],
    ],
  }
}

/** The top of a plate: as high as apps allow, else directly below the captions; undefined without space. */
function freeTop(
  plateHeight: number,
  { width, height, isPresented }: Frame,
  others: readonly Sprite[],
): number | undefined {
  const spans = others.map(({ fromMs, y, height: tall, scales }) => {
    const reach = (tall * (scales?.largest ?? 1)) / 2
    const middles = [valueAt(y, fromMs), ...y.map(([, value]) => value)]
    return { from: Math.min(...middles) - reach, to: Math.max(...middles) + reach }
  })
  const freeFrom = width > height ? wideTop : area.top
  const above = isPresented
    ? { from: aboveFace.top * height, to: aboveFace.bottom * height }
    : { from: freeFrom * height, to: area.bottom * height }
  const highest = Math.min(above.to, ...spans.map(({ from }) => from - apart * height))
  if (above.from + plateHeight <= highest) return above.from
  const below = Math.max(...spans.map(({ to }) => to)) + apart * height
  return !isPresented && below >= above.from && below + plateHeight <= area.bottom * height ? below : undefined
}

/** The keyword, unless the text has only one word. */
function emphasisOf(text: string): string {
  const [keyword, words] = [keywordOf(text), text.split(/\s+/)]
  return (words.length > 1 && words.find((word) => keywordOf(word) === keyword)) || ''
}

function plateMarkup(
  text: TypesetText,
  plate: { width: number; height: number },
  { resting, active }: ReturnType<typeof captionStyle>,
): string {
  const opaque = (colour: Colour) => toHex({ ...colour, alpha: 255 })
  const ground = luminanceOf(resting.fill) >= 0.35 ? '#101014' : '#ffffff'
  // A key word that the plate would swallow has the colour of the others.
  const isLegible = Math.abs(luminanceOf(active.fill) - (ground === '#ffffff' ? 1 : 0)) >= 0.35
  const inks = { ink: opaque(resting.fill), emphasis: opaque(isLegible ? active.fill : resting.fill) }
  const step = text.style.lineHeight * text.size
  const top = (plate.height - text.height) / 2
  const lines = text.lines.map((row, index) =>
    textLine(text, index, (plate.width - row.width) / 2, top + index * step, inks),
  )
  const box = { x: 0, y: 0, ...plate }
  return svg(box, svgRect(box, ground, corner * text.size, `fill-opacity="${plateOpacity}"`) + lines.join(''))
}

/** Weighted luma, 0 to 1. */
const luminanceOf = ({ red, green, blue }: Colour) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
