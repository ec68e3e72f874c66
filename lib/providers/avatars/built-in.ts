/**
 * Built-in avatars: the portrait moves with the voice on a blurred background. The mouth and the eyelids of a drawn person
 * move too; those of a photograph do not. Needs no key and no network.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../ffmpeg/run.ts'
import type { Size } from '../../render/framing.ts'
import { encodeRawArguments } from '../footage/built-in.ts'
import { layerPlanesOf } from '../footage/planes.ts'
import { type DrawnFace, faceInPng } from '../images/face.ts'
import type { OrderContext } from '../vendor-orders.ts'
import { drawTransformed, type InverseTransform } from './affine.ts'
import { portraitBackground } from './background.ts'
import type { Avatars } from './index.ts'
import { type PortraitLayout, portraitLayout } from './layout.ts'
import { type Expression, expressionsOf } from './mouth.ts'
import { type Pose, posesOf } from './poses.ts'
import { type Portrait, readPortrait } from './read-portrait.ts'
import { talkingFace } from './talking-face.ts'

const fps = 30
/** Drawing and encoding this many pixels takes one to three minutes. A longer clip gets smaller frames. */
const pixelsMax = 6e9

export const builtInAvatars: Avatars = {
  // Increment when the look or the motion changes: it is part of the artefact key.
  id: 'portrait-3',
  async speak({ portrait: bytes, voice, durationMs, ...size }, { directory, signal }) {
    const frames = Math.max(1, Math.round((durationMs * fps) / 1000))
    const frame = scaleToPixels(size, pixelsMax / frames)
    const portrait = await readPortrait(bytes, directory)
    const face = faceInPng(bytes)
    const speaking = face && { face, expressions: expressionsOf(voice, frames, fps) }
    const file = join(directory, 'speaking.mp4')
    await runFfmpeg({
      arguments: encodeRawArguments({ ...frame, frames, fps }, file),
      directory,
      input: framesOf(portrait, frame, posesOf(voice, frames, fps), speaking),
      timeoutMs: 30_000 + 5 * durationMs,
      signal,
    })
    return { bytes: await readFile(file), durationMs: Math.floor((frames * 1000) / fps), ...frame }
  },
}

/** The portrait in its rest pose as a JPEG of the frame's size: the input of vendors. Throws `PortraitRefused`. */
export async function portraitAsJpeg(
  portrait: Uint8Array,
  frame: Size,
  { directory, signal }: OrderContext,
): Promise<Uint8Array> {
  const rest: Pose = { scale: 1, x: 0, y: 0, turn: 0 }
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${frame.width}x${frame.height}`, '-i', 'pipe:0']
  const colours = 'scale=in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc,format=yuvj444p'
  const jpeg = ['-vf', colours, '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2', '-f', 'image2pipe']
  const { output } = await runFfmpeg({
    arguments: ['-v', 'error', ...raw, ...jpeg, 'pipe:1'],
    directory,
    input: framesOf(await readPortrait(portrait, directory), frame, [rest]),
    timeoutMs: 30_000,
    signal,
  })
  return output
}

/** The frame, scaled down to at most `pixels` pixels at the same aspect ratio. */
export function scaleToPixels({ width, height }: Size, pixels: number): Size {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)))
  const even = (length: number) => 2 * Math.round((length * scale) / 2)
  return { width: even(width), height: even(height) }
}

/** A drawn face, and its expression in each frame. */
interface Speaking {
  face: DrawnFace
  expressions: Expression[]
}

/** Yuv420p frames. All of them share one buffer: read a frame before requesting the next one. */
async function* framesOf(
  portrait: Portrait,
  frame: Size,
  poses: Pose[],
  speaking?: Speaking,
): AsyncGenerator<Uint8Array, void> {
  const layout = portraitLayout(portrait.size, frame)
  const rgba = await portrait.part(layout)
  const background = portraitBackground(rgba, layout, frame)
  fade(rgba, layout)
  const layer = layerPlanesOf(rgba, layout.part.width, layout.part.height, 'x')
  const { luma, chroma } = layer
  const show = speaking && (await talkingFace(speaking.face, portrait.size, layout, rgba, layer))
  const drawn = new Uint8Array(background.length)
  const pixels = frame.width * frame.height
  const half = { width: frame.width / 2, height: frame.height / 2 }
  for (const [index, pose] of poses.entries()) {
    show?.(speaking!.expressions[index]!)
    const inverse = inverseOf(pose, layout, Math.min(frame.width, frame.height))
    drawn.set(background)
    drawTransformed(luma, drawn.subarray(0, pixels), frame, inverse, 1)
    drawTransformed(chroma[0], drawn.subarray(pixels, pixels * 1.25), half, inverse, 2)
    drawTransformed(chroma[1], drawn.subarray(pixels * 1.25), half, inverse, 2)
    yield drawn
  }
}

/** Maps a point of the frame to the point of the portrait that is visible there. */
function inverseOf({ scale, x, y, turn }: Pose, { centre, part }: PortraitLayout, unit: number): InverseTransform {
  const [cos, sin] = [Math.cos(turn) / scale, Math.sin(turn) / scale]
  const [middleX, middleY] = [centre.x + x * unit, centre.y + y * unit]
  return {
    xx: cos,
    xy: sin,
    x: part.width / 2 - cos * middleX - sin * middleY,
    yx: -sin,
    yy: cos,
    y: part.height / 2 + sin * middleX - cos * middleY,
  }
}

/** Premultiplies the colours by their opacity, which fades to 0 at edges inside the frame. */
function fade(rgba: Uint8Array, { part: { width, height }, fade }: PortraitLayout): void {
  const ramp = (at: number, length: number, over: number) => {
    const part = over === 0 ? 1 : Math.min(1, (Math.min(at, length - 1 - at) + 0.5) / over)
    return part * part * (3 - 2 * part)
  }
  const columns = Float32Array.from({ length: width }, (_, x) => ramp(x, width, fade.x))
  for (let y = 0, at = 0; y < height; y++) {
    const row = ramp(y, height, fade.y)
    for (let x = 0; x < width; x++, at += 4) {
      const alpha = (rgba[at + 3]! / 255) * row * columns[x]!
      for (let channel = 0; channel < 3; channel++) rgba[at + channel] = Math.round(rgba[at + channel]! * alpha)
      rgba[at + 3] = Math.round(255 * alpha)
    }
  }
}
