/**
 * The reference videos of benches: eight stills with the detail of photographs, slow moves, crossfades, a page of
 * captions every 0.9 s and a voice. Generated from fixed seeds, so that every machine renders the same input.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { encodeClipArguments } from '../../lib/providers/footage/built-in.ts'
import type { Composition, CompositionPage, Framing, Shot } from '../../lib/render/composition.ts'
import { encodeWav } from '../../lib/render/sound/wav.ts'

const referenceSize = { width: 1080, height: 1920 }
const fps = 30
const stills = 8
const secondsOfShot = 3.75
const pageMs = 900
const text =
  'Own the first hour of your day and the rest will follow. Put the phone away, step outside and let the light reach your eyes. ' +
  'Walk for ten minutes without a goal. Then sit down, write three lines about what matters, and begin with the hardest one.'

/** `seconds` is a multiple of 3.75. Shows stills or clips. */
export function referenceComposition(seconds: number, kind: 'still' | 'clip' = 'still'): Composition {
  const shots = Array.from({ length: seconds / secondsOfShot }, (_, i): Shot => {
    const startMs = i * secondsOfShot * 1000
    return {
      startMs,
      endMs: startMs + secondsOfShot * 1000,
      media: { kind, key: `${kind}-${i % stills}` },
      motion: i % 2 === 0 ? { from: whole, to: near(i) } : { from: near(i), to: whole },
    }
  })
  return {
    ...referenceSize,
    fps,
    durationMs: seconds * 1000,
    shots,
    narrationKey: `voice-${seconds}`,
    pages: pagesOf(seconds),
    theme: {
      captionsAnimation: 'fadeInSlideUp',
      captionsWordEffects: 'bounceWord',
      captionsTextTransform: 'uppercase',
      captionsFontFamily: 'Anton',
      captionsFontSize: 72,
      captionsTextStroke: 10,
      captionsVerticalPosition: 70,
    },
  }
}

const whole: Framing = { scale: 1, x: 0.5, y: 0.5 }
const near = (index: number): Framing => ({ scale: 1.15, x: 0.3 + 0.05 * (index % 8), y: 0.7 - 0.05 * (index % 8) })

function pagesOf(seconds: number): CompositionPage[] {
  const words = text.split(' ')
  return Array.from({ length: Math.floor((seconds * 1000) / pageMs) }, (_, index) => {
    const startMs = index * pageMs
    const spoken = [0, 1, 2].map((word) => ({
      punctuated_word: words[(3 * index + word) % words.length]!,
      startMs: startMs + word * 290,
      endMs: startMs + (word + 1) * 290,
    }))
    return { startMs, endMs: startMs + pageMs, words: spoken }
  })
}

/** The same composition with another word on the page at this time. */
export function withEditedWord(composition: Composition, ms: number): Composition {
  const index = composition.pages.findIndex(({ startMs, endMs }) => startMs <= ms && ms < endMs)
  const page = composition.pages[index]!
  const words = page.words.with(1, { ...page.words[1]!, punctuated_word: 'EDITED' })
  return { ...composition, pages: composition.pages.with(index, { ...page, words }) }
}

/** Creates the media files of reference videos with these lengths in seconds. Returns paths by key. */
export async function createReferenceMedia(
  directory: string,
  lengths: readonly number[],
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (let seed = 0; seed < stills; seed++) {
    const [raw, file] = [join(directory, 'still.rgb'), join(directory, `still-${seed}.jpg`)]
    writeFileSync(raw, picture(seed))
    const input = [
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      '-s',
      `${referenceSize.width}x${referenceSize.height}`,
      '-i',
      raw,
    ]
    await runFfmpeg({ directory, timeoutMs: 60_000, arguments: ['-v', 'error', ...input, '-q:v', '2', '-y', file] })
    files[`still-${seed}`] = file
  }
  for (const seconds of lengths) {
    files[`voice-${seconds}`] = join(directory, `voice-${seconds}.wav`)
    writeFileSync(files[`voice-${seconds}`]!, encodeWav({ sampleRate: 22_050, samples: voice(seconds, 22_050) }))
  }
  return files
}

/**
 * Creates a clip of each reference still, over which a camera moves at the frame rate and size of the render; longer than
 * its shot. Returns paths by key.
 */
export async function createReferenceClips(
  directory: string,
  files: Record<string, string>,
): Promise<Record<string, string>> {
  const clips: Record<string, string> = {}
  const { width, height } = referenceSize
  const filter = `scale=${1.3 * width}:${1.3 * height}:flags=bicubic,crop=${width}:${height}:2*n:3*n,format=yuv420p`
  for (let seed = 0; seed < stills; seed++) {
    const key = `clip-${seed}`
    clips[key] = join(directory, `${key}.mp4`)
    const input = ['-loop', '1', '-framerate', String(fps), '-t', String(secondsOfShot + 0.5)]
    const encode = ['-vf', filter, ...encodeClipArguments(clips[key])]
    const arguments_ = ['-v', 'error', ...input, '-i', files[`still-${seed}`]!, ...encode]
    await runFfmpeg({ directory, timeoutMs: 120_000, arguments: arguments_ })
  }
  return clips
}

/** Fractal noise: like photographs, it has about the same contrast at every scale. */
function picture(seed: number): Uint8Array {
  const light = new Float32Array(referenceSize.width * referenceSize.height)
  for (const [index, cell] of [960, 480, 240, 120, 60, 30, 15, 8, 4, 2].entries())
    addNoise(light, seed * 100 + index, cell, 70 * 0.74 ** index)
  const warmth = new Float32Array(light.length)
  addNoise(warmth, seed * 100 + 50, 480, 30)
  const tint = [0, 2, 4].map((angle) => 112 + 48 * Math.sin(seed + angle))
  const pixels = new Uint8Array(3 * light.length)
  for (let i = 0; i < light.length; i++) {
    for (let channel = 0; channel < 3; channel++) {
      const value = tint[channel]! + light[i]! + (channel - 1) * warmth[i]!
      pixels[3 * i + channel] = Math.max(0, Math.min(255, value))
    }
  }
  return pixels
}

/** Adds value noise: random values on a grid of `cell` pixels, interpolated. */
function addNoise(field: Float32Array, seed: number, cell: number, amplitude: number): void {
  const columns = Math.ceil(referenceSize.width / cell) + 1
  const values = randomValues(seed, columns * (Math.ceil(referenceSize.height / cell) + 1))
  const smooth = (t: number) => t * t * (3 - 2 * t)
  for (let y = 0; y < referenceSize.height; y++) {
    const row = Math.floor(y / cell) * columns
    const q = smooth((y % cell) / cell)
    for (let x = 0; x < referenceSize.width; x++) {
      const at = row + Math.floor(x / cell)
      const p = smooth((x % cell) / cell)
      const above = values[at]! * (1 - p) + values[at + 1]! * p
      const below = values[at + columns]! * (1 - p) + values[at + columns + 1]! * p
      field[y * referenceSize.width + x]! += amplitude * (above * (1 - q) + below * q)
    }
  }
}

/** Seeded values between -1 and 1. */
function randomValues(seed: number, count: number): Float32Array {
  let state = Math.imul(seed + 1, 2_654_435_761)
  const values = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    values[i] = ((state >>> 8) & 0xffff) / 32_768 - 1
  }
  return values
}

/** Syllables of a buzzing tone with pauses. */
function voice(seconds: number, sampleRate: number): Int16Array {
  return Int16Array.from({ length: seconds * sampleRate }, (_, i) => {
    const time = i / sampleRate
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 1.7 * time)) * (1 + 2 * ((time * 0.9) % 1))
    const buzz = [1, 2, 3, 4, 5, 6].reduce((sum, n) => sum + Math.sin(2 * Math.PI * 130 * n * time) / n, 0)
    return Math.round(546 * syllable * buzz)
  })
}
