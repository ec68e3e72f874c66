/**
 * The part of a frame that apps leave free of their own controls, as data. Captions stay inside it. Values are starting
 * points: apps publish few of them and change them without notice.
 */
import type { Size } from '../framing.ts'

interface Margins {
  left: number
  right: number
  top: number
  bottom: number
}

/**
 * Margins of each app that plays upright videos, in pixels of a 1080 x 1920 frame: its tabs above, its buttons on the
 * right, the name and the text of the post below.
 */
export const uprightMargins = {
  tiktok: { left: 60, right: 140, top: 130, bottom: 400 },
  instagram: { left: 65, right: 130, top: 250, bottom: 400 },
  facebook: { left: 65, right: 130, top: 250, bottom: 400 },
  youtube: { left: 50, right: 160, top: 200, bottom: 440 },
  others: { left: 80, right: 80, top: 80, bottom: 80 },
} as const satisfies Record<string, Margins>
const uprightFrame = { width: 1080, height: 1920 }

/** Other aspect ratios play in feeds and players without permanent controls: shares of the frame. */
const margin = { x: 0.07, y: 0.04 }
/** Apps play a frame as upright if it is about as narrow as their screen. */
const uprightRatioMax = 0.65

/** Edges in pixels of the frame. A video may be posted anywhere, so the area is free in all apps. */
export function safeArea({ width, height }: Size): Margins {
  if (width / height > uprightRatioMax) {
    const { x, y } = margin
    return { left: x * width, right: (1 - x) * width, top: y * height, bottom: (1 - y) * height }
  }
  const widest = (side: keyof Margins) => Math.max(...Object.values(uprightMargins).map((margins) => margins[side]))
  const [unitX, unitY] = [width / uprightFrame.width, height / uprightFrame.height]
  return {
    left: widest('left') * unitX,
    right: width - widest('right') * unitX,
    top: widest('top') * unitY,
    bottom: height - widest('bottom') * unitY,
  }
}
