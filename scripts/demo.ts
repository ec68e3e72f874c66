/**
 * `npm run demo` (arguments: `demo/arguments.ts`): turns a brief or a file into `out/demo.mp4` and posts it to every platform of the sandbox,
 * through the API of the local run, which it starts if needed. It follows the progress by webhooks and verifies their signatures.
 */
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { styleText } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import { downloadFile, percentOf, phaseOf } from '../packages/cli/video-jobs.js'
import { type Client, createClient, type Video } from '../packages/client/index.js'
import { type DemoInput, describeInput, parseDemoArguments, submit } from './demo/arguments.ts'
import { followEvents } from './demo/events.ts'
import { publishToSandbox, type SandboxPublishOptions } from './demo/publish.ts'
import { ensureLocalService, type LocalService } from './local-service/service.ts'

const pollMs = 150
const file = 'out/demo.mp4'

/** Clears the line of the progress bar (ECMA-48: CR, EL 2). */
const clearedLine = '\r\x1b[2K'

const startedAt = Date.now()
const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => interrupted.abort(new Error('The demo was interrupted.')))

let service: LocalService | undefined
try {
  const input = parseDemoArguments(process.argv.slice(2))
  console.log(`\n  ${describeInput(input)}\n`)
  service = await ensureLocalService()
  const { baseUrl, apiKey, endpoints } = service.runtime
  const sleep = (_: number, signal?: AbortSignal) => delay(pollMs, undefined, { ...(signal && { signal }) })
  const { video, events, publish } = await makeVideo(createClient({ baseUrl, apiKey, sleep }), input, endpoints.sandbox)
  const { size } = await stat(file)
  console.log(`
  ${video.title}

    File       ${file}
    Size       ${(size / 1024 ** 2).toFixed(1)} MB
    Duration   ${video.durationSeconds?.toFixed(1)} s
    Events     ${events} received, every signature verified
    Posted to  ${publish.platforms.length} of ${publish.results.length} platforms
    Feed page  ${endpoints.sandbox}${service.startedHere ? ' (while npm start runs)' : ''}
    Total time ${seconds()}
`)
  if (publish.status !== 'COMPLETED') throw new Error('The video was rendered, but no platform accepted the post.')
} catch (failure) {
  // After an interrupt every pending call fails; report the interrupt.
  const error = interrupted.signal.aborted ? interrupted.signal.reason : failure
  console.error(`\n  ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await service?.release()
}

/** Creates, downloads and publishes the video. Draws its jobs on one progress bar and its events above the bar. */
async function makeVideo(reelsmith: Client, input: DemoInput, sandbox: string) {
  const { signal } = interrupted
  const bar = new SingleBar(
    // Redrawn even without progress, because an event may have been printed over the bar.
    { format: '  {bar} {percentage}%  {phase}', hideCursor: true, clearOnComplete: false, forceRedraw: true },
    Presets.rect,
  )
  const events = await followEvents(reelsmith, (event) => showLine('✓', event, 'signature verified'))
  try {
    const id = await submit(reelsmith, input, signal)
    events.resolveVideoId(id)
    bar.start(100, 0, { phase: 'Accepted' })
    const isReady = (video: Video) => {
      bar.update(percentOf(video), { phase: phaseOf(video) })
      return video.status === 'ready'
    }
    const video = await reelsmith.waitFor(id, { until: isReady, signal })
    await downloadFile(video.media.renderUrl!, file, { fetch, signal })
    bar.update(100, { phase: 'Publishing' })
    const publish = await publishToSandbox(reelsmith, video, { sandbox, signal, show: showPost })
    return { video, publish, events: await events.complete({ signal }) }
  } finally {
    bar.stop()
    await events.close()
  }
}

/** Prints above the progress bar, which is then redrawn below. */
function showLine(mark: '✓' | '✗', what: string, detail: string): void {
  if (process.stderr.isTTY) process.stderr.write(clearedLine)
  const coloured = styleText(mark === '✓' ? 'green' : 'red', mark)
  console.log(`  ${coloured} ${seconds().padStart(7)}  ${what.padEnd(26)}  ${detail}`)
}

function showPost(platform: string, post: Parameters<SandboxPublishOptions['show']>[1]): void {
  if ('url' in post) showLine('✓', platform, post.url)
  else showLine('✗', platform, post.reason)
}
