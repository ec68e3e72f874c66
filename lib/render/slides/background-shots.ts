/**
 * The shots behind slides, and the transitions between slides. Needs no fonts: the content of slides is drawn later
 * (`draw.ts`).
 */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import type { Framing, Shot } from '../composition.ts'
import type { Size } from '../framing.ts'
import type { Drawing } from '../sprite.ts'
import { backgroundMarkup, posterMarkup } from './background.ts'
import { paletteOf } from './palette.ts'
import { backgrounds, knownOrFirst, type Slide, type SlideEntrance, slideEntrances } from './slide.ts'
import { svg } from './svg.ts'

/** Duration of a transition by pace. */
const changeMs = { calm: 480, lively: 330 } as const

/** The transition into a slide. */
export interface SlideTransition {
  entrance: SlideEntrance
  /** 0 at the start of the video. */
  durationMs: number
}

export function transitionInto(slide: Slide, before: Slide | undefined): SlideTransition {
  const pace = slide.direction.pace === 'lively' ? 'lively' : 'calm'
  const durationMs = slide.startMs === 0 ? 0 : Math.min(changeMs[pace], 0.4 * (slide.endMs - slide.startMs))
  // An image has its own moving shot, which cannot slide.
  const entrance = pictureOf(slide) ? 'fade' : knownOrFirst(slideEntrances, slide.direction.enter)
  // Without a previous slide there is nothing to push.
  return { entrance: entrance === 'push' && before?.endMs !== slide.startMs ? 'slide' : entrance, durationMs }
}

const pictureOf = ({ template, picture }: Slide) => (template === 'imageFull' ? picture : undefined)

/** When the background becomes a shot: while it slides in it is a sprite, and a wipe uncovers it halfway through. */
function backgroundStartMs({ startMs }: Slide, { entrance, durationMs }: SlideTransition): number {
  if (entrance === 'slide' || entrance === 'push') return startMs + durationMs
  return entrance === 'wipe' ? startMs + durationMs / 2 : startMs
}

/** The background as a drawing of the frame's size. Patterns alternate by `index`. */
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

/** One shot per slide, until the next slide has replaced it. */
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

/**
 * Lays shots over others. The lower ones stay visible in the gaps, with clips at the position that they would have
 * reached.
 */
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
