/**
 * Golden images of drawn captions, each reviewed by a person. They are compared in blocks of four pixels, as the eye
 * does. `UPDATE_GOLDEN=1 vitest run test/render/captions/frames.test.ts` redraws them.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import { placeWords } from '../../../lib/render/captions/layout.ts'
import { captionStyle } from '../../../lib/render/captions/style.ts'
import { captionFrames, type RgbFrame } from '../../../scripts/pictures/caption-frames.ts'
import { cropRows, readPicture, writePicture } from '../../../scripts/pictures/contact-sheet.ts'
import { facesOf, page } from '../compositions.ts'

const size = { width: 270, height: 480 }
const golden = fileURLToPath(new URL('golden/', import.meta.url))

/** Text, theme and moment of each picture. */
const pictures: Record<string, [string, ThemeConfig, number]> = {
  'the-defaults': ['the golden hour', {}, 700],
  'a-page-that-pops-in': ['the golden hour', { captionsAnimation: 'popIn' }, 100],
  'half-of-a-word-sung': ['golden hour', { captionsWordEffects: 'karaokeWord' }, 150],
  'a-word-that-is-typed': ['golden hour', { captionsAnimation: 'typewriter' }, 110],
  'a-highlighted-word': ['the golden hour', { captionsHighlightBackground: '#7c3aed' }, 500],
  'a-keyword-with-a-shadow': [
    'the golden hour',
    {
      captionsAccentColor: 'gold',
      captionsShadowColor: '#000000',
      captionsTextStroke: 0,
      captionsFirstWordColor: 'cyan',
    },
    800,
  ],
  'letters-apart': ['golden hour', { captionsLetterSpacing: 20, captionsFontFamily: 'Anton' }, 500],
  arabic: ['مرحبا بكم في العالم', { captionsWordEffects: 'karaokeWord' }, 450],
  hindi: ['नमस्ते क्षत्रिय हिन्दी', {}, 500],
  chinese: ['今天我们一起去北京。', {}, 250],
}

/** Mean and largest difference of blocks, 0 to 255. */
function distance(a: RgbFrame, b: RgbFrame): { mean: number; largest: number } {
  const block = 4
  const meanOf = ({ width, pixels }: RgbFrame, x: number, y: number, channel: number) => {
    let sum = 0
    for (let dy = 0; dy < block; dy++)
      for (let dx = 0; dx < block; dx++) sum += pixels[3 * ((y + dy) * width + x + dx) + channel]!
    return sum / block ** 2
  }
  const differences: number[] = []
  for (let y = 0; y + block <= a.height; y += block)
    for (let x = 0; x + block <= a.width; x += block)
      for (const channel of [0, 1, 2]) differences.push(Math.abs(meanOf(a, x, y, channel) - meanOf(b, x, y, channel)))
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    largest: Math.max(...differences),
  }
}

const drawn = async (text: string, theme: ThemeConfig, ms: number): Promise<RgbFrame> => {
  const [frame] = await captionFrames({ size, theme, pages: [page(text)], backdrop: 'grey' }, [ms])
  return cropRows(frame!, 0.6, 0.8)
}

describe('captions match their golden images', () => {
  it.each(Object.entries(pictures))('%s', async (name, [text, theme, ms]) => {
    const frame = await drawn(text, theme, ms)
    if (process.env.UPDATE_GOLDEN) {
      mkdirSync(golden, { recursive: true })
      await writePicture(frame, `${golden}${name}.png`)
    }
    const { mean, largest } = distance(frame, await readPicture(`${golden}${name}.png`, frame))
    expect(mean).toBeLessThan(2)
    expect(largest).toBeLessThan(48)
  })

  it('a picture of anything else does not match', async () => {
    const approved = await readPicture(`${golden}the-defaults.png`, { width: 270, height: 96 })
    const { mean } = distance(await drawn('the golden hour', { captionsPrimaryColor: 'red' }, 700), approved)
    expect(mean).toBeGreaterThan(2)
  })
})

describe('a word', () => {
  it('has the colour of the spoken one within a frame of its time', async () => {
    const starts = [0, 317, 655, 1010]
    const words = ['one', 'two', 'six', 'ten'].map((word, i) => ({
      punctuated_word: word,
      startMs: starts[i]!,
      endMs: starts[i + 1] ?? 1400,
    }))
    const pages = [{ startMs: 0, endMs: 1400, words }]
    const theme: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: '', layoutMode: 'single-line' }
    const frameMs = 1000 / 30
    const moments = Array.from({ length: 42 }, (_, frame) => (frame + 0.5) * frameMs)
    const frames = await captionFrames({ size, theme, pages, backdrop: 'grey' }, moments)
    const placed = placeWords(pages[0]!, captionStyle(theme, size), facesOf(theme))
    const isSpoken = ({ pixels }: RgbFrame, x: number) =>
      [...Array(size.height).keys()].some((y) => {
        const [red, green, blue] = pixels.subarray(3 * (y * size.width + x))
        return green! > 160 && red! < 130 && blue! < 90
      })
    for (const { x, width, startMs } of placed) {
      const columns = Array.from({ length: Math.floor(width) }, (_, i) => Math.round(x - width / 2) + i)
      const first = frames.findIndex((frame) => columns.some((column) => isSpoken(frame, column)))
      expect(Math.abs(first * frameMs - startMs)).toBeLessThanOrEqual(frameMs)
    }
  })
})

describe('everything stays inside the frame', () => {
  const text = 'Ångström gypsies incomprehensibly jump'
  const extremes: ThemeConfig[] = [0, 100].flatMap((captionsVerticalPosition) =>
    [
      { captionsFontSize: 200, captionsTextStroke: 40, captionsLetterSpacing: 50, captionsWordEffects: 'popWord' },
      { captionsFontSize: 200, captionsTextStroke: 0, captionsLetterSpacing: -20, captionsAnimation: 'popIn' },
      { captionsFontSize: 60, captionsAnimation: 'slideUp' },
      { captionsFontSize: 12, captionsTextStroke: 40, captionsLetterSpacing: 50, layoutMode: 'single-line' },
      { captionsFontSize: 200, captionsHighlightBackground: 'white', layoutMode: 'word', captionsActiveWordStroke: 40 },
    ].map((theme) => ({ captionsAnimation: 'none', captionsVerticalPosition, ...theme }) as ThemeConfig),
  )

  it.each(extremes)('%j', async (theme) => {
    const moments = Array.from({ length: 23 }, (_, i) => 50 * (i + 1))
    const frames = await captionFrames({ size, theme, pages: [page(text)], backdrop: 'grey' }, moments)
    const [{ pixels: empty }] = (await captionFrames({ size, theme, pages: [], backdrop: 'grey' }, [0])) as [RgbFrame]
    const inked = (frame: RgbFrame, index: number) => Math.abs(frame.pixels[index]! - empty[index]!) > 8
    const isEdge = (pixel: number) => {
      const [x, y] = [pixel % size.width, Math.floor(pixel / size.width)]
      return x === 0 || y === 0 || x === size.width - 1 || y === size.height - 1
    }
    for (const frame of frames) {
      const ink = [...Array(size.width * size.height).keys()].filter((pixel) => inked(frame, 3 * pixel))
      expect(ink.length).toBeGreaterThan(20)
      expect(ink.filter(isEdge)).toEqual([])
    }
  })
})
