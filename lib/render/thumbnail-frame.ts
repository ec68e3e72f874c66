/** Chooses the frame of a thumbnail. Pure; `containers/media/render/thumbnail.ts` decodes the candidates and encodes the result. */
import type { Composition, Shot, ShotMedia } from './composition.ts'
import type { Size } from './framing.ts'
import { backgroundOf } from './slides/background-shots.ts'

/** The media shown at a moment, without captions and slides. */
export interface ThumbnailMoment {
  media: ShotMedia
  /** Position in the clip; 0 for stills. */
  clipMs: number
}

/** As shares of the duration. All within the first third: a viewer should soon see what the thumbnail shows. */
const momentShares = [0.03, 0.14, 0.26]
/** A clip needs a moment to show its subject. */
const settledMs = 800

type Shown = Pick<Composition, 'shots' | 'durationMs' | 'slides' | 'theme' | 'width' | 'height'>

/** The candidates, without duplicates. */
export function thumbnailMoments({ shots, durationMs, slides = [], theme, width, height }: Shown): ThumbnailMoment[] {
  const [slide] = slides
  // Titles have the colours of captions, which are most legible on the dark background of slides.
  const background =
    slide && backgroundOf({ ...slide, tone: 'dark', template: 'heroTitle' }, 0, { width, height }, theme)
  const moments = momentShares.map((share): ThumbnailMoment => {
    const ms = share * durationMs
    const shot = shots.find(({ endMs }) => ms < endMs) ?? shots.at(-1)!
    const media = shot.media.kind === 'drawing' && background ? background : shot.media
    return { media, clipMs: shot.media.kind === 'clip' ? clipMsOf(shot, ms) : 0 }
  })
  return [...new Map(moments.map((moment) => [JSON.stringify(moment), moment])).values()]
}

function clipMsOf({ startMs, endMs, offsetMs }: Shot, ms: number): number {
  // A source continues with the video; footage was cut to start where something is visible.
  if (offsetMs !== undefined) return Math.round(offsetMs + Math.max(0, ms - startMs))
  return Math.min(settledMs, Math.round((endMs - startMs) / 2))
}

/** Rows of RGB without padding. */
export interface RgbImage extends Size {
  pixels: Uint8Array
}

/** Every sixth pixel in both directions is sampled. */
const stride = 6
/** Weights of colour and detail, relative to the standard deviation of luma (0 to 255). */
const colourShare = 0.9
const detailShare = 1.6
/** A frame whose mean luma is outside this range looks faulty. */
const darkBelow = 38
const brightAbove = 222

/** Visual interest: contrast, colourfulness (after Hasler and Süsstrunk 2003) and detail, less a penalty for too dark or too bright. */
export function scoreFrame({ width, height, pixels }: RgbImage): number {
  const [luma, redGreen, yellowBlue] = [runningStatistics(), runningStatistics(), runningStatistics()]
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

function runningStatistics() {
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
