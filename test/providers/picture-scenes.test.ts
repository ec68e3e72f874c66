import { expect, it } from 'vitest'
import {
  type PictureFigure,
  type PictureScene,
  pictureGrounds,
  pictureLayouts,
} from '../../lib/domain/generation/picture-scene.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { paletteFor } from '../../lib/providers/images/palettes.ts'
import { counter } from '../../lib/providers/images/scene/cards.ts'
import { fittedSize, textWidth, wrapped } from '../../lib/providers/images/scene/lettering.ts'

const figures: PictureFigure[] = [
  { text: '$100', value: 100, label: 'today' },
  { text: '$761', value: 761, label: 'after 30 years' },
]
const sceneOf = (layout: PictureScene['layout'], ground: PictureScene['ground']): PictureScene => ({
  layout,
  ground,
  objects: ['rocket', 'rock', 'cloud-with-rain'],
  figures,
  text: 'Tallinn',
  place: { latitude: 59.4, longitude: 24.7 },
})
const draw = (scene: PictureScene, size = { width: 216, height: 384 }, seed = 'film') =>
  builtInImages.draw({ prompt: 'A rocket', keywords: [], mood: null, seed, ...size, scene })
const bytesOf = async (...input: Parameters<typeof draw>) =>
  Buffer.from((await draw(...input)).bytes).toString('base64')

it('draws every layout and every ground, each another picture, in every format', async () => {
  const sizes = [
    { width: 216, height: 384 },
    { width: 384, height: 216 },
    { width: 256, height: 256 },
  ]
  for (const size of sizes) {
    const layouts = pictureLayouts.map((layout) => sceneOf(layout, 'sea'))
    const grounds = pictureGrounds.map((ground) => sceneOf('hero', ground))
    const pictures = await Promise.all(
      [...layouts, ...grounds.filter(({ ground }) => ground !== 'sea')].map((scene) => bytesOf(scene, size)),
    )
    expect(new Set(pictures).size).toBe(pictures.length)
  }
})

it('draws the same scene alike for the same film, and another composition for another film', async () => {
  const scene = sceneOf('hero', 'room')
  expect(await bytesOf(scene)).toBe(await bytesOf(scene))
  expect(await bytesOf(scene, undefined, 'other')).not.toBe(await bytesOf(scene))
})

it('draws the ground where an object is unknown or none is given', async () => {
  const nothing = await bytesOf({ ...sceneOf('hero', 'field'), objects: [] })
  expect(await bytesOf({ ...sceneOf('hero', 'field'), objects: ['no-such-object'] })).toBe(nothing)
  for (const layout of pictureLayouts) await draw({ layout, ground: 'abstract', objects: [] })
})

it('draws lettering of any script, and text that looks like markup, as text', async () => {
  for (const text of ['東京タワー', 'दिल्ली', 'القاهرة', '<svg onload="x">', 'a & b', 'x'.repeat(300), ''])
    await draw({ ...sceneOf('quote', 'night'), text, figures: [{ text, value: 1, label: text }] })
})

it('fits lettering into its width', () => {
  for (const text of ['7', '4 billion', 'MMMMMMMMMM', 'a long label of several words'])
    expect(textWidth(text, fittedSize(text, 300, 80))).toBeLessThanOrEqual(300.001)
  for (const line of wrapped('That is one small step for a man, one giant leap for mankind', 40, 400))
    expect(textWidth(line, 40)).toBeLessThanOrEqual(400)
})

it('keeps the figure of a counter and its label narrow enough for a camera that moves closer and aside', () => {
  const canvas = {
    width: 1080,
    height: 1920,
    unit: 1080,
    palette: paletteFor(null, 0),
    random: () => 0.5,
    between: () => 0.5,
  }
  for (const text of ['384,000', '390 billion', '450 degrees', '1 in 10']) {
    const label = 'kilometres away from the surface of the Earth'
    const markup = counter(
      { layout: 'counter', ground: 'space', objects: [], figures: [{ text, value: 1, label }] },
      canvas,
    )
    const lines = [...markup.matchAll(/font-size="([\d.]+)"[^>]*>([^<]+)</g)]
    expect(lines.length).toBeGreaterThan(1)
    for (const [, size, line] of lines)
      expect(textWidth(line!, Number(size)), line).toBeLessThanOrEqual(1080 * 0.62 + 1)
  }
})
