/** Reads the words of the operator's command line: which command they name, and what they tell it. */
import { parseArgs } from 'node:util'
import { type TextFlag, textFlags } from './command.ts'
import type { Deployment } from './deployment.ts'
import { commands } from './workspaces.ts'

/** `run` is missing where the words name no command, or have more or less behind it than it takes. An unknown flag is thrown. */
export function parseAdminArguments(words: string[]) {
  const { values, positionals } = parseArgs({
    args: words,
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
  const isWhole = more.length === 0 && (argument !== undefined) === Boolean(command?.hasArgument)
  const run =
    command && isWhole ? (deployment: Deployment) => command.run({ ...flags, argument }, deployment) : undefined
  return { json, stack, run }
}
