/** The help texts, from the same tables as the commands. */
import { exitCodeTexts } from './failure.js'
import { wrap } from './human-text.js'
import { contract } from './operations.js'

/** @import { Command, Flag } from './types.js' */

/** Flags of every command. @type {Flag[]} */
export const globalFlags = [
  { name: 'profile', kind: 'string', placeholder: 'NAME', description: 'Use the key of this profile.' },
  {
    name: 'workspace',
    kind: 'string',
    placeholder: 'WORKSPACE_ID',
    description: 'With the key of an organization: the workspace to act on.',
  },
  {
    name: 'human',
    kind: 'boolean',
    description: 'Print for people instead of JSON; --no-human prints JSON for errors too.',
  },
  { name: 'help', kind: 'boolean', description: 'Print the help of the command.' },
]

/** @param {Command[]} commands @param {number} width @param {boolean} isRepository */
export function overview(commands, width, isRepository) {
  const own = commands.filter(({ isOperation }) => !isOperation)
  const nouns = [...new Set(contract.operations.map(({ group }) => group))]
  const verbs = (/** @type {string} */ noun) =>
    commands.filter(({ name }) => name.startsWith(`${noun} `)).map(({ name }) => name.slice(noun.length + 1))
  const local = isRepository ? ', else the service that `npm start` runs' : ''
  return [
    `reelsmith ${contract.version}: briefs in, short videos out.`,
    '',
    'Usage: reelsmith COMMAND [FLAG …]',
    '',
    'Commands',
    columns(
      own.map(({ name, summary }) => [name, `${summary}.`]),
      width,
    ),
    '',
    'Operations of the API: reelsmith NOUN VERB',
    columns(
      nouns.map((noun) => [noun, verbs(noun).join(', ')]),
      width,
    ),
    '',
    'Flags of every command',
    columns(globalFlags.map(flagRow), width),
    '',
    'Exit codes',
    columns(
      exitCodeTexts.map(([code, text]) => [String(code), text]),
      width,
    ),
    '',
    wrap(
      'The key and the address are REELSMITH_API_KEY and REELSMITH_BASE_URL, else those of the profile ' +
        `(REELSMITH_PROFILE, else the one of the last login)${local}. ` +
        'Results are JSON on stdout. Errors are one JSON object on stderr, or a sentence on a terminal.',
      width,
    ),
    '',
    'The help of a command: reelsmith videos create --help',
  ].join('\n')
}

/** The verbs of a noun. @param {Command[]} commands @param {string} noun @param {number} width */
export function nounHelp(commands, noun, width) {
  const verbs = commands.filter(({ name }) => name.startsWith(`${noun} `))
  return [
    `Usage: reelsmith ${noun} VERB [FLAG …]`,
    '',
    columns(
      verbs.map(({ name, summary }) => [name.slice(noun.length + 1), `${summary}.`]),
      width,
    ),
    '',
    `The help of a verb: reelsmith ${verbs[0]?.name} --help`,
  ].join('\n')
}

/** @param {Command} command @param {number} width */
export function commandHelp({ name, summary, details = [], positionals, flags, examples }, width) {
  const words = positionals.map((word) => (word.isOptional ? `[${word.name}]` : word.name))
  const usage = ['reelsmith', name, ...words, ...(flags.length > 0 ? ['[FLAG …]'] : [])].join(' ')
  return [
    wrap(`${summary}.`, width),
    '',
    `Usage: ${usage}`,
    ...details.flatMap((text) => ['', wrap(text, width)]),
    ...positionals.flatMap(({ name, values }) => (values ? ['', wrap(`${name}: ${values.join(', ')}`, width)] : [])),
    ...section(
      'Flags',
      flags.filter(({ path }) => !path),
      width,
    ),
    ...section(
      'Fields',
      flags.filter(({ path }) => path),
      width,
    ),
    ...section('Flags of every command', globalFlags, width),
    '',
    examples.length > 1 ? 'Examples' : 'Example',
    ...examples.map((example) => broken(`  reelsmith ${example}`, width)),
  ].join('\n')
}

/** @param {string} title @param {Flag[]} flags @param {number} width */
const section = (title, flags, width) => (flags.length > 0 ? ['', title, columns(flags.map(flagRow), width)] : [])

/** A long line of a shell goes on below. @param {string} line @param {number} width */
const broken = (line, width) => (line.length > width ? line.replaceAll(' --', ' \\\n      --') : line)

/** @param {Flag} flag @returns {[string, string]} */
function flagRow({ name, kind, placeholder, description, values, isRequired }) {
  const value = { boolean: '', number: ' N', json: ' JSON', list: ' A,B', string: ' TEXT', texts: ' TEXT' }[kind]
  const named = placeholder ? ` ${placeholder}` : value
  const required = isRequired ? 'Required. ' : ''
  const choice = values && values.length > 0 && !values.every((one) => description.includes(String(one)))
  return [
    `--${name}${named}`,
    `${required}${description}${choice ? ` One of: ${values.filter(String).join(', ')}.` : ''}`,
  ]
}

/** Two columns; the second one is wrapped, below the first one where that is long. @param {[string, string][]} rows @param {number} width */
function columns(rows, width) {
  const left = Math.min(Math.max(...rows.map(([name]) => name.length)), 26)
  const indent = ' '.repeat(left + 4)
  return rows
    .map(([name, text]) => {
      const lines = wrap(text, width, indent)
      return name.length > left ? `  ${name}\n${lines}` : `  ${name.padEnd(left + 2)}${lines.slice(left + 4)}`
    })
    .join('\n')
}
