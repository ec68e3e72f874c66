/** Reads the words of a command with `parseArgs` of Node; a mistake names what was probably meant. */
import { parseArgs } from 'node:util'
import { usageFailure } from './failure.js'

/** @import { Arguments, Command, Flag } from './types.js' */

/** `aspectRatio` is `aspect-ratio`. @param {string} name */
export const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Flags may be written as in the JSON: `--aspectRatio` is `--aspect-ratio`. @param {string[]} words */
function normalised(words) {
  const end = words.indexOf('--')
  return words.map((word, index) =>
    word.startsWith('--') && (end < 0 || index < end) ? word.replace(/^--[\w.-]+/, kebab) : word,
  )
}

/**
 * @param {string[]} words @param {Flag[]} flags @param {Command['positionals']} expected
 * @returns {Arguments} @throws Failure for an unknown flag, a wrong value, and a missing or superfluous word.
 */
export function parseArguments(words, flags, expected) {
  const known = new Map(flags.map((flag) => [flag.name, flag]))
  const { tokens } = parseArgs({
    args: normalised(words),
    options: {
      ...Object.fromEntries(flags.map(({ name, kind }) => [name, { type: kind === 'boolean' ? kind : 'string' }])),
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  /** @type {Arguments} */
  const args = { positionals: [], values: {} }
  for (const token of tokens) {
    if (token.kind === 'positional') args.positionals.push(token.value)
    if (token.kind !== 'option') continue
    const negated = token.name.startsWith('no-') ? known.get(token.name.slice(3)) : undefined
    const flag = known.get(token.name)
    if (flag) addValue(args.values, flag, token)
    else if (negated?.kind === 'boolean' && !token.inlineValue) args.values[negated.name] = false
    else throw usageFailure(`There is no flag ${token.rawName}.${suggestion(token.name, [...known.keys()], '--')}`)
  }
  if (!args.values.help) checkPositionals(args.positionals, expected)
  return args
}

/** @param {Arguments['values']} values @param {Flag} flag @param {{ value?: string | undefined, inlineValue?: boolean | undefined }} token */
function addValue(values, flag, { value, inlineValue }) {
  const { name, kind } = flag
  const isFlagLike = !inlineValue && value !== undefined && /^--?[a-z]/i.test(value)
  if (kind !== 'boolean' && (value === undefined || isFlagLike))
    throw usageFailure(
      `--${name} needs a value.${isFlagLike ? ` One that starts with a dash follows an equals sign: --${name}=${value}` : ''}`,
    )
  const parsed = parseValue(flag, value)
  if (Array.isArray(values[name]) && (kind === 'list' || kind === 'texts') && Array.isArray(parsed))
    values[name] = [.../** @type {unknown[]} */ (values[name]), ...parsed]
  else if (name in values) throw usageFailure(`--${name} is given twice.`)
  else values[name] = parsed
}

/** @param {Flag} flag @param {string | undefined} value @returns {unknown} */
function parseValue({ name, kind, isNullable }, value) {
  if (value === 'null' && isNullable) return null
  switch (kind) {
    case 'boolean':
      if (value === undefined || value === 'true') return true
      if (value === 'false') return false
      throw usageFailure(`--${name} is a switch: --${name} or --no-${name}, not ${value}.`)
    case 'number':
      if (value?.trim() && Number.isFinite(Number(value))) return Number(value)
      throw usageFailure(`--${name} must be a number, not ${value}.`)
    case 'list':
      return value?.split(',').map((item) => item.trim())
    case 'texts':
      return [value]
    case 'json':
      return parseJson(value ?? '', `--${name}`)
    default:
      return value
  }
}

/** @param {string} text @param {string} origin */
export function parseJson(text, origin) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageFailure(`${origin} is not JSON: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {string[]} given @param {Command['positionals']} expected */
function checkPositionals(given, expected) {
  const missing = expected.slice(given.length).find(({ isOptional }) => !isOptional)
  if (missing) throw usageFailure(`${missing.name} is missing.${choices(missing.values)}`)
  if (given.length > expected.length) throw usageFailure(`There is no place for "${given[expected.length]}".`)
  expected.forEach(({ name, values }, index) => {
    const value = given[index]
    if (value === '') throw usageFailure(`${name} is empty.`)
    // An id is a segment of a path, which dots would change.
    if (name.endsWith('_ID') && (value === '.' || value === '..')) throw usageFailure(`${name} is not ${value}.`)
    if (value !== undefined && values && !values.includes(value))
      throw usageFailure(`${name} is not ${value}.${suggestion(value, values) || choices(values)}`)
  })
}

/** @param {string[]} [values] */
const choices = (values) => (values ? ` One of: ${values.join(', ')}.` : '')

/** ` Did you mean --voice-id?`, or nothing. @param {string} name @param {string[]} known @param {string} [prefix] */
export function suggestion(name, known, prefix = '') {
  const near = nearest(name, known)
  return near === undefined ? '' : ` Did you mean ${prefix}${near}?`
}

/** The known name with the fewest edits: at most two, and less than half of the name. @param {string} name @param {string[]} known */
function nearest(name, known) {
  const limit = Math.min(2, Math.ceil(name.length / 2) - 1)
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
  const best = ranked.sort((a, b) => a.distance - b.distance)[0]
  if (best && best.distance <= limit) return best.candidate
  return known.find((candidate) => name.length > 2 && (candidate.startsWith(name) || candidate.endsWith(`-${name}`)))
}

/** Insertions, deletions, replacements and swaps of neighbours. @param {string} a @param {string} b */
function editDistance(a, b) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Infinity
      current[column] = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped)
    }
  }
  return at(a.length, b.length)
}
