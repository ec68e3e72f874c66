/**
 * Runs a speech engine in a separate process: it may block or crash, and a GPL engine must stay apart from this
 * program.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Ten minutes of speech take about ten seconds; a hung engine must not hold its caller. */
const timeoutMs = 120_000

interface EngineResult<Facts> {
  facts: Facts
  audio: Buffer
}

/**
 * Starts `script` with this Node and writes `request` as JSON to stdin. Stdout is one line of JSON, then raw audio.
 * Throws an `Error` with the end of stderr when the engine fails or takes longer than two minutes.
 */
export async function runEngine<Facts>(script: URL, request: object): Promise<EngineResult<Facts>> {
  const engine = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', fileURLToPath(script)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    // Options of this process (inspector, loader, hooks of a test runner) must not reach the engine.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const output: Buffer[] = []
  const errors: Buffer[] = []
  engine.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  engine.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  // The engine may exit before it has read everything: its exit code is the error, not the broken pipe.
  engine.stdin.on('error', () => {})
  engine.stdin.end(JSON.stringify(request))
  const [code, signal] = await once(engine, 'close')
  if (code !== 0)
    throw new Error(
      `Speech engine ended with ${code ?? signal}: ${Buffer.concat(errors).toString().trim().slice(-2000)}`,
    )
  const result = Buffer.concat(output)
  const lineEnd = result.indexOf(10)
  const facts: Facts = JSON.parse(result.toString('utf8', 0, lineEnd))
  return { facts, audio: result.subarray(lineEnd + 1) }
}
