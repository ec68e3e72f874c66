/** Runs one command line: finds the command, reads its flags, and turns each failure into an exit code. */
import { kebab, parseArguments, suggestion } from './arguments.js'
import { accountCommands } from './commands/account.js'
import { completionCommand, completions } from './commands/completion.js'
import { doctorCommand } from './commands/doctor.js'
import { listenCommand } from './commands/listen.js'
import { mcpCommand } from './commands/mcp.js'
import { operationCommand } from './commands/operation.js'
import { schemaCommand } from './commands/schema.js'
import { videoCommands } from './commands/videos.js'
import { webhookCommands } from './commands/webhooks.js'
import { exitCodeOf, exitCodes, usageFailure } from './failure.js'
import { commandHelp, globalFlags, nounHelp, overview } from './help.js'
import { contract } from './operations.js'
import { createPrinter, printFailure, widthOf } from './output.js'
import { findConnection } from './profiles.js'

/** @import { Command, Io } from './types.js' */

/** @type {Command[]} */
export const commands = [
  ...accountCommands,
  ...videoCommands,
  listenCommand,
  ...webhookCommands,
  doctorCommand,
  mcpCommand,
  schemaCommand,
  completionCommand,
  ...contract.operations.map(operationCommand),
]

/** @param {string[]} words The arguments. @param {Io} io @returns {Promise<number>} The exit code. Never throws. */
export async function run(words, io) {
  // Also for failures of the other words.
  const human = words.includes('--human') ? true : words.includes('--no-human') ? false : undefined
  try {
    return await runCommand(words, io, human)
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted
    printFailure(io, error, human)
    return exitCodeOf(error)
  }
}

/** @param {string[]} words @param {Io} io @param {boolean | undefined} human */
async function runCommand(words, io, human) {
  const print = createPrinter(io, human)
  const width = widthOf(io.stdout)
  if (words[0] === 'complete') {
    for (const word of completions(commands, words.slice(words[1] === '--' ? 2 : 1))) print.text(word)
    return exitCodes.done
  }
  const { leading, rest } = withoutLeadingFlags(words)
  const command = commandOf(rest)
  if (!command) {
    print.text(leading.includes('--version') ? contract.version : helpText(rest, width, io))
    return exitCodes.done
  }
  const own = rest.slice(command.name.split(' ').length)
  const args = parseArguments([...leading, ...own], [...command.flags, ...globalFlags], command.positionals)
  if (args.values.help) {
    print.text(commandHelp(command, width))
    return exitCodes.done
  }
  const { profile, workspace } = /** @type {{ profile?: string, workspace?: string }} */ (args.values)
  const connect = () => findConnection(io, { profile, workspace })
  const code = await command.run({ io, args, print, connect })
  return typeof code === 'number' ? code : exitCodes.done
}

/** Flags of every command may stand before its name. @param {string[]} words */
function withoutLeadingFlags(words) {
  let end = 0
  while (words[end]?.startsWith('-')) {
    const flag = globalFlags.find(({ name }) => words[end] === `--${name}`)
    end += flag && flag.kind !== 'boolean' ? 2 : 1
  }
  return { leading: words.slice(0, end), rest: words.slice(end) }
}

/** Verbs may be written as the clients name them: `addScene`. @param {string[]} words */
const commandOf = (words) =>
  commands.find(({ name }) => name.split(' ').every((word, index) => words[index] && kebab(words[index]) === word))

/** @param {string[]} words Without a command, or `help` and one. @param {number} width @param {Io} io */
function helpText(words, width, io) {
  const [noun, verb] = words[0] === 'help' ? words.slice(1) : words
  if (noun === undefined) return overview(commands, width, io.findLocalService !== undefined)
  const command = commandOf([noun, verb ?? ''])
  if (command) return commandHelp(command, width)
  const names = commands.map(({ name }) => name)
  const isNoun = names.some((name) => name.startsWith(`${noun} `))
  if (isNoun && (verb === undefined || verb.startsWith('-'))) return nounHelp(commands, noun, width)
  if (!isNoun)
    throw unknownCommand(
      noun,
      names.map((name) => name.split(' ')[0] ?? ''),
      'reelsmith help',
    )
  throw unknownCommand(`${noun} ${verb}`, names, `reelsmith ${noun}`)
}

/** @param {string} name @param {string[]} known @param {string} list */
const unknownCommand = (name, known, list) =>
  usageFailure(`There is no command ${name}.${suggestion(name, [...new Set(known)]) || ` All: ${list}`}`)
