/**
 * The local run in a separate process for `bench/load.ts`, so that only the service uses its memory and its event loop.
 */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'
import { type Reelsmith, startReelsmith } from '../../local/reelsmith.ts'

/**
 * `heldBytes`: heap and external memory after a garbage collection, without compiled code. `cpuMs`: CPU time since the
 * start.
 */
export interface MemorySample {
  heldBytes: number
  rssBytes: number
  cpuMs: number
}
export type LoadServiceMessage = Pick<Reelsmith, 'baseUrl' | 'endpoints' | 'platformUrls'> | MemorySample
type LoadServiceCommand = 'tell' | 'stop'

const directory = process.argv[2]
if (!directory || !process.send) throw new Error('This process has to be started by bench/load.ts.')
const report = (message: LoadServiceMessage) => process.send!(message)
const log = (message: string, error?: unknown) => console.error(message, ...(error === undefined ? [] : [error]))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log })
service.resume()

async function measureMemory(): Promise<MemorySample> {
  const { user, system } = process.cpuUsage()
  // Memory released by finalizers is only collected the second time.
  for (let time = 0; time < 2; time++) {
    globalThis.gc!()
    await turnOfLoop()
  }
  const { heapUsed, external, rss: rssBytes } = process.memoryUsage()
  // V8 compiles hot code for minutes: this growth ends.
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics()
  return { heldBytes: heapUsed + external - code - bytecode, rssBytes, cpuMs: (user + system) / 1000 }
}

process.on('message', async (command: LoadServiceCommand) => {
  if (command === 'tell') return report(await measureMemory())
  await service.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(1))
report({ baseUrl: service.baseUrl, endpoints: service.endpoints, platformUrls: service.platformUrls })
