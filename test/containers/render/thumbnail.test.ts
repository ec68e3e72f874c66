/** Thumbnails: the liveliest frame of the beginning of a video, with a large title in an uncovered place. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import { rasterise } from '../../../containers/media/render/rasterise.ts'
import { makeThumbnail, planThumbnail } from '../../../containers/media/render/thumbnail.ts'
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { loadFonts } from '../../../lib/render/drawing/load-fonts.ts'
import { captionFonts } from '../../../lib/render/fonts.ts'
import { scoreFrame } from '../../../lib/render/frame-score.ts'
import { backgroundShots } from '../../../lib/render/slides/background-shots.ts'
import { typefaceOf } from '../../../lib/render/slides/typefaces.ts'
import { thumbnailMoments } from '../../../lib/render/thumbnail-moments.ts'
import { drawTitle, thumbnailSize } from '../../../lib/render/thumbnail-title.ts'
import { slide } from '../../../scripts/pictures/slide-frames.ts'
import { composition, createTestMedia, newRenderDirectory, shot } from '../../render/compositions.ts'

const tall = { width: 1080, height: 1920 }
const shapes = [
  tall,
  { width: 1920, height: 1080 },
  { width: 1080, height: 1080 },
  { width: 1080, height: 1350 },
] as const

describe('the candidate moments', () => {
  it('are in the first third of the video: each still once, and clips after their start', () => {
    const shots = [shot('red', 0, 2_000), shot('clip', 2_000, 8_000, 'clip'), shot('blue', 8_000, 20_000)]
    const moments = thumbnailMoments(composition({ durationMs: 20_000, shots }))
    expect(moments).toEqual([
      { media: shots[0]!.media, clipMs: 0 },
      { media: shots[1]!.media, clipMs: 800 },
    ])
  })
  it('are different moments of the source if the video shows its source', () => {
    const shots = [{ ...shot('source', 0, 60_000, 'clip'), offsetMs: 0 }]
    const places = thumbnailMoments(composition({ durationMs: 60_000, shots })).map(({ clipMs }) => clipMs)
    expect(places).toHaveLength(3)
    expect(Math.max(...places)).toBeLessThan(20_000)
  })
  it('show the dark background of slides', () => {
    const slides = [slide('bulletList', 0, 4_000, {}), slide('quote', 4_000, 9_000, {})]
    const changes = { ...tall, durationMs: 9_000, slides, shots: backgroundShots(slides, tall, {}) }
    const [moment, ...others] = thumbnailMoments(composition(changes))
    expect(others).toEqual([])
    expect(moment!.media).toMatchObject({ kind: 'drawing' })
    expect(moment!.media).not.toEqual(changes.shots[0]!.media)
  })
})

describe('an appealing picture', () => {
  const size = { width: 120, height: 120 }
  const painted = (paint: (x: number, y: number) => number[]) => ({
    ...size,
    pixels: Uint8Array.from({ length: 3 * size.width * size.height }, (_, i) => {
      const pixel = Math.floor(i / 3)
      return paint(pixel % size.width, Math.floor(pixel / size.width))[i % 3]!
    }),
  })
  it('has colours and shapes; a plain one ranks lower, black and white lowest', () => {
    const lively = painted((x, y) => [(2 * x) % 256, (3 * y) % 256, x > 60 ? 200 : 40])
    const plain = painted(() => [90, 120, 150])
    const night = painted((x) => [x % 12, x % 12, x % 12])
    const fog = painted(() => [252, 252, 252])
    const [best, good, ...bad] = [lively, plain, night, fog].map(scoreFrame)
    expect(best).toBeGreaterThan(good!)
    expect(Math.max(...bad)).toBeLessThan(good!)
  })
})

describe('the title', () => {
  const theme: ThemeConfig = { captionsPrimaryColor: '#39e508' }
  async function drawn(title: string, film: { width: number; height: number }, changes = {}, isPresented = false) {
    const size = thumbnailSize(film)
    const fonts = captionFonts({ ...theme, ...changes }, title)
    return {
      size,
      drawing: drawTitle(
        title,
        { ...theme, ...changes },
        typefaceOf(fonts, await loadFonts(fonts, installedAssets)),
        size,
        isPresented,
      ),
    }
  }
  /** The box of all pixels in the colour of letters or of their keyword. */
  async function ink(title: string, film: { width: number; height: number }, isPresented = false) {
    const { size, drawing } = await drawn(title, film, {}, isPresented)
    const { pixels } = await rasterise(drawing, 1)
    const box = { left: size.width, right: 0, top: size.height, bottom: 0, count: 0 }
    for (let i = 0; i < pixels.length; i += 4) {
      if (pixels[i + 3] !== 255 || pixels[i + 1]! < 200) continue
      const [x, y] = [(i / 4) % size.width, Math.floor(i / 4 / size.width)]
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
      box.count++
    }
    return { ...box, size }
  }
  const titles = [
    'Go',
    'Three small habits that make mornings calm',
    'A title that goes on and on, about everything that anybody could ever want to know, and then some more '.repeat(3),
    'Donaudampfschifffahrtsgesellschaftskapitän',
    'صباح هادئ يبدأ بعادات صغيرة',
    '三个让早晨平静的小习惯',
  ]
  it.each(shapes.flatMap((film) => titles.map((title) => [film, title] as const)))(
    'stands inside the margins of %o: %s',
    async (film, title) => {
      const { left, right, top, bottom, count, size } = await ink(title, film)
      expect(count).toBeGreaterThan(1_000)
      expect(left).toBeGreaterThan(0.03 * size.width)
      expect(right).toBeLessThan(0.97 * size.width)
      expect(top).toBeGreaterThan(0.2 * size.height)
      // Below this line apps show their own text over a portrait video.
      expect(bottom).toBeLessThan((film === tall ? 0.85 : 0.94) * size.height)
    },
  )
  it.each(shapes)('leaves a face uncovered in %o', async (film) => {
    const { top, size } = await ink('Why I started running at forty, and never stopped again', film, true)
    expect(top).toBeGreaterThan(0.55 * size.height)
  })

  it('starts on the left, or on the right in right-to-left scripts', async () => {
    const [english, hebrew] = [await ink('Calm', tall), await ink('בוקר', tall)]
    expect(english.left).toBeLessThan(0.12 * english.size.width)
    expect(hebrew.right).toBeGreaterThan(0.88 * hebrew.size.width)
  })
  it('has the family, the letters and the colours of the captions', async () => {
    const changes = { captionsFontFamily: 'Anton', captionsTextTransform: 'none', captionsSecondaryColor: '#fedcba' }
    const { drawing } = await drawn('Why cats jump', tall, changes)
    expect(drawing.svg).toMatch(/Anton/)
    expect(drawing.svg).toMatch(/#fedcba">Why/)
    expect(drawing.svg).toMatch(/#39e508">(cats|jump)/)
    expect((await drawn('Why cats jump', tall)).drawing.svg).toMatch(/>WHY</)
  })
  it('has white shading if the letters are dark', async () => {
    expect((await drawn('Calm', tall)).drawing.svg).toMatch(/stop-color="#000000"/)
    expect((await drawn('Calm', tall, { captionsSecondaryColor: '#101010' })).drawing.svg).toMatch(
      /stop-color="#ffffff"/,
    )
  })
  it('leaves the picture unchanged if it is empty', async () => {
    expect((await drawn('  ', tall)).drawing.svg).not.toMatch(/<rect|<text/)
  })
})

describe('a thumbnail', () => {
  let files: Map<string, string>
  beforeAll(async () => {
    files = await createTestMedia()
    const black = new Resvg(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="160"><rect width="90" height="160"/></svg>',
    )
    const path = join(newRenderDirectory(), 'black.png')
    writeFileSync(path, black.render().asPng())
    files.set('black', path)
  })
  async function make(changes: Parameters<typeof composition>[0]) {
    const place = { directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal }
    await makeThumbnail(await planThumbnail(composition(changes), 'encoder'), place, { files })
    return join(place.directory, 'thumbnail.jpg')
  }
  async function pixelAt(path: string, x: number, y: number) {
    const raw = ['-vf', `crop=2:2:${x}:${y},format=rgb24`, '-f', 'rawvideo', 'pipe:1']
    const run = { directory: newRenderDirectory(), timeoutMs: 60_000, arguments: ['-v', 'error', '-i', path, ...raw] }
    return [...(await runFfmpeg(run)).output.subarray(0, 3)]
  }

  it('skips a black beginning', async () => {
    const shots = [shot('black', 0, 2_000), shot('red', 2_000, 20_000)]
    const [red, green] = await pixelAt(await make({ durationMs: 20_000, shots, title: 'A title' }), 360, 60)
    expect(Math.abs(red! - 0xc0)).toBeLessThan(8)
    expect(green).toBeLessThan(0x40)
  })
  it('shows a clip, also one that is over before the requested moment', async () => {
    const shots = [{ ...shot('clip', 0, 30_000, 'clip'), offsetMs: 5_000 }]
    const path = await make({ durationMs: 30_000, shots })
    expect(Math.max(...(await pixelAt(path, 360, 60)))).toBeGreaterThan(40)
  })
  it('is the same bytes every time', async () => {
    const changes = { shots: [shot('picture', 0, 2_000)], title: 'The same' }
    expect(readFileSync(await make(changes)).equals(readFileSync(await make(changes)))).toBe(true)
  })
})
