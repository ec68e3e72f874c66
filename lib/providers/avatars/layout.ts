/** How a portrait of any shape is put into a frame: cut where little is lost, else with soft edges before a soft background. */
import { poseReach } from './poses.ts'

export interface Size {
  width: number
  height: number
}

/** The portrait scaled to `scaled`, of which the window at `left`, `top` of the size `part` is shown, its middle at `centre`. */
export interface PortraitLayout {
  scaled: Size
  left: number
  top: number
  part: Size
  centre: { x: number; y: number }
  /** Pixels over which an edge inside the frame fades out; 0 where the portrait goes beyond the frame. */
  fade: { x: number; y: number }
}

/** The portrait is drawn at most this much larger than it fits: more would cut off too much of it. */
const cutMax = 1.3
const fadeShare = 0.12
/** A face is in the upper part of a tall picture, so more is cut off below. */
const cutAbove = 0.25

export function portraitLayout(portrait: Size, frame: Size): PortraitLayout {
  const shorter = Math.min(frame.width, frame.height)
  const room = 2 * poseReach * shorter
  const full = { width: even(frame.width + room), height: even(frame.height + room) }
  const fits = Math.min(frame.width / portrait.width, frame.height / portrait.height)
  const covers = Math.max(full.width / portrait.width, full.height / portrait.height)
  const scale = Math.min(covers, fits * cutMax)
  const scaled = { width: even(portrait.width * scale), height: even(portrait.height * scale) }
  const part = { width: Math.min(scaled.width, full.width), height: Math.min(scaled.height, full.height) }
  const fade = (inside: boolean) => (inside ? Math.round(fadeShare * shorter) : 0)
  return {
    scaled,
    left: Math.round((scaled.width - part.width) / 2),
    top: Math.round((scaled.height - part.height) * cutAbove),
    part,
    centre: { x: frame.width / 2, y: frame.height / 2 },
    fade: { x: fade(part.width < full.width), y: fade(part.height < full.height) },
  }
}

const even = (length: number) => Math.max(2, 2 * Math.round(length / 2))
