/** The local run in a separate process, so that only the service uses its memory and its event loop. */
import { startReelsmith } from '../../local/reelsmith.ts'

export type ServiceMessage =
  | { endpoints: Awaited<ReturnType<typeof startReelsmith>>['endpoints'] }
  | { rssBytes: number }
export type ServiceCommand = 'resume' | 'stop'

const sampleMs = 100

const directory = process.argv[2]
if (!directory || !process.send) throw new Error('This process has to be started by bench/webhooks.ts.')
const report = (message: ServiceMessage) => process.send!(message)
// To stderr, where errors are visible beside the results.
const log = (message: string, error?: unknown) => console.error(message, ...(error === undefined ? [] : [error]))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log })
process.on('message', async (command: ServiceCommand) => {
  if (command === 'resume') return service.resume()
  await service.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(1))
setInterval(() => report({ rssBytes: process.memoryUsage.rss() }), sampleMs)
report({ endpoints: service.endpoints })
