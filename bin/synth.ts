/**
 * `npm run synth`: `cdk synth --quiet` without two notes that it ends with on success and that ask for nothing here: to
 * name one of the stacks, and to configure flags of the CDK. `cdk.json` sets the flags that matter.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const notes = /^\W*(Supply a stack id \(|\d+ feature flags are not configured)/

const child = spawn('cdk', ['synth', '--quiet', ...process.argv.slice(2)], { stdio: ['inherit', 'pipe', 'pipe'] })
const copy = async (from: Readable, to: NodeJS.WritableStream) => {
  for await (const line of createInterface({ input: from })) if (!notes.test(line)) to.write(`${line}\n`)
}
const copied = Promise.all([copy(child.stdout, process.stdout), copy(child.stderr, process.stderr)])
child.once('error', (error) => {
  console.error(`cdk could not be started: ${error.message}`)
  process.exitCode = 1
})
child.once('close', async (code) => {
  await copied
  process.exitCode ??= code ?? 1
})
