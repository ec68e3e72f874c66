/** The operations of the API as the command line has them: names, flags, examples. Reads the generated `operations.json`. */
import { readFileSync } from 'node:fs'
import { kebab } from './arguments.js'

/** @import { Flag, FlagKind, Operation, OperationsFile, Schema } from './types.js' */

/** @type {OperationsFile} */
export const contract = JSON.parse(readFileSync(new URL('./operations.json', import.meta.url), 'utf8'))

/** `videos add-scene`. @param {Operation} operation */
export const commandName = ({ group, verb }) => `${group} ${kebab(verb)}`

/** The name of a positional argument: `VIDEO_ID` of `/videos/{id}`, `SCENE_ID`. @param {Operation} operation @param {string} parameter */
export function placeholder({ path }, parameter) {
  const collection =
    path
      .slice(0, path.indexOf(`/{${parameter}}`))
      .split('/')
      .at(-1) ?? ''
  const name = parameter === 'id' ? `${singular(collection)}Id` : parameter
  return kebab(name).replaceAll('-', '_').toUpperCase()
}

/** @param {string} noun */
const singular = (noun) => noun.replace(/ies$/, 'y').replace(/s$/, '')

/** A reference is followed, and `null` among the choices is left out. @param {Schema} schema @returns {{ schema: Schema, isNullable: boolean }} */
function plain(schema) {
  const target = schema.$ref ? contract.schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
  if (target) return plain(target)
  const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)
  if (!choices) return { schema, isNullable: false }
  const others = choices.filter(({ type }) => type !== 'null')
  const only = others.length === 1 && others[0] ? plain(others[0]) : undefined
  return { schema: only?.schema ?? {}, isNullable: others.length < choices.length || (only?.isNullable ?? false) }
}

/** The schema of the body or of the query. @param {Operation} operation */
export const inputSchema = ({ input }) => (input ? plain(input.schema).schema : {})

/** A flag for each field of the input, and for each field of its objects. @param {Operation} operation @returns {Flag[]} */
export function inputFlags(operation) {
  const { properties = {}, required = [] } = inputSchema(operation)
  return Object.entries(properties).flatMap(([name, property]) => {
    const flag = flagOf([name], property, required.includes(name))
    const inner = plain(property).schema.properties ?? {}
    // An object that repeats the fields beside it adds nothing.
    const isRepetition = Object.keys(inner).every((key) => key in properties)
    return isRepetition
      ? [flag]
      : [flag, ...Object.entries(inner).map(([key, schema]) => flagOf([name, key], schema, false))]
  })
}

/** @param {string[]} path @param {Schema} property @param {boolean} isRequired @returns {Flag} */
function flagOf(path, property, isRequired) {
  const { schema, isNullable } = plain(property)
  const { kind, values } = kindOf(schema)
  const description = property.description ?? schema.description ?? ''
  return { name: path.map(kebab).join('.'), kind, description, values, isNullable, isRequired, path }
}

/** @param {Schema} schema @returns {{ kind: FlagKind, values?: Flag['values'] }} */
function kindOf(schema) {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  switch (schema.type ?? typeof values?.[0]) {
    case 'string':
      return { kind: 'string', values }
    case 'integer':
    case 'number':
      return { kind: 'number', values }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array': {
      const items = schema.items && plain(schema.items).schema
      return items?.type === 'string' ? { kind: 'list', values: items.enum } : { kind: 'json' }
    }
    default:
      return { kind: 'json' }
  }
}

/** The input that the flags say, on top of one that was given as JSON. @param {Flag[]} flags @param {Record<string, unknown>} values @param {unknown} base */
export function inputOf(flags, values, base) {
  const given = flags.filter(({ name, path }) => path && name in values)
  if (given.length === 0) return base
  const input = { .../** @type {Record<string, any>} */ (base) }
  for (const { name, path = [] } of given) {
    const [key = '', inner] = path
    input[key] = inner === undefined ? values[name] : { ...input[key], [inner]: values[name] }
  }
  return input
}

/** The words of the example, without the name of the program. @param {Operation} operation @returns {string[]} */
export function exampleWords(operation) {
  const { input, parameters } = operation
  const words = [...commandName(operation).split(' '), ...parameters.map(({ example }) => example)]
  const flags = inputFlags(operation)
  /** @type {string[]} */
  const written = []
  const isWritten = Object.entries(input?.example ?? {}).every(([key, value]) => {
    const inner = isRecord(value) ? Object.entries(value) : []
    const innerFlags = inner.map(([name]) => flags.find(({ path }) => path?.join('.') === `${key}.${name}`))
    const flag = flags.find(({ path }) => path?.join('.') === key)
    const pairs = inner.length > 0 && innerFlags.every((found) => found?.kind !== undefined && found.kind !== 'json')
    if (pairs) written.push(...inner.flatMap(([, item], index) => flagWords(innerFlags[index], item)))
    else written.push(...flagWords(flag, value))
    return flag !== undefined
  })
  return isWritten ? [...words, ...written] : [...words, '--json', JSON.stringify(input?.example)]
}

/** @param {unknown} value */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {Flag | undefined} flag @param {unknown} value */
function flagWords(flag, value) {
  if (!flag) return []
  if (flag.kind === 'boolean') return [value ? `--${flag.name}` : `--no-${flag.name}`]
  const text = flag.kind === 'json' ? JSON.stringify(value) : String(value)
  return [`--${flag.name}`, text]
}

/** As typed in a shell. @param {string[]} words */
export const shellText = (words) =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
