/** Runs a speech engine in a process of its own: it may block or crash there, and a GPL engine stays apart from this program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Ten minutes of speech take about ten seconds; a hung engine must not hold its caller. */
const timeoutMs = 120_000

export interface EngineResult<Facts> {
  facts: Facts
  audio: Buffer
}

/**
 * Starts `script` with this Node, writes `request` to it as JSON and reads what it answers: one line of JSON, then raw audio.
 * Throws an `Error` with the engine's last words when it fails or takes longer than two minutes.
 */
export async function runEngine<Facts>(script: URL, request: object): Promise<EngineResult<Facts>> {
  const engine = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', fileURLToPath(script)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    // Options meant for this process (an inspector, a loader, a test runner's hooks) are not the engine's.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const output: Buffer[] = []
  const complaints: Buffer[] = []
  engine.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  engine.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
  // The engine may die before it has read everything; its exit code tells, the broken pipe adds nothing.
  engine.stdin.on('error', () => {})
  engine.stdin.end(JSON.stringify(request))
  const [code, signal] = await once(engine, 'close')
  if (code !== 0)
    throw new Error(
      `Speech engine ended with ${code ?? signal}: ${Buffer.concat(complaints).toString().trim().slice(-2000)}`,
    )
  const answer = Buffer.concat(output)
  const lineEnd = answer.indexOf(10)
  const facts: Facts = JSON.parse(answer.toString('utf8', 0, lineEnd))
  return { facts, audio: answer.subarray(lineEnd + 1) }
}
