/**
 * The candidate moments of a thumbnail. Pure; `containers/media/render/thumbnail.ts` decodes them and encodes the best
 * one.
 */
import type { Composition, Shot, ShotMedia } from './composition.ts'
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
