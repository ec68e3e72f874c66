/** Renders slides as the container does and extracts scaled-down frames. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderComposition } from '../../containers/media/render/render-composition.ts'
import type { Template } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import type { Size } from '../../lib/render/framing.ts'
import { backgroundShots } from '../../lib/render/slides/background-shots.ts'
import type { Slide } from '../../lib/render/slides/slide.ts'
import { presentationDefaults } from '../../lib/render/slides/slides-from-scenes.ts'
import { encodeWav } from '../../lib/render/sound/wav.ts'
import type { RgbFrame } from './caption-frames.ts'

const fps = 30
const timeoutMs = 120_000

export function slide(template: Template, startMs: number, endMs: number, changes: Partial<Slide>): Slide {
  return {
    ...{ startMs, endMs, template, tone: 'light', text: '', emphasis: '', content: {}, anchors: [] },
    ...{ params: { layout: 'left' }, direction: {}, captioned: false, words: [] },
    ...changes,
  }
}

export interface SlideVideo {
  film: Size
  slides: readonly Slide[]
  theme?: ThemeConfig
}

/** The frames at these times, `width` pixels wide. */
export async function slideFrames(
  { film, slides, theme = {} }: SlideVideo,
  momentsMs: readonly number[],
  width: number,
): Promise<RgbFrame[]> {
  const directory = await mkdtemp(join(tmpdir(), 'slides-'))
  try {
    const sound = encodeWav({ sampleRate: 22_050, samples: new Int16Array(22_050) })
    await Promise.all([writeFile(join(directory, 'silence.wav'), sound), mkdir(join(directory, 'render'))])
    const look = { ...presentationDefaults, ...theme }
    const { videoPath } = await renderComposition({
      composition: {
        ...{ ...film, fps, durationMs: slides.at(-1)!.endMs, narrationKey: 'silence', pages: [], theme: look },
        ...{ shots: backgroundShots(slides, film, look), slides: [...slides] },
      },
      files: new Map([['silence', join(directory, 'silence.wav')]]),
      directory: join(directory, 'render'),
      onProgress: () => {},
      signal: new AbortController().signal,
      timeoutMs,
    })
    const height = 2 * Math.round((film.height * width) / film.width / 2)
    const numbers = momentsMs.map((ms) => Math.floor((ms * fps) / 1000))
    const chosen = `select=${numbers.map((number) => `eq(n\\,${number})`).join('+')}`
    const scaled = `${chosen},scale=${width}:${height}:flags=lanczos:in_color_matrix=bt709:in_range=tv,format=rgb24`
    const decode = ['-v', 'error', '-i', videoPath, '-an', '-vf', scaled, '-vsync', '0', '-f', 'rawvideo', 'pipe:1']
    const { output } = await runFfmpeg({ directory, timeoutMs, arguments: decode })
    const bytes = 3 * width * height
    return numbers.map((_, index) => ({ width, height, pixels: output.subarray(index * bytes, (index + 1) * bytes) }))
  } finally {
    await rm(directory, { recursive: true })
  }
}
