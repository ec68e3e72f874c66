/** The animations of captions, as data: entrances of pages and effects of spoken words. Times are in ms. */

import { type Track, valueAt } from '../keyframes.ts'
import type { CaptionStyle } from './style.ts'

/**
 * The entrance of a page, from its start. `rise` is the distance below its final position, in pixels of a 1080-wide
 * video.
 */
interface CaptionEntrance {
  opacity: Track
  scale: Track
  rise: Track
}

const still: Track = [[0, 1]]
const noRise: Track = [[0, 0]]
const fade: Track = [
  [0, 0],
  [150, 1],
]

export const captionEntrances: Record<CaptionStyle['animation'], CaptionEntrance> = {
  none: { opacity: still, scale: still, rise: noRise },
  fadeIn: { opacity: fade, scale: still, rise: noRise },
  fadeInSlideUp: {
    opacity: fade,
    scale: still,
    rise: [
      [0, 60],
      [200, 0],
    ],
  },
  slideUp: {
    opacity: [
      [0, 0],
      [50, 1],
    ],
    scale: still,
    rise: [
      [0, 140],
      [220, 0],
    ],
  },
  popIn: {
    opacity: [
      [0, 0],
      [60, 1],
    ],
    scale: [
      [0, 0.6],
      [120, 1.1],
      [200, 1],
    ],
    rise: noRise,
  },
  scaleIn: {
    opacity: [
      [0, 0],
      [120, 1],
    ],
    scale: [
      [0, 0.8],
      [200, 1],
    ],
    rise: noRise,
  },
  // Its letters appear one by one instead (see reveal.ts).
  typewriter: { opacity: still, scale: still, rise: noRise },
}

/** Two frames: words that are shown alone change too fast for a longer entrance. */
const wordEntranceMs = 66
/** From the first frame on, so that no blank frame separates two words. */
const wordFade: Track = [
  [0, 0.6],
  [33, 1],
]

/** The entrance of a page, or of each word in word mode. */
export function entranceOf({ animation, layoutMode }: Pick<CaptionStyle, 'animation' | 'layoutMode'>): CaptionEntrance {
  const entrance = captionEntrances[animation]
  if (layoutMode !== 'word') return entrance
  const quick = (track: Track): Track => {
    const lastsMs = track.at(-1)![0]
    return lastsMs <= wordEntranceMs ? track : track.map(([ms, value]) => [(ms * wordEntranceMs) / lastsMs, value])
  }
  const { opacity, scale, rise } = entrance
  return { opacity: opacity.length > 1 ? wordFade : opacity, scale: quick(scale), rise: quick(rise) }
}

const spoken: Record<CaptionStyle['wordEffect'], Track> = {
  '': still,
  bounceWord: [
    [0, 1],
    [70, 1.16],
    [200, 1.06],
  ],
  popWord: [
    [0, 1],
    [60, 1.25],
    [180, 1],
  ],
  scaleWord: [
    [0, 1],
    [120, 1.12],
  ],
  highlightWord: still,
  karaokeWord: still,
}
const settleMs = 90

/** Scale of a word from the start of its speech. */
export function spokenScale(effect: CaptionStyle['wordEffect']): Track {
  return spoken[effect]
}

/** The largest scale of a word. */
export function peakScale(effect: CaptionStyle['wordEffect']): number {
  return Math.max(...spoken[effect].map(([, scale]) => scale))
}

/** Scale of a word after it was spoken for `durationMs`: it returns to 1 from the scale it had reached. */
export function settlingScale(effect: CaptionStyle['wordEffect'], durationMs: number): Track {
  return [
    [0, valueAt(spoken[effect], durationMs)],
    [settleMs, 1],
  ]
}
