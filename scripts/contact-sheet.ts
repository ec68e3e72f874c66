/** `npm run contact-sheet -- FILE.mp4 [OUT.png]`: frames of a video side by side in one picture, each with its time. */
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

  Draws frames at even intervals into one picture and prints its path. The default path is FILE.png beside the
  video; a path that ends in .jpg gives a JPEG.`

/** Pixels of one frame in the picture. */
const cellArea = 90_000
const framesMax = 200
const lastFrameMs = 100
const timeoutMs = 60_000
const framesAtOnce = 2

try {
  const parsed = parseArguments(process.argv.slice(2))
  console.log(parsed === 'help' ? usage : await draw(parsed))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

interface Arguments {
  file: string
  output: string
  frames: number
  columns: number
}

function parseArguments(args: string[]): Arguments | 'help' {
  const { values, positionals } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h' },
      frames: { type: 'string', default: '20' },
      columns: { type: 'string', default: '5' },
    },
    allowPositionals: true,
  })
  if (values.help) return 'help'
  const [file, output = `${file?.replace(/\.[^.]*$/, '')}.png`, ...rest] = positionals
  if (!file || rest.length > 0) throw new Error(usage)
  return { file, output, frames: count('frames', values.frames), columns: count('columns', values.columns) }
}

function count(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= framesMax) return number
  throw new Error(`--${name} must be a whole number from 1 to ${framesMax}, not ${text}.`)
}

/** Returns the path of the picture. */
async function draw({ file, output, frames, columns }: Arguments): Promise<string> {
  const path = resolve(file)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`The file ${file} does not exist.`)
  const limits = { directory: tmpdir(), timeoutMs }
  const { demuxer } = await identifyFile(file, new Map([[file, path]]))
  const { durationMs, video } = await probeMedia(path, demuxer, limits)
  if (!video || !durationMs) throw new Error(`${file} is not a video: it has no video stream.`)
  const scale = Math.sqrt(cellArea / (video.width * video.height))
  const even = (length: number) => 2 * Math.max(1, Math.round((length * scale) / 2))
  const size = { width: even(video.width), height: even(video.height) }
  const cells: RgbFrame[] = []
  const tasks = Array.from({ length: frames }, (_, index) => async () => {
    // The middle of each interval, because first and last frames show little. Sound may be a little longer than the picture.
    const ms = Math.max(0, Math.min(Math.round(((index + 0.5) * durationMs) / frames), durationMs - lastFrameMs))
    const { output: pixels } = await runFfmpeg({
      ...limits,
      arguments: decodeFrameArguments(restrictedInput(path, demuxer), size, ms),
    })
    if (pixels.length === 0) throw new Error(`${file} has no frame at ${ms} ms.`)
    cells[index] = await withLabel({ ...size, pixels }, timeOf(ms))
  })
  await parallelLimit(tasks, framesAtOnce)
  await writePicture(contactSheet(cells, Math.min(columns, frames)), resolve(output))
  return output
}

/** As `1:02.5`: minutes, seconds and tenths. */
function timeOf(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${tenths % 10}`
}
