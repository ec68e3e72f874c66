/**
 * `npm run bench:preview`: the studio in a headless Chromium: frames a second while its preview plays, the time from an
 * edit to the frame that shows it, and the first content of the console. The last line of output is one JSON object.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { encodeWav } from '../lib/render/sound/wav.ts'
import { startHttpApi } from '../local/emulators/api-gateway/http-api.ts'
import { studioServer } from '../local/studio.ts'
import { buildStudio } from '../scripts/studio.ts'
import { initialBytes as initialBytesOf } from '../test/studio/console/initial-load.ts'
import { chromiumPath, launchChromium, openPreviewPage } from '../test/studio/preview-browser.ts'
import type { PreviewFigures } from '../test/studio/preview-page.ts'
import { median } from './load/statistics.ts'
import { startBench } from './result-files.ts'

const roundsDefault = 3
const seconds = 12
const sampleRate = 22_050
const words = 'salt comes from rocks that rivers carry down to the sea where it stays'.split(' ')

if (!chromiumPath) {
  console.error('No Chromium on PATH: apt-get install chromium')
  process.exit(1)
}
const end = await startBench('preview')
const { initialBytes, firstContentMs } = await measureConsole()
const directory = mkdtempSync(join(tmpdir(), 'preview-'))
const path = (name: string) => join(directory, name)
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="2208"><rect width="1240" height="2208" fill="#346"/><circle cx="600" cy="900" r="420" fill="#fa7"/></svg>`
writeFileSync(path('still.png'), new Resvg(picture).render().asPng())
writeFileSync(path('narration.wav'), encodeWav({ sampleRate, samples: new Int16Array(seconds * sampleRate).fill(800) }))
const context = { directory, timeoutMs: 120_000 }
const clip = ['-f', 'lavfi', '-i', 'testsrc=s=1080x1920:r=30:d=4', '-pix_fmt', 'yuv420p', 'clip.mp4']
await runFfmpeg({ ...context, arguments: ['-v', 'error', ...clip] })
const media = ['still.png', 'clip.mp4', 'narration.wav'].map((name): [string, string] => [name, path(name)])
const { page, mediaUrl, close } = await openPreviewPage(new Map(media))

const spans = Array.from({ length: 4 * seconds }, (_, index) => ({ startMs: 250 * index, endMs: 250 * (index + 1) }))
const video = {
  ...{ id: 'vid_1', title: 'Why the sea is salty', subType: null, mood: 'calm', durationSeconds: seconds, config: {} },
  brief: { aspectRatio: '9:16', showSubtitles: true, inputMode: 'idea', text: null },
  media: { audioUrl: mediaUrl('narration.wav'), sourceUrl: null },
  captions: spans.map((span, index) => {
    const text = words[index % words.length]!
    return { id: `cap_${index}`, ...span, text, punctuated_word: text, confidence: 1 }
  }),
  captionsPages: Array.from({ length: seconds }, (_, index) => {
    return { id: `pag_${index}`, startMs: 1_000 * index, endMs: 1_000 * (index + 1), hidden: false }
  }),
  bRolls: Array.from({ length: seconds / 3 }, (_, index) => ({
    ...{ id: `brl_${index}`, startMs: 3_000 * index, endMs: 3_000 * (index + 1), text: '', prompt: '', keywords: [] },
    ...{ mediaType: 'ai_image', hidden: false, type: index % 2 === 0 ? 'image' : 'video' },
    url: mediaUrl(index % 2 === 0 ? 'still.png' : 'clip.mp4'),
  })),
}
const rounds: PreviewFigures[] = []
for (let round = 0; round < roundsDefault; round++) {
  rounds.push(
    await page.evaluate(
      (shown) => (globalThis as unknown as { measure(video: unknown): Promise<PreviewFigures> }).measure(shown),
      video,
    ),
  )
}
await close()
rmSync(directory, { recursive: true })
const of = (figure: keyof PreviewFigures) => median(rounds.map((round) => round[figure]))
const preview = { framesPerSecond: of('framesPerSecond'), editMs: of('editMs'), firstFrameMs: of('firstFrameMs') }
end({ ...preview, initialBytes, firstContentMs }, roundsDefault)

/** The page that signs in, as the local run serves it. */
async function measureConsole() {
  const files = await buildStudio()
  const server = await startHttpApi({
    ...{ port: 0, basePath: '/v1', routes: [], log: () => {} },
    fallback: async () => ({ statusCode: 404, body: '{}' }),
    pages: studioServer(async () => files, 'http://127.0.0.1:9/'),
  })
  const browser = await launchChromium()
  const firstContent = async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(server.url)
    await page.getByLabel('API key').waitFor()
    const paints = `new Promise((resolve) => new PerformanceObserver((list) =>
      resolve(list.getEntriesByName('first-contentful-paint')[0].startTime)
    ).observe({ type: 'paint', buffered: true }))`
    const ms = await page.evaluate<number>(paints)
    await context.close()
    return ms
  }
  try {
    await firstContent()
    const times: number[] = []
    while (times.length < 5) times.push(await firstContent())
    return { initialBytes: initialBytesOf(files), firstContentMs: median(times) }
  } finally {
    await browser.close()
    await server.stop()
  }
}
