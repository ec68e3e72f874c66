/** `npm run contact-sheet -- FILE.mp4 [OUT.png]`: frames of a film side by side in one picture, each with its time, to see it all at a glance. */
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { identifyFile } from '../containers/media/render/materials.ts'
import { parallelLimit } from '../lib/async.ts'
import { restrictedInput } from '../lib/ffmpeg/limits.ts'
import { probeMedia } from '../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { decodeFrameArguments } from '../lib/render/ffmpeg-arguments.ts'
import type { RgbFrame } from './pictures/caption-frames.ts'
import { contactSheet, withLabel, writePicture } from './pictures/contact-sheet.ts'

const usage = `npm run contact-sheet -- FILE.mp4 [OUT.png] [--frames 20] [--columns 5]

  Draws frames of a film, evenly over its time, into one picture and prints its path (FILE.png beside the film
  where none is given; a name that ends in .jpg gives a JPEG).`

/** Of all frames together, so that the picture can be looked at as one. */
const cellArea = 90_000
const framesMax = 200
const lastFrameMs = 100
const timeoutMs = 60_000
const atOnce = 2

try {
  const wishes = parseArguments(process.argv.slice(2))
  console.log(wishes === 'help' ? usage : await draw(wishes))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

interface Arguments {
  film: string
  output: string
  frames: number
  columns: number
}

function parseArguments(words: string[]): Arguments | 'help' {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', short: 'h' },
      frames: { type: 'string', default: '20' },
      columns: { type: 'string', default: '5' },
    },
    allowPositionals: true,
  })
  if (values.help) return 'help'
  const [film, output = `${film?.replace(/\.[^.]*$/, '')}.png`, ...rest] = positionals
  if (!film || rest.length > 0) throw new Error(usage)
  return { film, output, frames: count('frames', values.frames), columns: count('columns', values.columns) }
}

function count(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= framesMax) return number
  throw new Error(`--${name} must be a whole number from 1 to ${framesMax}, not ${text}.`)
}

/** The path of the picture. */
async function draw({ film, output, frames, columns }: Arguments): Promise<string> {
  const path = resolve(film)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`There is no file ${film}.`)
  const place = { directory: tmpdir(), timeoutMs }
  const { demuxer } = await identifyFile(film, new Map([[film, path]]))
  const { durationMs, video } = await probeMedia(path, demuxer, place)
  if (!video || !durationMs) throw new Error(`${film} is no film: it has no moving picture.`)
  const scale = Math.sqrt(cellArea / (video.width * video.height))
  const even = (length: number) => 2 * Math.max(1, Math.round((length * scale) / 2))
  const size = { width: even(video.width), height: even(video.height) }
  const cells: RgbFrame[] = []
  const tasks = Array.from({ length: frames }, (_, index) => async () => {
    // The middle of each part: neither the first nor the last frame says much. Sound may go on a little after the picture.
    const ms = Math.max(0, Math.min(Math.round(((index + 0.5) * durationMs) / frames), durationMs - lastFrameMs))
    const { output: pixels } = await runFfmpeg({
      ...place,
      arguments: decodeFrameArguments(restrictedInput(path, demuxer), size, ms),
    })
    if (pixels.length === 0) throw new Error(`${film} has no frame at ${ms} ms.`)
    cells[index] = await withLabel({ ...size, pixels }, timeOf(ms))
  })
  await parallelLimit(tasks, atOnce)
  await writePicture(contactSheet(cells, Math.min(columns, frames)), resolve(output))
  return output
}

/** As `1:02.5`: minutes, seconds and tenths. */
function timeOf(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${tenths % 10}`
}
