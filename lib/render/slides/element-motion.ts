/** The entrance motions of slide elements, as sprite tracks. */

import type { Size } from '../framing.ts'
import type { Track } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import type { ElementEntrance } from './slide-context.ts'

const easeOut = (p: number) => 1 - (1 - p) ** 3
const keyTimes = [0, 0.08, 0.16, 0.25, 0.35, 0.47, 0.6, 0.78, 1]

/** From one value to another with cubic ease-out, approximated by eight linear pieces. */
export function easedTrack(fromMs: number, durationMs: number, from: number, to: number): Track {
  if (from === to || durationMs <= 0) return [[fromMs, to]]
  return keyTimes.map((p) => [fromMs + p * durationMs, from + (to - from) * easeOut(p)])
}

/** The first track until the start of the second, then the second. */
export const concatTracks = (first: Track, second: Track): Track => [
  ...first.filter(([ms]) => ms < second[0]![0]),
  ...second,
]

type Motion = Pick<Sprite, 'x' | 'y' | 'scale' | 'opacity'>

const zoomMs = 620
const zoomFrom = 0.86

/** Zooms in with the whole slide, about the middle of the frame. */
export function zoomInMotion(atMs: number, x: number, y: number, frame: Size): Motion {
  const from = (value: number, middle: number) => middle + (value - middle) * zoomFrom
  return {
    x: easedTrack(atMs, zoomMs, from(x, frame.width / 2), x),
    y: easedTrack(atMs, zoomMs, from(y, frame.height / 2), y),
    scale: easedTrack(atMs, zoomMs, zoomFrom, 1),
    opacity: easedTrack(atMs, 0.5 * zoomMs, 0, 1),
  }
}

const entranceMs: Record<ElementEntrance, number> = { rise: 520, fade: 400, pop: 460, left: 520, cut: 0 }

/** Enters to (x, y); `unit` is that of the slide context. */
export function entranceMotion(entrance: ElementEntrance, atMs: number, x: number, y: number, unit: number): Motion {
  const durationMs = entranceMs[entrance]
  const still = (value: number): Track => [[atMs, value]]
  return {
    x: entrance === 'left' ? easedTrack(atMs, durationMs, x - 5 * unit, x) : still(x),
    y: entrance === 'rise' ? easedTrack(atMs, durationMs, y + 4.5 * unit, y) : still(y),
    scale: entrance === 'pop' ? easedTrack(atMs, durationMs, 0.55, 1) : still(1),
    opacity: entrance === 'cut' ? still(1) : easedTrack(atMs, 0.7 * durationMs, 0, 1),
  }
}
