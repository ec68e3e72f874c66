/** The local run as a process of its own for `bench/load.ts`: nothing but the service is in its memory and on its event loop. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'
import { type Reelsmith, startReelsmith } from '../../local/reelsmith.ts'

/** What the process has in hand when all garbage is collected, without compiled code, and the CPU time that it has had. */
export interface MemorySample {
  heldBytes: number
  rssBytes: number
  cpuMs: number
}
export type LoadServiceMessage = Pick<Reelsmith, 'baseUrl' | 'endpoints'> | MemorySample
export type LoadServiceCommand = 'tell' | 'stop'

const directory = process.argv[2]
if (!directory || !process.send) throw new Error('This is started by bench/load.ts.')
const report = (message: LoadServiceMessage) => process.send!(message)
const log = (message: string, error?: unknown) => console.error(message, ...(error === undefined ? [] : [error]))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log })
service.resume()

async function measureMemory(): Promise<MemorySample> {
  const { user, system } = process.cpuUsage()
  const rssBytes = process.memoryUsage.rss()
  // What finalizers let go of is garbage only the second time.
  for (let time = 0; time < 2; time++) {
    globalThis.gc!()
    await turnOfLoop()
  }
  const { heapUsed, external } = process.memoryUsage()
  // V8 compiles for minutes what is called often: that grows, and ends.
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics()
  return { heldBytes: heapUsed + external - code - bytecode, rssBytes, cpuMs: (user + system) / 1000 }
}

process.on('message', async (order: LoadServiceCommand) => {
  if (order === 'tell') return report(await measureMemory())
  await service.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(1))
report({ baseUrl: service.baseUrl, endpoints: service.endpoints })
