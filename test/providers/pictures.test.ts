import { describe, expect, it } from 'vitest'
import { builtInFootage } from '../../lib/providers/footage/built-in.ts'
import { renderFrames } from '../../lib/providers/footage/frames.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { layer } from '../../lib/providers/images/drawing.ts'
import { illustrationFor } from '../../lib/providers/images/illustration.ts'
import { temporaryDirectory, temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const wish = {
  prompt: 'A quiet morning',
  keywords: ['mountains'],
  mood: 'calm',
  width: 324,
  height: 576,
  seed: 'vid_1',
}
const keywords = [
  'mountains',
  'city',
  'ocean',
  'forest',
  'planet',
  'desk',
  'desert',
  'pattern',
  'music',
  'money',
  'farm',
  'road',
]
const sizeOf = (png: Uint8Array) => [Buffer.from(png).readUInt32BE(16), Buffer.from(png).readUInt32BE(20)]

describe('a drawn picture', () => {
  it('is deterministic to the byte for the same input and seed, and differs for another', async () => {
    const [one, same, otherSeed, otherPrompt] = await Promise.all([
      builtInImages.draw(wish),
      builtInImages.draw(wish),
      builtInImages.draw({ ...wish, seed: 'vid_2' }),
      builtInImages.draw({ ...wish, prompt: 'The next step' }),
    ])
    expect(Buffer.from(one.bytes).equals(Buffer.from(same.bytes))).toBe(true)
    for (const other of [otherSeed, otherPrompt])
      expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(false)
  })

  it.each([
    [324, 576],
    [576, 324],
    [400, 400],
    [400, 500],
  ])('has the requested size, in every scene: %i x %i', async (width, height) => {
    for (const keyword of keywords) {
      const { bytes, contentType } = await builtInImages.draw({ ...wish, keywords: [keyword], width, height })
      expect(contentType).toBe('image/png')
      expect(sizeOf(bytes)).toEqual([width, height])
    }
  })

  it('has a separate scene for each of twelve subjects', () => {
    expect(
      new Set(keywords.map((keyword) => illustrationFor({ ...wish, keywords: [keyword] }, 324, 576).name)).size,
    ).toBeGreaterThanOrEqual(10)
  })

  it('contains no invalid number', () => {
    for (const keyword of keywords) {
      for (const { markup } of illustrationFor({ ...wish, keywords: [keyword] }, 1296, 2304).layers)
        expect(markup).not.toMatch(/NaN|undefined|Infinity/)
    }
  })
})

describe('a generated clip', () => {
  const directory = temporaryDirectoryOfFile()
  const place = { directory, signal: new AbortController().signal, reserve: () => true }

  it('is an mp4 that is long enough and deterministic to the byte', async () => {
    const clipWish = { ...wish, durationMs: 1234 }
    const one = await builtInFootage.find(clipWish, place)
    const other = await builtInFootage.find(clipWish, {
      ...place,
      directory: temporaryDirectory(),
    })
    expect(Buffer.from(one.bytes).toString('latin1', 4, 8)).toBe('ftyp')
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true)
    expect(one).toMatchObject({ width: 324, height: 576 })
    expect(one.durationMs).toBeGreaterThanOrEqual(1234)
  })

  it('of a large size is made at 720 and keeps the aspect ratio', async () => {
    const clip = await builtInFootage.find({ ...wish, width: 1920, height: 1080, durationMs: 100 }, place)
    expect(clip).toMatchObject({ width: 1280, height: 720 })
  })

  it('moves evenly, by fractions of a pixel', async () => {
    // A white half plane that drifts by 0.3 pixels a frame: the light in the picture must grow by the same amount each time.
    const format = { width: 64, height: 8, frames: 31, fps: 30 }
    const drifting = layer('<rect x="32" y="-100" width="1000" height="300" fill="#ffffff"/>', (0.3 * 30) / 64)
    const lights: number[] = []
    for await (const frame of renderFrames(
      [layer('<rect x="-99" y="-99" width="999" height="999" fill="#000000"/>'), drifting],
      format,
    )) {
      lights.push(frame.subarray(0, 64 * 8).reduce((sum, value) => sum + value, 0) / 8)
    }
    const steps = lights.slice(1).map((light, index) => light - lights[index]!)
    for (const step of steps) expect(step / 219).toBeCloseTo(0.3, 1)
  })

  it('shows a static area up to its last corner', async () => {
    const shade =
      '<linearGradient id="a"><stop stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>'
    const drawing = layer(`<defs>${shade}</defs><rect width="64" height="8" fill="url(#a)"/>`)
    for await (const frame of renderFrames([drawing], { width: 64, height: 8, frames: 1, fps: 30 })) {
      const rows = Array.from({ length: 8 }, (_, row) => frame.subarray(64 * row, 64 * (row + 1)).toString())
      expect(rows).toEqual(rows.map(() => rows[0]))
    }
  })
})
