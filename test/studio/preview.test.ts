/** The preview of the studio against the renderer: a real Chromium draws the same frames. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { templates } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import type { Composition, ShotMedia } from '../../lib/render/composition.ts'
import { backgroundShots } from '../../lib/render/slides/background-shots.ts'
import { slideEntrances } from '../../lib/render/slides/slide.ts'
import { presentationDefaults } from '../../lib/render/slides/slides-from-scenes.ts'
import { slide } from '../../scripts/pictures/slide-frames.ts'
import {
  composition,
  createTestMedia,
  fullFrame,
  newRenderDirectory,
  page,
  zoomedFrame,
} from '../render/compositions.ts'
import { chromiumPath, openPreviewPage, type PreviewPage, skipped } from './preview-browser.ts'
import { psnr } from './psnr.ts'
import { rendererFrames } from './renderer-frames.ts'

let media: Map<string, string>
let preview: PreviewPage
beforeAll(async () => {
  if (!chromiumPath) return
  media = new Map([...(await createTestMedia()), ...(await createPhotos())])
  preview = await openPreviewPage(media)
})
afterAll(() => preview?.close())

/** A drawing with soft and sharp edges, larger than the frame, as PNG and as JPEG. */
async function createPhotos(): Promise<[name: string, path: string][]> {
  const circles = Array.from({ length: 30 }, (_, i) => {
    const place = `cx="${(i * 97) % 720}" cy="${(i * 211) % 1280}" r="${20 + 7 * i}"`
    return `<circle ${place} fill="hsl(${i * 47} 60% 50%)" fill-opacity=".6"/>`
  })
  const sky =
    '<linearGradient id="g" x2="1" y2="1"><stop stop-color="#123"/><stop offset="1" stop-color="#fc8"/></linearGradient>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="1280">${sky}<rect width="720" height="1280" fill="url(#g)"/>${circles.join('')}</svg>`
  const { directory, ...limits } = context()
  const path = (name: string) => join(directory, name)
  writeFileSync(path('photo.png'), new Resvg(svg).render().asPng())
  const jpeg = ['-v', 'error', '-i', 'photo.png', '-q:v', '2', '-pix_fmt', 'yuvj420p', 'photo.jpg']
  await runFfmpeg({ ...limits, directory, arguments: jpeg })
  return ['photo.png', 'photo.jpg'].map((name) => [name, path(name)])
}

const context = () => ({ directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal })

/** The frames of the browser and those of the renderer. */
async function bothFrames(
  shown: Composition,
  numbers: number[],
): Promise<[browser: Uint8Array, renderer: Uint8Array][]> {
  const files = new Map([...media].map(([name, path]) => [preview.mediaUrl(name), path]))
  const ours = await rendererFrames(shown, numbers, files, context())
  const theirs: string[] = await preview.page.evaluate(
    ([composition, frames]) =>
      (globalThis as unknown as { drawFrames(...args: unknown[]): Promise<string[]> }).drawFrames(composition, frames),
    [shown, numbers] as const,
  )
  return theirs.map((frame, index) => [Buffer.from(frame, 'base64'), ours[index]!])
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function expectSameBytes(shown: Composition, numbers: number[]) {
  for (const [index, [browser, renderer]] of (await bothFrames(shown, numbers)).entries())
    expect(sha256(browser), `frame ${numbers[index]}`).toBe(sha256(renderer))
}

async function leastPsnr(shown: Composition, numbers: number[]): Promise<number> {
  return Math.min(...(await bothFrames(shown, numbers)).map(([browser, renderer]) => psnr(browser, renderer)))
}

const drawing: ShotMedia = {
  kind: 'drawing',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="270" height="480"><rect width="270" height="480" fill="#345"/><circle cx="135" cy="200" r="90" fill="#e94"/></svg>',
}
const shots = (...shown: ShotMedia[]) =>
  shown.map((media, index) => ({
    ...{ startMs: index * 1_000, endMs: (index + 1) * 1_000, media },
    motion: { from: fullFrame, to: zoomedFrame },
  }))

const scripts = {
  Latin: 'Déjà vu, señor Öztürk',
  Greek: 'Καλημέρα κόσμε σήμερα',
  Arabic: 'مرحبا بكم في العالم',
  Hebrew: 'שלום עולם יקר',
  Hindi: 'नमस्ते क्षत्रिय हिन्दी',
  Thai: 'สวัสดี ชาวโลก วันนี้',
  Chinese: '今天我们 一起去 北京。',
  Japanese: '今日は とても いい天気',
  Korean: '오늘은 날씨가 좋다',
}
const themes: Record<string, ThemeConfig> = {
  defaults: {},
  karaoke: { captionsWordEffects: 'karaokeWord', captionsFontFamily: 'Anton', captionsAnimation: 'popIn' },
  typed: { captionsAnimation: 'typewriter', captionsShadowColor: '#000000', captionsTextTransform: 'capitalize' },
  highlighted: {
    captionsWordEffects: 'highlightWord',
    captionsHighlightBackground: '#7c3aed',
    layoutMode: 'single-line',
  },
  scaled: { captionsWordEffects: 'scaleWord', captionsAnimation: 'scaleIn', captionsFontFamily: 'Playfair Display' },
  'word by word': { layoutMode: 'word', captionsLetterSpacing: 12, captionsFontFamily: 'Luckiest Guy' },
}
/** The first, some that move, the middle of the fade, and the last. */
const moments = [0, 4, 11, 20, 33, 38, 59]

describe.skipIf(!chromiumPath)(`the preview draws the bytes of the renderer${skipped}`, () => {
  it.each(Object.entries(scripts))('in %s, with an emoji and a hook', async (_name, text) => {
    const pages = [{ ...page(text), emoji: '🔥' }, page(text, 1_200)]
    await expectSameBytes(composition({ shots: shots(drawing, drawing), pages, hook: text }), moments)
  })

  it.each(Object.entries(themes))('in the theme %s', async (_name, theme) => {
    await expectSameBytes(
      composition({
        shots: shots(drawing, drawing),
        pages: [page('the golden hour'), page('begins now', 1_000)],
        theme,
      }),
      moments,
    )
  })

  it('in slides of every template and entrance', async () => {
    const words = 'Walk home before 90 percent of it is gone'.split(' ').map((text, i) => ({ text, startMs: 200 * i }))
    const slides = templates.map((template, index) =>
      slide(template, index * 1_000, (index + 1) * 1_000, {
        ...{ text: 'Walk home before 90 percent of it is gone', emphasis: 'home', words },
        content: {
          title: 'Walk home',
          items: ['One', 'Two'],
          value: '90 %',
          left: { title: 'A' },
          right: { title: 'B' },
        },
        direction: { enter: slideEntrances[index % slideEntrances.length] },
      }),
    )
    const size = { width: 270, height: 480 }
    const theme = { ...presentationDefaults, presentationBackground: 'paper' }
    const shown = { ...size, durationMs: 9_000, theme, slides, shots: backgroundShots(slides, size, theme) }
    const numbers = slides.flatMap((_, index) => [30 * index + 3, 30 * index + 24])
    await expectSameBytes(composition({ ...shown, pages: [page('walk home now', 500)] }), numbers)
  })
})

describe.skipIf(!chromiumPath)(`the preview is close to the renderer${skipped}`, () => {
  const still = (name: string): ShotMedia => ({ kind: 'still', key: preview.mediaUrl(name) })
  const clip = (name: string): ShotMedia => ({ kind: 'clip', key: preview.mediaUrl(name) })

  it('in stills, at least 50 dB, also while they fade', async () => {
    expect(
      await leastPsnr(composition({ shots: shots(still('photo.png'), still('photo.jpg')) }), moments),
    ).toBeGreaterThan(50)
  })

  it('in clips, at least 40 dB, looped and out of order', async () => {
    const shown = composition({ shots: shots(clip('clip'), clip('wide')) })
    expect(await leastPsnr(shown, [0, 1, 2, 29, 31, 40, 59, 5, 58])).toBeGreaterThan(40)
  })

  it('in clips that are shown whole before a blurred copy, at least 40 dB', async () => {
    const [first] = shots(clip('wide'))
    const shown = composition({ durationMs: 1_000, shots: [{ ...first!, fit: 'whole' }] })
    expect(await leastPsnr(shown, [0, 10, 29])).toBeGreaterThan(40)
  })
})
