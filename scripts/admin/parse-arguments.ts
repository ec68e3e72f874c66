/** Parses the command line of `npm run admin`. */
import { parseArgs } from 'node:util'
import { type TextFlag, textFlags } from './command.ts'
import type { Deployment } from './deployment.ts'
import { commands } from './workspaces.ts'

/** `run` is undefined if the arguments name no command or have the wrong number of positionals. Throws on an unknown flag. */
export function parseAdminArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      stack: { type: 'string' },
      sandbox: { type: 'boolean', default: false },
      test: { type: 'boolean', default: false },
      setting: { type: 'string', multiple: true },
      ...(Object.fromEntries(textFlags.map((name) => [name, { type: 'string' }])) as Record<
        TextFlag,
        { type: 'string' }
      >),
    },
  })
  const { json, stack, ...flags } = values
  const [noun, verb, argument, ...more] = positionals
  const command = commands[`${noun} ${verb}`]
  const isComplete = more.length === 0 && (argument !== undefined) === Boolean(command?.hasArgument)
  const run =
    command && isComplete ? (deployment: Deployment) => command.run({ ...flags, argument }, deployment) : undefined
  return { json, stack, run }
}
