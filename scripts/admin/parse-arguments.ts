/** Parses the command line of `npm run admin`. */
import { parseArgs } from 'node:util'
import { type Command, type Flags, type TextFlag, textFlags } from './command.ts'
import { commands } from './commands.ts'
import type { Deployment } from './deployment.ts'

export interface AdminCall {
  json: boolean
  stack: string | undefined
  /** The command that the arguments name, if any. */
  command: Command | undefined
  /** Undefined where there is no such command, or its positional argument is missing or one too many. */
  run: ((deployment: Deployment) => Promise<object | object[]>) | undefined
  /** Whether the arguments ask for the list of commands. */
  isHelp: boolean
}

/** @throws Error for an unknown flag, and for one that the command does not take. */
export function parseAdminArguments(args: string[]): AdminCall {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      stack: { type: 'string' },
      sandbox: { type: 'boolean', default: false },
      test: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      default: { type: 'boolean', default: false },
      setting: { type: 'string', multiple: true },
      ...(Object.fromEntries(textFlags.map((name) => [name, { type: 'string' }])) as Record<
        TextFlag,
        { type: 'string' }
      >),
    },
  })
  const { json, stack, help, ...flags } = values
  const [noun, verb, argument, ...more] = positionals
  const name = `${noun} ${verb}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isHelp = help || noun === undefined || noun === 'help'
  if (command && !isHelp) refuseForeignFlags(name, command, flags)
  const isComplete = more.length === 0 && (argument !== undefined) === Boolean(command?.hasArgument)
  const run =
    command && isComplete && !isHelp
      ? (deployment: Deployment) => command.run({ ...flags, argument }, deployment)
      : undefined
  return { json, stack, command, run, isHelp }
}

function refuseForeignFlags(name: string, { usage }: Command, flags: Flags): void {
  const known: string[] = Array.from(usage.matchAll(/--([a-z]+)/g), ([, flag]) => flag!)
  const [foreign] = Object.entries(flags).filter(([flag, value]) => value && !known.includes(flag))
  if (foreign) throw new Error(`${name} takes no --${foreign[0]}. Its arguments are: ${usage || 'none'}.`)
}

/** The list of commands: how each is called, and what it does. */
export const helpText = (): string =>
  [
    'npm run admin -- COMMAND, each with --json to print JSON and --stack NAME for a deployed stack:',
    ...Object.entries(commands).flatMap(([name, { usage, summary }]) => [
      '',
      `  ${`${name} ${usage}`.trim()}`,
      `      ${summary}`,
    ]),
  ].join('\n')

/** How one command is called. */
export function usageText(command: Command): string {
  const [name] = Object.entries(commands).find(([, one]) => one === command)!
  return `${command.summary}\n  npm run admin -- ${`${name} ${command.usage}`.trim()}`
}
