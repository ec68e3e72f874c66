/** The interface of an admin command: flags in, a record or a list of records to print out. */
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
  'scope',
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
  'video',
  'webhook',
  'limit',
  'reads',
  'writes',
  'paid',
  'confirm',
] as const
export type TextFlag = (typeof textFlags)[number]

export type Flags = { [name in TextFlag]?: string | undefined } & {
  sandbox?: boolean | undefined
  test?: boolean | undefined
  all?: boolean | undefined
  default?: boolean | undefined
  /** The positional argument after the command. */
  argument?: string | undefined
  /** `NAME=VALUE` each. */
  setting?: string[] | undefined
}

export interface Command {
  /** Its arguments; a flag that is not in it is refused. */
  usage: string
  /** One line of the help. */
  summary: string
  /** Printed in place of an empty list. */
  empty?: string
  /** Whether the command takes a positional argument. */
  hasArgument?: boolean
  run: (flags: Flags, deployment: Deployment) => Promise<object | object[]>
}

export function requireFlag(flags: Flags, name: TextFlag): string {
  const value = flags[name]
  if (!value) throw new Error(`--${name} is required.`)
  return value
}

/**
 * Reads a secret from standard input, without echo. On the command line it would appear in process lists and in the shell's
 * history.
 */
export async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(`${name}: `)
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: muted, terminal: stdin.isTTY })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [])])
  lines.close()
  if (stdin.isTTY) stderr.write('\n')
  if (!line.trim()) throw new Error(`Standard input is empty. Type or pipe the ${name}.`)
  return line.trim()
}
