/**
 * Layout of a portrait of any aspect ratio in a frame: cropped where little is lost, otherwise with soft edges on a
 * background.
 */
import type { Size } from '../../render/framing.ts'
import { poseReach } from './poses.ts'

/**
 * The portrait is scaled to `scaled`; its window of size `part` at `left`, `top` is shown, centred at `centre` in the
 * frame.
 */
export interface PortraitLayout {
  scaled: Size
  left: number
  top: number
  part: Size
  centre: { x: number; y: number }
  /** Pixels over which an edge inside the frame fades out; 0 where the portrait extends beyond the frame. */
  fade: { x: number; y: number }
}

/** Limit of the scale relative to a full fit: more would crop too much. */
const cropScaleMax = 1.3
const fadeShare = 0.12
/** Share of the vertical crop at the top: a face is in the upper part of a tall picture. */
const cropShareTop = 0.25

export function portraitLayout(portrait: Size, frame: Size): PortraitLayout {
  const shorter = Math.min(frame.width, frame.height)
  const room = 2 * poseReach * shorter
  const full = { width: even(frame.width + room), height: even(frame.height + room) }
  const fits = Math.min(frame.width / portrait.width, frame.height / portrait.height)
  const covers = Math.max(full.width / portrait.width, full.height / portrait.height)
  const scale = Math.min(covers, fits * cropScaleMax)
  const scaled = { width: even(portrait.width * scale), height: even(portrait.height * scale) }
  const part = { width: Math.min(scaled.width, full.width), height: Math.min(scaled.height, full.height) }
  const fade = (inside: boolean) => (inside ? Math.round(fadeShare * shorter) : 0)
  return {
    scaled,
    left: Math.round((scaled.width - part.width) / 2),
    top: Math.round((scaled.height - part.height) * cropShareTop),
    part,
    centre: { x: frame.width / 2, y: frame.height / 2 },
    fade: { x: fade(part.width < full.width), y: fade(part.height < full.height) },
  }
}

const even = (length: number) => Math.max(2, 2 * Math.round(length / 2))
