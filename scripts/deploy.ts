/** `npm run deploy`: deploys all stacks of a stage with the CDK. Arguments are those of `cdk deploy`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { silenceLog } from '../lib/log.ts'
import { deploy } from './deploy/deploy.ts'

silenceLog()

async function runCdk(words: readonly string[]): Promise<number> {
  const child = spawn('cdk', words, { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code ?? 1
}

try {
  process.exitCode = await deploy(process.argv.slice(2), { runCdk, print: console.log })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
