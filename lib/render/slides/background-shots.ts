/** The shots that slides stand on, and how one slide becomes the next. Needs no fonts: what is written on slides comes later. */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import type { Framing, Shot } from '../composition.ts'
import type { Size } from '../framing.ts'
import type { Drawing } from '../sprite.ts'
import { backgroundMarkup, posterMarkup } from './background.ts'
import { paletteOf } from './palette.ts'
import { backgrounds, knownOrFirst, type Slide, type SlideEntrance, slideEntrances } from './slide.ts'
import { svg } from './svg.ts'

/** How long one slide takes to become the next. */
const changeMs = { calm: 480, lively: 330 } as const

/** How a slide comes. */
export interface SlideTransition {
  entrance: SlideEntrance
  /** 0 where nothing is to be left, at the beginning of the film. */
  durationMs: number
}

export function transitionInto(slide: Slide, before: Slide | undefined): SlideTransition {
  const pace = slide.direction.pace === 'lively' ? 'lively' : 'calm'
  const durationMs = slide.startMs === 0 ? 0 : Math.min(changeMs[pace], 0.4 * (slide.endMs - slide.startMs))
  // A picture moves in its own shot, which nothing can carry.
  const entrance = pictureOf(slide) ? 'fade' : knownOrFirst(slideEntrances, slide.direction.enter)
  // Without a slide before there is nothing that could be pushed away.
  return { entrance: entrance === 'push' && before?.endMs !== slide.startMs ? 'slide' : entrance, durationMs }
}

const pictureOf = ({ template, picture }: Slide) => (template === 'imageFull' ? picture : undefined)

/** When the ground of a slide is seen as a shot: while it slides in it is a sprite, and a wipe uncovers it half-way. */
export function backgroundStartMs({ startMs }: Slide, { entrance, durationMs }: SlideTransition): number {
  if (entrance === 'slide' || entrance === 'push') return startMs + durationMs
  return entrance === 'wipe' ? startMs + durationMs / 2 : startMs
}

/** The ground as a drawing of the film's size. `index` counts slides, whose patterns take turns. */
export function backgroundOf(slide: Slide, index: number, frame: Size, theme: ThemeConfig): Drawing {
  const palette = paletteOf(theme, slide.tone)
  const kind = knownOrFirst(backgrounds, theme.presentationBackground ?? 'gradient')
  const markup =
    slide.template === 'imageFull'
      ? posterMarkup(frame, paletteOf(theme, 'dark'), index)
      : backgroundMarkup(kind, frame, palette, index)
  return { kind: 'drawing', svg: svg({ x: 0, y: 0, ...frame }, markup) }
}

const still: Framing = { scale: 1, x: 0.5, y: 0.5 }
const near: Framing = { scale: 1.12, x: 0.5, y: 0.45 }

/** One shot for each slide, until the next one has taken its place. */
export function backgroundShots(slides: readonly Slide[], frame: Size, theme: ThemeConfig): Shot[] {
  return slides.map((slide, index) => {
    const next = slides[index + 1]
    const transition = transitionInto(slide, slides[index - 1])
    const followed = next && next.startMs === slide.endMs
    const isCovered = transition.durationMs > 0 && backgroundStartMs(slide, transition) > slide.startMs
    const picture = pictureOf(slide)
    return {
      startMs: backgroundStartMs(slide, transition),
      endMs: followed ? backgroundStartMs(next, transitionInto(next, slide)) : slide.endMs,
      media: picture ?? backgroundOf(slide, index, frame, theme),
      ...(isCovered && { enter: 'cut' as const }),
      motion: picture?.kind === 'still' ? { from: still, to: near } : { from: still, to: still },
    }
  })
}

/** Shots over others, which are seen where no shot lies over them; a clip is then where it would have been. */
export function overlayShots(under: readonly Shot[], over: readonly Shot[]): Shot[] {
  const gaps = [...over, undefined].map((shot, index) => ({
    from: over[index - 1]?.endMs ?? 0,
    to: shot?.startMs ?? Number.POSITIVE_INFINITY,
  }))
  const seen = gaps.flatMap(({ from, to }) =>
    under.flatMap((shot): Shot[] => {
      const [startMs, endMs] = [Math.max(from, shot.startMs), Math.min(to, shot.endMs)]
      if (endMs <= startMs) return []
      const late = startMs - shot.startMs
      return [{ ...shot, startMs, endMs, ...(late > 0 && { offsetMs: (shot.offsetMs ?? 0) + late }) }]
    }),
  )
  return [...over, ...seen].toSorted((a, b) => a.startMs - b.startMs)
}
