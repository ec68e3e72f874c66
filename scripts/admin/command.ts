/** What a command of the operator is: what it is told by flags, and gives back to be printed. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Deployment } from './deployment.ts'

/** The flags with a value, each known to `parseArgs` by its name. */
export const textFlags = [
  'name',
  'plan',
  'organization',
  'workspace',
  'key',
  'credits',
  'unit',
  'description',
  'color',
  'profile',
  'platform',
  'account',
  'identifier',
  'service',
  'via',
  'from',
  'rows',
  'automation',
] as const
export type TextFlag = (typeof textFlags)[number]

export type Flags = { [name in TextFlag]?: string | undefined } & {
  sandbox?: boolean | undefined
  test?: boolean | undefined
  /** What stands behind the command without a name. */
  argument?: string | undefined
  /** `NAME=VALUE` each. */
  setting?: string[] | undefined
}

export interface Command {
  usage: string
  /** Whether something stands behind it without a name. */
  hasArgument?: boolean
  run: (flags: Flags, deployment: Deployment) => Promise<object | object[]>
}

export function requireFlag(flags: Flags, name: TextFlag): string {
  const value = flags[name]
  if (!value) throw new Error(`--${name} is needed.`)
  return value
}

/**
 * A secret, from standard input: what stands on a command line is seen by whoever lists the processes of the machine, and kept by the shell.
 * What is typed is not shown.
 */
export async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(`${name}: `)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: unseen, terminal: stdin.isTTY })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [])])
  lines.close()
  if (stdin.isTTY) stderr.write('\n')
  if (!line.trim()) throw new Error(`The ${name} is read from standard input, where there was none.`)
  return line.trim()
}
