/**
 * `npm run demo [-- "an idea"] [-- --script FILE]`: a brief becomes `out/demo.mp4`, through the API of the local run, which
 * is started where it is not running.
 */
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import { createClient } from '../lib/api/client.ts'
import type { VideoResource } from '../lib/api/resources.ts'
import type { Runtime } from '../local/runtime.ts'
import { type LocalService, useLocalService } from './local-service.ts'

const usualIdea = 'Three small habits that make mornings calm'
const pollMs = 150
const file = 'out/demo.mp4'
/** How much of the whole the generation is, on the bar. */
const generationShare = 0.35

const startedAt = Date.now()
let service: LocalService | undefined
try {
  const brief = readBrief(process.argv.slice(2))
  console.log(
    `\n  ${'text' in brief ? 'Script' : 'Idea'}: ${Object.values(brief)[0]!.replace(/\s+/g, ' ').slice(0, 100)}\n`,
  )
  service = await useLocalService()
  const video = await makeVideo(service.runtime, brief)
  await download(video.media.renderUrl!, file)
  const { size } = await stat(file)
  console.log(`
  ${video.title}

    File       ${file}
    Size       ${(size / 1024 ** 2).toFixed(1)} MB
    Duration   ${video.durationSeconds?.toFixed(1)} s
    Made in    ${((Date.now() - startedAt) / 1000).toFixed(1)} s
`)
} catch (error) {
  console.error(`\n  ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await service?.leave()
}

function readBrief(words: string[]): Brief {
  const { values, positionals } = parseArgs({
    args: words,
    options: { script: { type: 'string' } },
    allowPositionals: true,
  })
  if (values.script) return spoken(readFileSync(values.script, 'utf8'))
  return { prompt: positionals.join(' ') || usualIdea }
}

type Brief = { prompt: string } | { text: string; videoDuration: 'subminute' | 'short' | 'medium' }

/** A script is given the shortest length that it fits in; the voices say about 2.6 words a second. */
function spoken(text: string): Brief {
  const seconds = text.split(/\s+/).length / 2.6
  return { text, videoDuration: seconds <= 60 ? 'subminute' : seconds <= 180 ? 'short' : 'medium' }
}

/** Creates the video, follows both jobs on one bar, and answers the record when the film is there. */
async function makeVideo({ baseUrl, apiKey }: Runtime, brief: Brief): Promise<VideoResource> {
  const reelsmith = createClient({ baseUrl, apiKey, sleep: () => delay(pollMs) })
  const { id } = await reelsmith.createVideo({ body: { ...brief, process: { render: true } } })
  const bar = new SingleBar(
    { format: '  {bar} {percentage}%  {phase}', hideCursor: true, clearOnComplete: false },
    Presets.rect,
  )
  bar.start(100, 0, { phase: 'Brief accepted' })
  try {
    return await reelsmith.waitFor(id, (video) => {
      bar.update(percentOf(video), { phase: phaseOf(video) })
      return video.status === 'ready'
    })
  } finally {
    bar.stop()
  }
}

function percentOf({ process, render }: VideoResource): number {
  return Math.floor(generationShare * (process?.progress ?? 0) + (1 - generationShare) * (render?.progress ?? 0))
}

function phaseOf({ status, process }: VideoResource): string {
  if (status === 'ready') return 'Ready'
  return status === 'rendering' ? 'Rendering the film' : (process?.statusText ?? 'Generating')
}

async function download(url: string, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`The film cannot be downloaded: ${response.status}.`)
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path))
}
