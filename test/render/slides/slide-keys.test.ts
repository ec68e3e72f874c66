/** An edit of one slide renders only the segments that show it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { withSlideSprites } from '../../../lib/render/drawing/draw-sprites.ts'
import { loadTypefaces } from '../../../lib/render/drawing/load-fonts.ts'
import { rebaseSegment } from '../../../lib/render/segments/rebase-segment.ts'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { segmentKey } from '../../../lib/render/segments/segment-key.ts'
import { backgroundShots } from '../../../lib/render/slides/background-shots.ts'
import { drawSlides } from '../../../lib/render/slides/draw.ts'
import type { Slide } from '../../../lib/render/slides/slide.ts'
import type { Typeface } from '../../../lib/render/slides/typeset.ts'
import { composition } from '../compositions.ts'

const size = { width: 270, height: 480 }
const slide = (startMs: number, endMs: number, text: string, changes: Partial<Slide> = {}): Slide => ({
  ...{ startMs, endMs, template: 'heroTitle', tone: 'light', text, emphasis: '', captioned: false },
  ...{ content: {}, params: {}, direction: {}, anchors: [], words: [] },
  ...changes,
})
/** Ten slides of three seconds. */
function film(texts: Record<number, string> = {}, lastMs = 3000): Composition {
  const slides = Array.from({ length: 10 }, (_, i) =>
    slide(i * 3000, i === 9 ? 27_000 + lastMs : (i + 1) * 3000, texts[i] ?? `Slide ${i}`),
  )
  const shots = backgroundShots(slides, size, {})
  return composition({ ...size, durationMs: 27_000 + lastMs, slides, shots })
}
const logo = { logo: { key: 'logo', width: 100, height: 50 } }

const keysOf = (drawn: Composition) =>
  planRender(drawn).segments.map((segment) => segmentKey({ ...size, fps: 30 }, rebaseSegment(segment, 30), 'tools'))
/** How many segments of the second video the first one lacks. */
async function changed(before: Composition, after: Composition): Promise<number> {
  const known = new Set(keysOf(await withSlideSprites(before, installedAssets)))
  return keysOf(await withSlideSprites(after, installedAssets)).filter((key) => !known.has(key)).length
}

describe('the segments of slides', () => {
  it('keep their keys except for the edited slide and the transition into the next', async () => {
    expect(await changed(film(), film({ 3: 'Other 3' }))).toBe(3)
  })
  it('keep their keys if that slide is written in another script', async () => {
    expect(await changed(film(), film({ 3: 'Slide 漢 и עברית' }))).toBe(3)
  })
  it('keep their keys under a logo if the video becomes longer at its end', async () => {
    const [short, long] = [film(), film({}, 3500)]
    expect(await changed({ ...short, brand: logo }, { ...long, brand: logo })).toBe(await changed(short, long))
  })
  it('change with the bytes of a font, only where the font is used', async () => {
    const given = film({ 3: 'Slide 漢' })
    const typefaces = await loadTypefaces({}, 'Slide 漢', installedAssets)
    const newer = ({ files, ...rest }: Typeface): Typeface => ({
      ...rest,
      files: files.map((font) => (font.file.includes('NotoSansSC') ? { ...font, sha256: 'newer' } : font)),
    })
    const { display, text } = typefaces
    const { file, sha256 } = display.files[0]!
    const bytes = readFileSync(createRequire(import.meta.url).resolve(file))
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    const before = keysOf(drawSlides(given, typefaces))
    const after = keysOf(drawSlides(given, { display: newer(display), text: newer(text) }))
    expect(after.filter((key) => !before.includes(key))).toHaveLength(3)
  })
})

describe('a slide that slides in', () => {
  it('covers the one before until it rests, at any moment of the video', async () => {
    const drawnAt = (ms: number) => {
      const slides = [slide(0, ms, 'a'), slide(ms, ms + 3000, 'b', { tone: 'dark', direction: { enter: 'slide' } })]
      const shots = backgroundShots(slides, size, {})
      return drawSlides(composition({ ...size, durationMs: ms + 3000, slides, shots }), typefaces)
    }
    const typefaces = await loadTypefaces({}, 'ab', installedAssets)
    // At 1070, 1170 and so on the transition ends in the middle of a frame.
    for (let ms = 1000; ms < 3000; ms += 10) {
      const { segments } = planRender(drawnAt(ms))
      const rested = segments.filter(({ layer }) => layer.fromFrame > 0)[0]!.fromFrame
      const covered = segments.flatMap((segment) => {
        const ground = rebaseSegment(segment, 30).sprites.find(({ width }) => width === size.width)
        return ground ? [segment.fromFrame + ground.toFrame] : []
      })
      expect(Math.max(...covered), `${ms} ms`).toBe(rested)
    }
  })
})
