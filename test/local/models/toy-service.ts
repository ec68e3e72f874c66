/** A service for tests that uses a model process: prints the process's id, then runs until it is killed. */
import { modelProcess } from '../../../local/models/model-process.ts'
import type { ToyInput } from './toy-process.ts'

const toy = modelProcess<ToyInput, { pid: number }>({
  ...{ name: 'Toy', script: new URL('./toy-process.ts', import.meta.url), memoryBytes: 2 ** 28 },
  settings: { loads: process.argv.at(-1)! },
})
const { pid } = await toy.request({}, { timeoutMs: 30_000 })
console.log(pid)
