/** Which moment of a film its thumbnail shows: one of a few, that of which there is most to see. */
import type { Composition, Shot, ShotMedia } from './composition.ts'
import type { Size } from './framing.ts'
import { backgroundOf } from './slides/background-shots.ts'

/** What is on the screen at a moment, before captions and slides are laid over it. */
export interface ThumbnailMoment {
  media: ShotMedia
  /** Place in the clip; 0 for what does not move. */
  clipMs: number
}

/** The film should be what its thumbnail promises from its beginning: all are in its first third. As shares of it. */
const momentShares = [0.03, 0.14, 0.26]
/** A clip takes a moment to show what it is about. */
const settledMs = 800

type Shown = Pick<Composition, 'shots' | 'durationMs' | 'slides' | 'theme' | 'width' | 'height'>

/** Moments to choose from; each still is there once. */
export function thumbnailMoments({ shots, durationMs, slides = [], theme, width, height }: Shown): ThumbnailMoment[] {
  const [slide] = slides
  // Titles in the colours of captions stand best on the dark ground of the slides, whatever ground those have.
  const ground = slide && backgroundOf({ ...slide, tone: 'dark', template: 'heroTitle' }, 0, { width, height }, theme)
  const moments = momentShares.map((share): ThumbnailMoment => {
    const ms = share * durationMs
    const shot = shots.find(({ endMs }) => ms < endMs) ?? shots.at(-1)!
    const media = shot.media.kind === 'drawing' && ground ? ground : shot.media
    return { media, clipMs: shot.media.kind === 'clip' ? clipMsOf(shot, ms) : 0 }
  })
  return [...new Map(moments.map((moment) => [JSON.stringify(moment), moment])).values()]
}

function clipMsOf({ startMs, endMs, offsetMs }: Shot, ms: number): number {
  // What is shown of a longer film goes on with it; footage was cut to begin where something is to be seen.
  if (offsetMs !== undefined) return Math.round(offsetMs + Math.max(0, ms - startMs))
  return Math.min(settledMs, Math.round((endMs - startMs) / 2))
}

/** Rows of RGB without padding. */
export interface RgbImage extends Size {
  pixels: Uint8Array
}

/** Looking at every so many pixels in both directions is enough. */
const stride = 6
/** How much each part of the appeal counts, against standard deviations of 0 to 255. */
const colourShare = 0.9
const detailShare = 1.6
/** Of a mean luma: what is darker or brighter looks like a fault. */
const darkBelow = 38
const brightAbove = 222

/** How much there is to see: contrast, colour (after Hasler and Süsstrunk 2003) and detail, and neither night nor fog. */
export function scoreFrame({ width, height, pixels }: RgbImage): number {
  const [luma, redGreen, yellowBlue] = [spread(), spread(), spread()]
  let [edges, count] = [0, 0]
  for (let y = 0; y < height; y += stride) {
    let before: number | undefined
    for (let x = 0; x < width; x += stride) {
      const at = 3 * (y * width + x)
      const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
      const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      luma.add(grey)
      redGreen.add(red - green)
      yellowBlue.add((red + green) / 2 - blue)
      edges += Math.abs(grey - (before ?? grey))
      before = grey
      count++
    }
  }
  const colour =
    Math.hypot(redGreen.deviation(), yellowBlue.deviation()) + 0.3 * Math.hypot(redGreen.mean(), yellowBlue.mean())
  const fault = Math.max(0, darkBelow - luma.mean()) + Math.max(0, luma.mean() - brightAbove)
  return luma.deviation() + colourShare * colour + detailShare * (edges / count) - 4 * fault
}

function spread() {
  let [sum, squares, count] = [0, 0, 0]
  const mean = () => sum / count
  return {
    mean,
    add: (value: number) => {
      sum += value
      squares += value * value
      count++
    },
    deviation: () => Math.sqrt(Math.max(0, squares / count - mean() ** 2)),
  }
}
