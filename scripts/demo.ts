/**
 * `npm run demo` (see `demo-wish.ts` for its words): a brief or a file becomes `out/demo.mp4` and a post on every platform of the sandbox, through
 * the API of the local run, which is started where it is not running. What happens on the way is told by signed webhooks, which are verified.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { styleText } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import { type Client, createClient } from '../lib/contract/client.ts'
import type { VideoResource } from '../lib/contract/resources/index.ts'
import { type DemoInput, describeInput, parseDemoArguments, submit } from './demo/arguments.ts'
import { followEvents } from './demo/events.ts'
import { publishToSandbox, type SandboxPublishOptions } from './demo/publish.ts'
import { ensureLocalService, type LocalService } from './local-service/service.ts'

const pollMs = 150
const file = 'out/demo.mp4'
/** How much of the whole the generation is, on the bar. */
const generationShare = 0.35

/** Back to the first column of the bar's line, which is emptied (ECMA-48: CR, EL 2). */
const clearedLine = '\r\x1b[2K'

const startedAt = Date.now()
const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => interrupted.abort(new Error('The demo was interrupted.')))

let service: LocalService | undefined
try {
  const wish = parseDemoArguments(process.argv.slice(2))
  console.log(`\n  ${describeInput(wish)}\n`)
  service = await ensureLocalService()
  const { baseUrl, apiKey, endpoints } = service.runtime
  const sleep = (_: number, signal?: AbortSignal) => delay(pollMs, undefined, { ...(signal && { signal }) })
  const { video, events, publish } = await makeVideo(createClient({ baseUrl, apiKey, sleep }), wish, endpoints.sandbox)
  const { size } = await stat(file)
  console.log(`
  ${video.title}

    File       ${file}
    Size       ${(size / 1024 ** 2).toFixed(1)} MB
    Duration   ${video.durationSeconds?.toFixed(1)} s
    Events     ${events} received, every signature verified
    Posted to  ${publish.platforms.length} of ${publish.results.length} platforms
    Walls      ${endpoints.sandbox}${service.startedHere ? ' (while npm start runs)' : ''}
    Made in    ${seconds()}
`)
  if (publish.status !== 'COMPLETED') throw new Error('The film is there, but it was posted nowhere.')
} catch (failure) {
  // Whatever broke off because of it, this is why.
  const error = interrupted.signal.aborted ? interrupted.signal.reason : failure
  console.error(`\n  ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await service?.release()
}

/** Creates the video, follows its jobs on one bar and the events above it, and answers the record when the film is there and published. */
async function makeVideo(reelsmith: Client, wish: DemoInput, sandbox: string) {
  const { signal } = interrupted
  const bar = new SingleBar(
    // Drawn anew also where nothing moved: an event was written over it.
    { format: '  {bar} {percentage}%  {phase}', hideCursor: true, clearOnComplete: false, forceRedraw: true },
    Presets.rect,
  )
  const events = await followEvents(reelsmith, (event) => showLine('✓', event, 'signature verified'))
  try {
    const id = await submit(reelsmith, wish, signal)
    events.resolveVideoId(id)
    bar.start(100, 0, { phase: 'Accepted' })
    const isReady = (video: VideoResource) => {
      bar.update(percentOf(video), { phase: phaseOf(video) })
      return video.status === 'ready'
    }
    const video = await reelsmith.waitFor(id, isReady, { signal })
    await download(video.media.renderUrl!, file)
    bar.update(100, { phase: 'Publishing' })
    const publish = await publishToSandbox(reelsmith, video, { sandbox, signal, show: showPost })
    return { video, publish, events: await events.complete({ signal }) }
  } finally {
    bar.stop()
    await events.close()
  }
}

/** Above the bar, which is drawn again below it. */
function showLine(mark: '✓' | '✗', what: string, words: string): void {
  if (process.stderr.isTTY) process.stderr.write(clearedLine)
  const coloured = styleText(mark === '✓' ? 'green' : 'red', mark)
  console.log(`  ${coloured} ${seconds().padStart(7)}  ${what.padEnd(26)}  ${words}`)
}

function showPost(platform: string, post: Parameters<SandboxPublishOptions['show']>[1]): void {
  if ('url' in post) showLine('✓', platform, post.url)
  else showLine('✗', platform, post.reason)
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
