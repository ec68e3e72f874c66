/**
 * Renders the reference video with Remotion and with ours, alternating: see README.md. The last line of output is one
 * JSON object of medians; `npm run compare -- keep` stores it.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures } from '../figures.ts'
import { median } from '../load/statistics.ts'
import { measureProcessTree } from '../render/measure.ts'
import { createReferenceMedia, referenceComposition } from '../render/reference.ts'
import { startBench } from '../result-files.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const browser = process.env.BROWSER ?? '/usr/bin/chromium-headless-shell'
const settings = {
  defaults: {},
  best: { x264Preset: 'superfast', crf: 21, concurrency: availableParallelism() },
}

const end = await startBench('remotion')
const base = mkdtempSync(join(tmpdir(), 'reelsmith-remotion-'))
try {
  end(await compare(), rounds)
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function compare(): Promise<Figures['remotion']> {
  const [media, bundle] = [join(base, 'media'), join(base, 'bundle')]
  mkdirSync(media)
  const composition = referenceComposition(30)
  const files = await createReferenceMedia(media, [30])
  rmSync(join(media, 'still.rgb'))
  const { resolve } = createRequire(join(import.meta.dirname, '../../package.json'))
  copyFileSync(resolve('@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf'), join(media, 'anton.ttf'))
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.js'), media, bundle], { stdio: 'inherit' })

  const timings: Record<string, Timing[]> = { ours: [], defaults: [], best: [] }
  for (let round = 0; round < rounds; round++) {
    const directory = mkdtempSync(join(base, 'render-'))
    timings.ours!.push(await measureOnce('../render/render-once.ts', { composition, files, directory }))
    for (const [name, options] of Object.entries(settings)) {
      const output = join(base, `${name}.mp4`)
      timings[name]!.push(await measureOnce('render-once.js', { film: composition, bundle, output, browser, options }))
    }
  }
  const medians = Object.entries(timings).map(([name, all]) => [
    name,
    { wallSeconds: median(all.map((one) => one.wallSeconds)), cpuSeconds: median(all.map((one) => one.cpuSeconds)) },
  ])
  return Object.fromEntries(medians)
}

type Timing = Awaited<ReturnType<typeof measureProcessTree>>

function measureOnce(script: string, request: object): Promise<Timing> {
  const file = join(base, 'request.json')
  writeFileSync(file, JSON.stringify(request))
  return measureProcessTree([
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, script),
    file,
  ])
}
