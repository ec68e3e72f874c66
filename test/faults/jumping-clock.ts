/**
 * Loaded before a process of the local run (`--import`): its clock is ahead by the seconds in the file CLOCK_OFFSET_FILE.
 * The service reads the file again at SIGUSR2, and each task at its start. Timers are not affected.
 */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const Machine = Date
const read = () => Number(readFileSync(process.env.CLOCK_OFFSET_FILE!, 'utf8')) * 1000
let aheadMs = read()
if (isMainThread)
  process.on('SIGUSR2', () => {
    aheadMs = read()
  })

globalThis.Date = class extends Machine {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Machine.now() + aheadMs] : given) as [number]))
  }
  static override now() {
    return Machine.now() + aheadMs
  }
} as DateConstructor
