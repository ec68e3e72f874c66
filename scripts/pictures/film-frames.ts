/** Renders a film as the container does, and takes single frames out of it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderVideo } from '../../containers/render/render.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'
import { encodeWav } from '../../lib/render/wav.ts'
import type { CaptionScene, Frame } from './caption-frames.ts'
import { backdrop, fps } from './caption-frames.ts'

const timeoutMs = 120_000

/** What `captionFrames` does, with all that libass does not draw: emoji. */
export async function filmFrames({ size, theme, pages }: CaptionScene, momentsMs: number[]): Promise<Frame[]> {
  const directory = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    const { bytes } = await drawnImages.draw({ ...backdrop, ...size })
    const sound = encodeWav({ sampleRate: 22_050, samples: new Int16Array(22_050) })
    await Promise.all([
      writeFile(join(directory, 'backdrop.png'), bytes),
      writeFile(join(directory, 'silence.wav'), sound),
      mkdir(join(directory, 'render')),
    ])
    const durationMs = Math.max(...pages.map(({ endMs }) => endMs))
    const whole = { scale: 1, x: 0.5, y: 0.5 }
    const media = { kind: 'still', key: 'backdrop' } as const
    const shots = [{ startMs: 0, endMs: durationMs, media, motion: { from: whole, to: whole } }]
    const { videoPath } = await renderVideo({
      composition: { ...size, fps, durationMs, shots, narrationKey: 'silence', pages, theme },
      files: new Map(['backdrop.png', 'silence.wav'].map((name) => [name.split('.')[0]!, join(directory, name)])),
      directory: join(directory, 'render'),
      onProgress: () => {},
      signal: new AbortController().signal,
      timeoutMs,
    })
    const colours = 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24'
    const decode = ['-v', 'error', '-i', videoPath, '-an', '-vf', colours, '-f', 'rawvideo', 'pipe:1']
    const { output } = await runFfmpeg({ directory, timeoutMs, arguments: decode })
    const frameBytes = 3 * size.width * size.height
    return momentsMs.map((ms) => {
      const start = Math.floor((ms * fps) / 1000) * frameBytes
      return { ...size, pixels: output.subarray(start, start + frameBytes) }
    })
  } finally {
    await rm(directory, { recursive: true })
  }
}
