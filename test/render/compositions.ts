/** Small media and compositions for tests of the renderer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { installedAssets } from '../../containers/media/render/drawing-assets.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import type { Composition, Framing, Shot } from '../../lib/render/composition.ts'
import { createShaper } from '../../lib/render/drawing/shaping.ts'
import { captionFonts, type FontFile } from '../../lib/render/fonts.ts'
import { planRender } from '../../lib/render/segments/render-plan.ts'
import { encodeWav } from '../../lib/render/sound/wav.ts'
import type { PlannedSprite, Sprite } from '../../lib/render/sprite.ts'
import { type FontFace, parseFontFace } from '../../lib/render/truetype.ts'

const directoryOfProcess = mkdtempSync(join(tmpdir(), 'reelsmith-test-'))
process.once('exit', () => rmSync(directoryOfProcess, { recursive: true, force: true }))

/** Is removed when the process ends. */
export const newRenderDirectory = () => mkdtempSync(join(directoryOfProcess, 'render-'))

/** The faces for the captions of a theme, and those for the scripts of `text`. */
export const facesOf = (theme: ThemeConfig = {}, text = ''): FontFace[] => captionFonts(theme, text).map(faceOf)

export function faceOf({ file, name, shapedAs }: FontFile): FontFace {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(file))
  const shaper = shapedAs && createShaper((svg) => installedAssets.textToPaths(svg, { file, bytes }), shapedAs)
  return { ...parseFontFace(bytes, name), ...(shaper && { outline: shaper }) }
}

export const fullFrame: Framing = { scale: 1, x: 0.5, y: 0.5 }
export const zoomedFrame: Framing = { scale: 1.15, x: 0.5, y: 0.4 }

export function shot(key: string, startMs: number, endMs: number, kind: 'still' | 'clip' = 'still'): Shot {
  return { startMs, endMs, media: { kind, key }, motion: { from: fullFrame, to: zoomedFrame } }
}

/** A page of words spoken one after the other, each for `wordMs`. */
export function page(text: string, startMs = 0, wordMs = 300): Composition['pages'][number] {
  const words = text.split(' ').map((word, i) => ({
    punctuated_word: word,
    startMs: startMs + i * wordMs,
    endMs: startMs + (i + 1) * wordMs,
  }))
  return { startMs, endMs: startMs + words.length * wordMs, words }
}

export function composition(changes: Partial<Composition> = {}): Composition {
  return {
    width: 270,
    height: 480,
    fps: 30,
    durationMs: 2000,
    shots: [shot('red', 0, 1000), shot('blue', 1000, 2000)],
    narrationKey: 'narration',
    pages: [],
    theme: {},
    ...changes,
  }
}

/** The sprite as a video of 30 frames a second shows it; it must be visible in the first second. */
export const planSprite = (sprite: Sprite): PlannedSprite =>
  planRender(composition({ sprites: [sprite] })).segments[0]!.sprites[0]!

/** Syllables of a buzzing tone with pauses; its peaks are 17 dB above its loudness, as in speech. */
export function speechSamples(seconds: number, sampleRate: number, level = 0.1): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, i) => {
    const time = i / sampleRate
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 1.7 * time)) * (1 + 2 * ((time * 0.9) % 1))
    const buzz = [1, 2, 3, 4, 5, 6].reduce((sum, n) => sum + Math.sin(2 * Math.PI * 130 * n * time) / n, 0)
    return Math.round((32_767 * level * syllable * buzz) / 6)
  })
}

let media: Promise<Map<string, string>> | undefined

/**
 * Files by storage key: the stills `red`, `blue` and `picture`, the clips `clip` (1 s) and `wide` (25 fps), `narration`. Made once in a
 * process.
 */
export async function createTestMedia(): Promise<Map<string, string>> {
  media ??= encodeTestMedia()
  return new Map(await media)
}

async function encodeTestMedia(): Promise<Map<string, string>> {
  const directory = newRenderDirectory()
  const files = new Map<string, string>()
  const path = (key: string, extension: string) => {
    files.set(key, join(directory, `${key}.${extension}`))
    return files.get(key)!
  }
  const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="640">${body}</svg>`
  const plain = (colour: string) => svg(`<rect width="360" height="640" fill="${colour}"/>`)
  const rings = [...Array(12).keys()].map(
    (i) =>
      `<circle cx="180" cy="320" r="${20 + 25 * i}" fill="none" stroke="#${i % 2 ? 'f80' : '08f'}" stroke-width="9"/>`,
  )
  for (const [key, drawing] of [
    ['red', plain('#c02020')],
    ['blue', plain('#2020c0')],
    ['picture', svg(rings.join(''))],
  ] as const) {
    writeFileSync(path(key, 'png'), new Resvg(drawing).render().asPng())
  }
  writeFileSync(path('narration', 'wav'), encodeWav({ sampleRate: 22_050, samples: speechSamples(1.8, 22_050) }))
  const clip = (source: string, output: string) =>
    runFfmpeg({
      directory,
      timeoutMs: 60_000,
      arguments: ['-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', output],
    })
  await clip('testsrc=s=180x320:r=30:d=1', path('clip', 'mp4'))
  await clip('testsrc=s=320x180:r=25:d=3', path('wide', 'mp4'))
  return files
}
