/** The local run as a process of its own for `bench/load.ts`: nothing but the service is in its memory and on its event loop. */
import { type Reelsmith, startReelsmith } from '../../local/reelsmith.ts'

export type LoadServiceMessage = Pick<Reelsmith, 'baseUrl' | 'endpoints'> | { rssBytes: number } | { heapBytes: number }
export type LoadServiceOrder = 'collect' | 'stop'

const sampleMs = 500

const directory = process.argv[2]
if (!directory || !process.send) throw new Error('This is started by bench/load.ts.')
const tell = (message: LoadServiceMessage) => process.send!(message)
const log = (message: string, error?: unknown) => console.error(message, ...(error === undefined ? [] : [error]))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log })
service.resume()
process.on('message', async (order: LoadServiceOrder) => {
  if (order === 'collect') {
    globalThis.gc?.()
    return tell({ heapBytes: process.memoryUsage().heapUsed })
  }
  await service.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(1))
setInterval(() => tell({ rssBytes: process.memoryUsage.rss() }), sampleMs)
tell({ baseUrl: service.baseUrl, endpoints: service.endpoints })
