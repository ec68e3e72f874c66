import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type SpriteMaterial, spriteMaterialsFor } from '../../containers/media/render/sprites.ts'
import { createMotionKernel, type MotionKernel } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import { mipLevelFor } from '../../lib/motion/sprite-mipmap.ts'
import { planRender } from '../../lib/render/segments/render-plan.ts'
import { type Placement, placementAt, type Sprite } from '../../lib/render/sprite.ts'
import { composition, newRenderDirectory, planSprite, shot } from './compositions.ts'

const film = { width: 128, height: 96 }
const place = { directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal }
const svg = (body: string, width = 40, height = 40) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`
const disc = svg('<circle cx="20" cy="20" r="16" fill="#ffffff"/>')
const block = svg('<rect width="40" height="40" fill="#39E508"/>')

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

function sprite(changes: Partial<Sprite> = {}): Sprite {
  return {
    picture: { kind: 'drawing', svg: disc },
    ...{ width: 40, height: 40, fromMs: 0, toMs: 2000 },
    x: [[0, 64]],
    y: [[0, 48]],
    scale: [[0, 1]],
    opacity: [[0, 1]],
    ...changes,
  }
}

function materialOf(wanted: Sprite, files = new Map<string, string>()): Promise<SpriteMaterial> {
  return spriteMaterialsFor(files, place)(planSprite(wanted))
}

const grey = 126
/** A grey frame with the sprite over it; each call draws it at another position. */
async function stage(wanted: Sprite, files?: Map<string, string>) {
  const material = await materialOf(wanted, files)
  const kernel = await createMotionKernel(film, film, readKernel)
  const [loaded] = kernel.spriteBuffers([material])
  loaded!.bytes.set(readFileSync(join(place.directory, material.file)))
  return (placement: Partial<Placement>): Uint8Array => {
    const clean: MotionKernel['frame'] = kernel.frame
    clean.fill(grey, 0, film.width * film.height)
    clean.fill(128, film.width * film.height)
    kernel.drawSprite(loaded!, { ...placementAt(wanted, 0), ...placement })
    return kernel.frame
  }
}
const lumaAt = (frame: Uint8Array, x: number, y: number) => frame[y * film.width + x]!
const chromaAt = (frame: Uint8Array, plane: 0 | 1, x: number, y: number) => {
  const quarter = (film.width * film.height) / 4
  return frame[film.width * film.height + plane * quarter + (y >> 1) * (film.width / 2) + (x >> 1)]!
}

describe('a sprite over a frame', () => {
  it('has the requested colour in BT.709, and leaves everything next to it unchanged', async () => {
    const frame = (await stage(sprite({ picture: { kind: 'drawing', svg: block } })))({})
    // #39E508 by Rec. BT.709-6 in limited range.
    expect([lumaAt(frame, 64, 48), chromaAt(frame, 0, 64, 48), chromaAt(frame, 1, 64, 48)]).toEqual([168, 48, 61])
    for (let y = 0; y < film.height; y++) {
      for (let x = 0; x < film.width; x++) {
        const inside = x >= 44 && x < 84 && y >= 28 && y < 68
        expect(lumaAt(frame, x, y)).toBe(inside ? 168 : grey)
      }
    }
  })
  it('lets the frame through according to its transparency', async () => {
    const draw = await stage(sprite())
    for (const opacity of [0, 0.25, 0.5, 1]) {
      const expected = grey + (235 - grey) * opacity
      expect(Math.abs(lumaAt(draw({ opacity }), 64, 48) - expected)).toBeLessThanOrEqual(1)
    }
  })
  it('may extend beyond the frame on every side', async () => {
    const draw = await stage(sprite())
    for (const [x, y] of [
      [0, 48],
      [128, 48],
      [64, 0],
      [64, 96],
      [-300, 48],
      [64, 500],
    ] as const) {
      const frame = draw({ x, y })
      const touched = frame.subarray(0, film.width * film.height).filter((value) => value !== grey).length
      expect(touched > 0).toBe(x > -100 && y < 200)
    }
  })
  it('moves by fractions of a pixel: its centre is accurate to 0.02 px rms', async () => {
    const draw = await stage(sprite())
    const centre = (frame: Uint8Array) => {
      let [sum, weight] = [0, 0]
      for (let y = 0; y < film.height; y++) {
        for (let x = 0; x < film.width; x++) {
          const covered = lumaAt(frame, x, y) - grey
          sum += covered * (x + 0.5)
          weight += covered
        }
      }
      return sum / weight
    }
    const squares: number[] = []
    for (let step = 0; step < 60; step++)
      squares.push((centre(draw({ x: 60 + 0.037 * step })) - 60 - 0.037 * step) ** 2)
    expect(Math.sqrt(squares.reduce((a, b) => a + b) / squares.length)).toBeLessThan(0.02)
  })
  it('keeps its proportions at every scale down to a sixteenth', async () => {
    const shrinking = sprite({
      scale: [
        [0, 0.07],
        [500, 1.5],
      ],
    })
    const draw = await stage(shrinking)
    for (const scale of [0.1, 0.2, 0.34, 0.5, 0.71, 1, 1.5]) {
      const frame = draw({ scale })
      const covered = frame
        .subarray(0, film.width * film.height)
        .reduce((sum, value) => sum + (value - grey) / (235 - grey), 0)
      expect(covered / (Math.PI * (16 * scale) ** 2)).toBeCloseTo(1, 1)
    }
    expect(mipLevelFor(await materialOf(shrinking), { scale: 0.001 })).toBeUndefined()
  })
  it('is the same bytes with and without SIMD', async () => {
    const drawAll = async () => {
      const draw = await stage(sprite({ scale: [[0, 1.3]] }))
      return [
        { x: 63.37, y: 11.91, scale: 1.21, opacity: 0.63 },
        { x: 64, y: 48, scale: 1.3 },
        { x: 126.2, y: 95.5, scale: 0.9 },
      ].map((placement) => Buffer.from(draw(placement)))
    }
    const withSimd = await drawAll()
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    expect(await drawAll()).toEqual(withSimd)
  })
})

describe('the picture of a sprite', () => {
  it('may be a stored image with transparent parts, of any size', async () => {
    const path = join(newRenderDirectory(), 'logo.png')
    const half = '<rect width="1500" height="3000" fill="#ffffff"/>'
    writeFileSync(path, new Resvg(svg(half, 3000, 3000)).render().asPng())
    const files = new Map([['logo', path]])
    const frame = (await stage(sprite({ picture: { kind: 'image', key: 'logo' } }), files))({})
    expect(lumaAt(frame, 50, 48)).toBe(235)
    expect(lumaAt(frame, 78, 48)).toBe(grey)
  })
  it('is omitted if the image cannot be decoded', async () => {
    const path = join(newRenderDirectory(), 'broken.png')
    writeFileSync(path, new Resvg(disc).render().asPng().subarray(0, 60))
    const frame = (await stage(sprite({ picture: { kind: 'image', key: 'logo' } }), new Map([['logo', path]])))({})
    expect(new Set(frame.subarray(0, film.width * film.height))).toEqual(new Set([grey]))
  })
  it.each([
    ['hangs', '#!/bin/sh\nexec /bin/sleep 60\n', 'stalled'],
    ['is killed', '#!/bin/sh\nkill -9 $$\n', 'failed'],
    ['cannot be started', '#!/nowhere/sh\n', 'failed'],
  ])('is not omitted if ffmpeg %s: a retry may succeed', async (_, script, code) => {
    const path = join(newRenderDirectory(), 'logo.png')
    writeFileSync(path, new Resvg(disc).render().asPng())
    const ffmpeg = join(newRenderDirectory(), 'ffmpeg')
    writeFileSync(ffmpeg, script, { mode: 0o755 })
    vi.stubEnv('FFMPEG', ffmpeg)
    const logo = planSprite(sprite({ picture: { kind: 'image', key: 'logo' } }))
    const made = spriteMaterialsFor(new Map([['logo', path]]), { ...place, stallMs: 500 })(logo)
    await expect(made).rejects.toMatchObject({ name: 'RenderFailure', code })
  })
  it('is made once for all sprites that look the same', async () => {
    const [one, two] = [sprite(), sprite({ x: [[0, 20]] })]
    const materialOf = spriteMaterialsFor(new Map(), place)
    expect(await materialOf(planSprite(one))).toBe(await materialOf(planSprite(two)))
  })
})

describe('the plan of a video with sprites', () => {
  it('gives each segment the sprites that it shows, in drawing order', () => {
    const sprites = [
      sprite({ fromMs: 500, toMs: 1500 }),
      sprite({ fromMs: 0, toMs: 1000 }),
      sprite({ fromMs: 1001, toMs: 1010 }),
    ]
    const { segments } = planRender(composition({ sprites }))
    const shown = segments.map((segment) => segment.sprites.map(({ fromFrame, toFrame }) => [fromFrame, toFrame]))
    expect(shown).toEqual([
      [
        [15, 45],
        [0, 30],
      ],
      [[15, 45]],
    ])
  })
  it('does not fade if something else covers the transition', () => {
    const shots = [shot('red', 0, 1000), { ...shot('blue', 1000, 2000), enter: 'cut' as const }]
    const [first, second] = planRender(composition({ shots })).segments
    expect(second!.fade).toBeUndefined()
    expect(first!.layer.frames).toBe(30)
  })
})
