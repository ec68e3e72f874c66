/** The portrait that moves with the voice: its clip, its motion, pictures of every kind and aspect ratio. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import { restrictedInput } from '../../lib/ffmpeg/limits.ts'
import { listVideoPackets, probeMedia } from '../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { builtInAvatars, scaleToPixels } from '../../lib/providers/avatars/built-in.ts'
import type { AvatarInput } from '../../lib/providers/avatars/index.ts'
import { portraitLayout } from '../../lib/providers/avatars/layout.ts'
import { expressionsOf } from '../../lib/providers/avatars/mouth.ts'
import { poseReach, posesOf } from '../../lib/providers/avatars/poses.ts'
import { orientationOf } from '../../lib/providers/avatars/read-portrait.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { faceInPng } from '../../lib/providers/images/face.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import { speechWav } from '../support/picture-server.ts'
import { orderDepsFor, removeScratch } from '../support/provider-orders.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
afterEach(removeScratch)
const where = { directory, timeoutMs: 60_000, signal: new AbortController().signal }

const voice = parseWav(speechWav(3))
const silence = { sampleRate: 16_000, samples: new Int16Array(48_000) }

/** A picture from a drawing of ffmpeg's own. */
async function picture(file: string, source: string, ...filters: string[]): Promise<Buffer> {
  const drawn = ['-f', 'lavfi', '-i', source, ...(filters.length ? ['-vf', filters.join(',')] : []), '-frames:v', '1']
  const codec = ['-f', 'image2pipe', '-c:v', file.endsWith('png') ? 'png' : 'mjpeg']
  return (await runFfmpeg({ ...where, arguments: ['-v', 'error', ...drawn, ...codec, 'pipe:1'] })).output
}

const halves = 'color=c=red:s=200x300,drawbox=x=0:y=150:w=200:h=150:color=blue:t=fill'
/** The same halves, since not every ffmpeg writes WebP. */
const webp = Buffer.from(
  'UklGRlwAAABXRUJQVlA4IFAAAADQBACdASogADAAPpE6l0eloyIhMAgAsBIJQBnGqC/APxA0wH4q/iAAiLz1e+ZlQAD+7tMifyuFmVTvizdyafxy/R3c1rdP+Pjw+t7qT1AAAA==',
  'base64',
)
const speak = (portrait: Uint8Array, wish: Partial<AvatarInput> = {}) =>
  builtInAvatars.speak(
    { portrait, voice, durationMs: 1_000, width: 180, height: 320, ...wish },
    { ...orderDepsFor(), directory },
  )

/** The frames of a clip as RGB. */
async function framesOf(clip: Uint8Array): Promise<(frame: number, x: number, y: number) => number[]> {
  writeFileSync(join(directory, 'clip.mp4'), clip)
  const { video } = await probeMedia('clip.mp4', 'mov', where)
  const { width, height } = video!
  const decode = ['-vf', 'format=rgb24', '-f', 'rawvideo', 'pipe:1']
  const { output } = await runFfmpeg({
    ...where,
    arguments: ['-v', 'error', ...restrictedInput('clip.mp4', 'mov'), ...decode],
  })
  return (frame, x, y) => {
    const at = 3 * ((frame * height + Math.round(y * (height - 1))) * width + Math.round(x * (width - 1)))
    return [...output.subarray(at, at + 3)]
  }
}

describe('the mouth of a drawn person', () => {
  const portraitOf = async (keywords: string) => {
    const size = { width: 540, height: 960 }
    const input = { prompt: `portrait of ${keywords}`, keywords: [], mood: null, seed: 'v', ...size }
    return (await builtInImages.draw(input, where.signal)).bytes
  }
  const size = { width: 270, height: 480 }

  it('moves with the voice and rests in silence', () => {
    const shapesOf = (sound: typeof voice) => expressionsOf(sound, 90, 30).map(({ mouth }) => mouth)
    const spoken = shapesOf(voice)
    expect(new Set(spoken).size).toBeGreaterThan(1)
    expect(spoken.filter((mouth, frame) => mouth !== spoken[frame - 1]).length).toBeGreaterThan(8)
    expect(new Set(shapesOf(silence))).toEqual(new Set(['rest']))
  })

  it('closes the eyes for a moment every few seconds', () => {
    const closed = expressionsOf(silence, 600, 30).map(({ eyesClosed }) => eyesClosed)
    const blinks = closed.filter((isClosed, frame) => isClosed && !closed[frame - 1]).length
    expect(blinks).toBeGreaterThanOrEqual(4)
    expect(blinks).toBeLessThanOrEqual(9)
  })

  it('is found in the picture, and in no other file', async () => {
    const woman = await portraitOf('a woman')
    const face = faceInPng(woman)
    expect(face).toMatchObject({ x: 270, y: 403.2, size: 567 })
    expect(faceInPng(await picture('a.png', halves))).toBeUndefined()
    expect(faceInPng(Buffer.from(woman).subarray(0, 60))).toBeUndefined()
    const forged = Buffer.from(Buffer.from(woman).toString('latin1').replace('"skin":"#', '"skin":"<'), 'latin1')
    expect(faceInPng(forged)).toBeUndefined()
  })

  it('is drawn open and closed in the clip, where that of a photograph stands still', async () => {
    const portrait = await portraitOf('a man')
    const { y, size: unit } = faceInPng(portrait)!
    const clip = await framesOf((await speak(portrait, { durationMs: 3_000, ...size })).bytes)
    const mouthY = (y + 0.118 * unit) / 960
    const shades = new Set(Array.from({ length: 90 }, (_, frame) => Math.round(clip(frame, 0.5, mouthY)[1]! / 24)))
    expect(shades.size).toBeGreaterThan(1)
  })
})

describe('the moving portrait', () => {
  it.each([
    [1_000, 30],
    [1_016, 30],
    [1_017, 31],
    [10, 1],
  ])('lasts %i ms to the frame: %i frames, 30 a second, H.264, silent', async (durationMs, frames) => {
    const clip = await speak(await picture('a.png', halves), { durationMs })
    writeFileSync(join(directory, 'clip.mp4'), clip.bytes)
    const facts = await probeMedia('clip.mp4', 'mov', where)
    expect(facts.video).toMatchObject({ codec: 'h264', width: 180, height: 320, fps: 30, colours: 'bt709' })
    expect(facts.audio).toBeUndefined()
    expect((await listVideoPackets('clip.mp4', 'mov', where)).pts).toHaveLength(frames)
  })

  it.each([
    [{ width: 1080, height: 1920 }, 1080 * 1920, { width: 1080, height: 1920 }],
    [{ width: 1080, height: 1920 }, 1080 * 480, { width: 540, height: 960 }],
    [{ width: 180, height: 320 }, 6e9, { width: 180, height: 320 }],
  ])('shrinks a frame of %o that may have %i pixels to %o', (frame, pixels, expected) => {
    expect(scaleToPixels(frame, pixels)).toEqual(expected)
  })

  it('gives the same bytes for the same portrait and voice', async () => {
    const portrait = await picture('a.png', halves)
    expect(Buffer.from((await speak(portrait)).bytes).equals((await speak(portrait)).bytes)).toBe(true)
  })

  it.each(['a.png', 'a.jpg', 'a.webp'])('shows %s upright and in its colours', async (file) => {
    const portrait = file.endsWith('webp') ? webp : await picture(file, halves)
    const pixel = await framesOf((await speak(portrait)).bytes)
    expect(pixel(0, 0.5, 0.3)[0]).toBeGreaterThan(200)
    expect(pixel(0, 0.5, 0.3)[2]).toBeLessThan(60)
    expect(pixel(0, 0.5, 0.75)[2]).toBeGreaterThan(200)
  })

  it('fills the sides of a wide portrait with its own edges, and cutouts with a wall', async () => {
    const wide = await framesOf((await speak(await picture('a.png', 'color=c=0x3366cc:s=400x100'))).bytes)
    const [red, green, blue] = wide(0, 0.5, 0.1) as [number, number, number]
    expect(blue).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(red)
    const holed = await framesOf(
      (await speak(await picture('a.png', 'color=c=red:s=200x300,format=rgba,colorchannelmixer=aa=0'))).bytes,
    )
    const wall = holed(0, 0.5, 0.5)
    expect(Math.max(...wall) - Math.min(...wall)).toBeLessThan(40)
    expect(Math.min(...wall)).toBeGreaterThan(30)
  })

  it('turns a photograph according to its Exif orientation', async () => {
    const jpeg = await picture('a.jpg', 'color=c=red:s=300x200,drawbox=x=150:y=0:w=150:h=200:color=blue:t=fill')
    const turned = withOrientation(jpeg, 6)
    expect([orientationOf(jpeg), orientationOf(turned)]).toEqual([1, 6])
    const pixel = await framesOf((await speak(turned)).bytes)
    expect(pixel(0, 0.5, 0.2)[0]).toBeGreaterThan(200)
    expect(pixel(0, 0.5, 0.8)[2]).toBeGreaterThan(200)
  })

  it.each([
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a list of files', Buffer.from('#EXTM3U\nfile:///etc/passwd')],
    ['nothing', Buffer.alloc(0)],
    ['a sound', Buffer.from(speechWav(1))],
    ['a PNG that breaks off', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a JPEG that is none', Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), Buffer.alloc(5_000, 0xff)])],
  ])('rejects %s', async (_name, portrait) => {
    await expect(speak(portrait)).rejects.toThrow(ProviderRejected)
  })
})

/** The JPEG with an Exif part of one tag. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a0000000800010112000300000001000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const part = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.alloc(4)])
  const head = Buffer.from('ffd8ffe10000', 'hex')
  head.writeUInt16BE(part.length + 2, 4)
  return Buffer.concat([head, part, jpeg.subarray(2)])
}

describe('its motion', () => {
  it('is nearer and higher where the voice is loud than in the rests', () => {
    const poses = posesOf(voice, 90, 30)
    const [loud, rest] = [poses.slice(23, 30), poses.slice(13, 20)]
    const mean = (of: typeof poses, key: 'scale' | 'y') => of.reduce((sum, pose) => sum + pose[key], 0) / of.length
    expect(mean(loud, 'scale') - mean(rest, 'scale')).toBeGreaterThan(0.004)
    expect(mean(loud, 'y')).toBeLessThan(mean(rest, 'y'))
  })

  it('almost stops during silence, never jumps, and stays within its range', () => {
    const still = posesOf(silence, 90, 30)
    expect(Math.max(...still.map(({ y }) => Math.abs(y)))).toBeLessThan(0.002)
    for (const poses of [
      still,
      posesOf(voice, 90, 30),
      posesOf({ sampleRate: 16_000, samples: new Int16Array(0) }, 3, 30),
    ])
      for (const [frame, { scale, x, y, turn }] of poses.entries()) {
        const before = poses[frame - 1] ?? { scale, x, y, turn }
        expect(Math.abs(scale - before.scale)).toBeLessThan(0.015)
        expect(scale).toBeGreaterThanOrEqual(1)
        expect(Math.abs(x) + Math.abs(y) + Math.abs(turn)).toBeLessThan(poseReach)
      }
  })
})

describe('its layout', () => {
  it.each([
    ['a portrait of the shape of the frame covers it', { width: 900, height: 1600 }, { x: 0, y: 0 }],
    ['a square one fades out above and below', { width: 800, height: 800 }, { x: 0, y: 130 }],
    ['a tall one is cut, not faded', { width: 750, height: 1600 }, { x: 0, y: 0 }],
    ['a narrow one fades out at the sides', { width: 200, height: 1600 }, { x: 130, y: 0 }],
  ])('%s', (_name, portrait, fade) => {
    const { part, scaled, left, top, ...layout } = portraitLayout(portrait, { width: 1080, height: 1920 })
    expect(layout.fade).toEqual(fade)
    expect([part.width % 2, part.height % 2]).toEqual([0, 0])
    expect(left + part.width).toBeLessThanOrEqual(scaled.width)
    expect(top + part.height).toBeLessThanOrEqual(scaled.height)
    expect(scaled.width / scaled.height).toBeCloseTo(portrait.width / portrait.height, 1)
  })
})
