/** `schema`: the JSON schema of an operation, without a key or a network. */
import { kebab, suggestion } from '../arguments.js'
import { usageFailure } from '../failure.js'
import { commandName, contract } from '../operations.js'

/** @import { Command, Operation, Schema } from '../types.js' */

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** @type {Command} */
export const schemaCommand = {
  name: 'schema',
  summary: 'Print the JSON schema of what an operation takes, without a key or a network',
  details: ['Without an operation: the list of all operations, with method and path.'],
  examples: ['schema', 'schema videos create', 'schema videos create --response'],
  positionals: [
    { name: 'NOUN', isOptional: true },
    { name: 'VERB', isOptional: true },
  ],
  flags: [{ name: 'response', kind: 'boolean', description: 'The schema of the result instead.' }],
  run: async ({ args, print }) => {
    if (args.positionals.length === 0) {
      const rows = contract.operations.map(({ id, method, path, summary, ...names }) => ({
        command: commandName(/** @type {Operation} */ (names)),
        method,
        path,
        operation: id,
        summary,
      }))
      return print.result(rows)
    }
    const operation = operationNamed(args.positionals)
    print.result(args.values.response ? responseSchema(operation) : requestSchema(operation))
  },
}

/** Also by its id: `createVideo`. @param {string[]} words */
function operationNamed(words) {
  const name = words.map(kebab).join(' ')
  const found = contract.operations.find((operation) => commandName(operation) === name || operation.id === words[0])
  if (found) return found
  throw usageFailure(`There is no operation ${name}.${suggestion(name, contract.operations.map(commandName))}`)
}

/** @param {Operation} operation */
const requestSchema = ({ id, input }) => ({
  $schema: dialect,
  title: input ? input.name : `${id}: nothing besides the ids of the path`,
  ...withDefinitions(input?.schema ?? { type: 'object', properties: {} }),
})

/** @param {Operation} operation */
const responseSchema = ({ id, returns, isPaged, isLog }) => ({
  $schema: dialect,
  title: `Result of ${id}`,
  ...withDefinitions(isPaged ? pageOf(returns, isLog ? 'EventPaging' : 'Paging') : returns),
})

/** @param {Schema} items @param {string} paging @returns {Schema} */
const pageOf = (items, paging) => ({
  type: 'object',
  properties: { data: { type: 'array', items }, paging: { $ref: `#/$defs/${paging}` } },
  required: ['data', 'paging'],
})

/** With the definitions that it refers to, and those that these refer to. @param {Schema} schema */
function withDefinitions(schema) {
  const names = new Set()
  const pending = [JSON.stringify(schema)]
  for (let text = pending.pop(); text !== undefined; text = pending.pop())
    for (const [, name = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (!names.has(name)) pending.push(JSON.stringify(contract.schemas[name]))
      names.add(name)
    }
  const definitions = Object.fromEntries([...names].sort().map((name) => [name, contract.schemas[name]]))
  return names.size > 0 ? { ...schema, $defs: definitions } : schema
}
