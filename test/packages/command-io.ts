/** Runs the command line in this process: its streams, environment, network and clock are those of the test. */
import { run } from '../../packages/cli/run.js'
import type { Io } from '../../packages/cli/types.d.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
  /** What the terminal was switched to. */
  rawModes: boolean[]
}

export interface CommandOptions extends Partial<Omit<Io, 'stdin' | 'stdout' | 'stderr'>> {
  /** The chunks of stdin. */
  stdin?: string[]
  /** A terminal on all three streams, 80 columns wide. */
  isTerminal?: boolean
}

/** Key and address of the environment. */
export const testKey = 'rs_live_secret_of_the_test'
export const testEnv = { REELSMITH_BASE_URL: 'https://api.test/v1', REELSMITH_API_KEY: testKey }

/** A folder for the files of a user, so that none of the machine is read. */
export function homeOfTest(): Record<string, string> {
  const directory = temporaryDirectory()
  return { XDG_CONFIG_HOME: `${directory}/config`, XDG_STATE_HOME: `${directory}/state` }
}

/** Without a network, unless the options have one. */
export async function runCommand(words: string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { stdin = [], isTerminal = false, ...given } = options
  const written = { stdout: '', stderr: '' }
  const rawModes: boolean[] = []
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => (written[name] += text),
    isTTY: isTerminal,
    columns: 80,
  })
  const io: Io = {
    env: { ...testEnv, ...homeOfTest() },
    stdin: Object.assign(chunksOf(stdin), { isTTY: isTerminal, setRawMode: (raw: boolean) => rawModes.push(raw) }),
    stdout: output('stdout'),
    stderr: output('stderr'),
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    now: Date.now,
    sleep: () => Promise.resolve(),
    signal: new AbortController().signal,
    platform: 'linux',
    launch: () => Promise.resolve(false),
    ...given,
  }
  const code = await run(words, io)
  return { code, ...written, rawModes }
}

async function* chunksOf(texts: string[]): AsyncGenerator<string> {
  yield* texts
}
